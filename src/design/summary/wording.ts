import { isObject, isSame, itemsById, type Members } from '../value.ts';

/** An exit of a step or hook node. `key` is unique within it. */
export interface Way {
  readonly key: string;
  readonly label: string;
  readonly to: string;
}

/** One line for each exit that was removed, added or changed. */
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

/** One line about changed members: `step "hello": text changed, name added`. */
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

/** An own member, because `constructor` is a valid id. */
export function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

export function quoted(name: string): string {
  return `\`${shown(name)}\``;
}

/** On one line, at most 60 characters. */
function shown(name: string): string {
  const line = name.replaceAll(/\s/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
