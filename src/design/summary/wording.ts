import { isObject, isSame, itemsById, type Members } from '../value.ts';

/** A way out of a step or hook node, by a name that no other of its exits has. */
export interface Way {
  readonly key: string;
  readonly label: string;
  /** Where it leads to, in words. */
  readonly to: string;
}

/** What changed among the ways out of something, a line each. */
export function wayLines(owner: string, before: readonly Way[], now: readonly Way[]): string[] {
  const [old, left] = [byKey(before), byKey(now)];
  return [
    ...before.flatMap(({ key, label }) =>
      left.has(key) ? [] : [`exit ${shown(label)} of ${owner} removed`],
    ),
    ...now.flatMap(({ key, label, to }) => {
      const was = old.get(key)?.to;
      if (was === to) return [];
      const instead = was === undefined ? '' : ` instead of ${was}`;
      return [`exit ${shown(label)} of ${owner} now leads to ${to}${instead}`];
    }),
  ];
}

function byKey(ways: readonly Way[]): Map<string, Way> {
  return new Map(ways.map((way) => [way.key, way]));
}

/** What changed among the members of something, in one line: `step "hello": text changed, name added`. */
export function memberLines(owner: string, before: Members, now: Members): string[] {
  const phrases = phrasesOf(before, now, '');
  return phrases.length > 0 ? [`${owner}: ${phrases.join(', ')}`] : [];
}

function phrasesOf(before: Members, now: Members, prefix: string): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].flatMap((name) => {
    const [old, next] = [own(before, name), own(now, name)];
    const path = prefix + shown(name);
    if (isSame(old, next)) return [];
    if (old === undefined) return [`${path} added`];
    if (next === undefined) return [`${path} removed`];
    const [items, others] = [itemsById(old), itemsById(next)];
    if (items && others) {
      const inside = phrasesOf(Object.fromEntries(items), Object.fromEntries(others), `${path}.`);
      return inside.length > 0 ? inside : [`order of ${path} changed`];
    }
    return isObject(old) && isObject(next) ? phrasesOf(old, next, `${path}.`) : [`${path} changed`];
  });
}

/** A member of its own; an id may be called `constructor`. */
export function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** An id in a line. */
export function quoted(name: string): string {
  return `\`${shown(name)}\``;
}

/** On one line, and not too long. */
function shown(name: string): string {
  const line = name.replaceAll(/\s/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
