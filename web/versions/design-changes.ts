import type { Design } from '../api/operations.ts';
import { exitWord, kindName, linesOf, optionName, stepName } from './step-lines.ts';

/** A part of a design that two versions have in common or not: a step, a node of a hook, a variable, or the rest. */
export interface PartChange {
  readonly key: string;
  readonly name: string;
  /** What kind of part it is. */
  readonly about: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** The step, if the newer version has it. */
  readonly stepId: string | undefined;
  readonly fields: readonly FieldChange[];
}

/** One value that differs. */
export interface FieldChange {
  /** Where it is in its part. */
  readonly place: string;
  readonly label: string;
  /** Undefined: the older version has no such value. */
  readonly before: string | undefined;
  /** Undefined: the newer version has no such value. */
  readonly after: string | undefined;
}

/** A plain value of a design, not a record or a list of records, and its place. Ids name the records of a list. */
interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
  /** Where it is in its own version (RFC 6901). */
  readonly pointer: string;
}

/** The name of the leaf that holds the ids of a list, in their order. */
const orderName = '(order)';

/** Every difference between two versions, part by part: first those of the newer version, then those that are gone. */
export function changesBetween(before: Design, after: Design): readonly PartChange[] {
  const [old, now] = [leavesByPath(before), leavesByPath(after)];
  const parts = new Map<string, { readonly path: readonly string[]; readonly keys: string[] }>();
  const [oldParts, nowParts] = [new Set<string>(), new Set<string>()];
  for (const [leaves, present] of [
    [now, nowParts],
    [old, oldParts],
  ] as const)
    for (const [key, { path }] of leaves) {
      const part = partOf(path);
      present.add(part.join('/'));
      if (!differs(old.get(key), now.get(key))) continue;
      const found = parts.get(part.join('/')) ?? { path: part, keys: [] };
      if (!found.keys.includes(key)) found.keys.push(key);
      parts.set(part.join('/'), found);
    }
  return [...parts].map(([key, { path, keys }]) => {
    const change = oldParts.has(key) ? (nowParts.has(key) ? 'changed' : 'removed') : 'added';
    const design = change === 'removed' ? before : after;
    const fields = keys.flatMap((leafKey) =>
      fieldOf(before, after, old.get(leafKey), now.get(leafKey), path),
    );
    return {
      key,
      ...titleOf(design, path),
      change,
      stepId: path[0] === 'steps' && change !== 'removed' ? path[1] : undefined,
      // The heading says the name and the kind of a part that is new or gone.
      fields: fields.filter(({ place }) => change === 'changed' || !['name', 'kind'].includes(place)),
    };
  });
}

function leavesByPath(design: Design): ReadonlyMap<string, Leaf> {
  return new Map(leavesOf(design, [], '').map((leaf) => [JSON.stringify(leaf.path), leaf]));
}

function leavesOf(value: unknown, path: readonly string[], pointer: string): Leaf[] {
  const below = (name: string, member: unknown, place: string | number) =>
    leavesOf(
      member,
      [...path, name],
      `${pointer}/${String(place).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    );
  const ids = idsOf(value);
  if (ids)
    return [
      ...(value as readonly object[]).flatMap((item, index) => below(ids[index] ?? '', item, index)),
      { path: [...path, orderName], value: ids, pointer },
    ];
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const members = Object.entries(value);
    if (members.length > 0) return members.flatMap(([name, member]) => below(name, member, name));
  }
  return [{ path, value, pointer }];
}

/** The ids of a list of records; undefined for anything else. */
function idsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const ids = value.map((item: unknown) =>
    typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string'
      ? item.id
      : undefined,
  );
  return ids.every((id) => id !== undefined) && new Set(ids).size === ids.length ? ids : undefined;
}

function differs(old: Leaf | undefined, now: Leaf | undefined): boolean {
  if ((now ?? old)?.path.at(-1) === orderName) {
    // Records that are new or gone have other leaves that say so.
    const [was, is] = [orderOf(old), orderOf(now)];
    return String(was.filter((id) => is.includes(id))) !== String(is.filter((id) => was.includes(id)));
  }
  return JSON.stringify(old?.value) !== JSON.stringify(now?.value) || !old !== !now;
}

const orderOf = (leaf: Leaf | undefined) => (leaf?.value ?? []) as readonly string[];

/** The part that a value belongs to. */
function partOf(path: readonly string[]): readonly string[] {
  const [top, ...rest] = path;
  if ((top === 'steps' || top === 'variables') && rest.length > 1) return path.slice(0, 2);
  if (top === 'hooks' && rest[1] === 'nodes' && rest.length > 3) return path.slice(0, 4);
  return [];
}

function titleOf(design: Design, path: readonly string[]): { readonly name: string; readonly about: string } {
  const [top, id = '', , node = ''] = path;
  if (top === 'steps') {
    const step = design.steps[id];
    return { name: stepName(design, id), about: step ? kindName(step.kind) : '' };
  }
  if (top === 'variables')
    return { name: design.variables?.find((one) => one.id === id)?.name ?? id, about: 'Variable' };
  if (top === 'hooks')
    return {
      name: (id === 'before' ? design.hooks?.before : design.hooks?.after)?.nodes?.[node]?.name ?? node,
      about: id === 'before' ? 'Before the call' : 'After the call',
    };
  return { name: 'The whole conversation', about: '' };
}

function fieldOf(
  before: Design,
  after: Design,
  old: Leaf | undefined,
  now: Leaf | undefined,
  part: readonly string[],
): FieldChange[] {
  const [leaf, design] = now ? [now, after] : [old, before];
  if (!leaf) return [];
  const own = leaf.path.slice(part.length);
  // The id of an option or an item says nothing that its other values do not say, nor does the title of an option that
  // is new or gone: the labels of its other values name it.
  if (own.length > 1 && own.at(-1) === 'id') return [];
  if (own[0] === 'options' && own.at(-1) === 'title' && !(old && now)) return [];
  return [
    {
      place: own.join('/'),
      label: labelOf(design, leaf, own),
      before: old && valueInWords(before, own, old.value),
      after: now && valueInWords(after, own, now.value),
    },
  ];
}

function labelOf(design: Design, { path, pointer }: Leaf, own: readonly string[]): string {
  const step = path[0] === 'steps' ? design.steps[path[1] ?? ''] : undefined;
  if (step) {
    const line = linesOf(path[1] ?? '', step).find((one) => one.pointer === pointer);
    if (line) return line.label;
    const [member, id = '', field] = own;
    if (member === 'on' && id === 'next') return 'Then';
    if (member === 'on') return `Exit “${exitWord(id)}” leads to`;
    if (member === 'options' && id === orderName) return 'Order of the options';
    if (member === 'options' && field === 'target') return `Option ${optionName(step, id)} leads to`;
    if (member === 'options' && field === 'title') return `Option ${id} is called`;
    if (member === 'destination' && id === 'value') return 'Puts through to';
  }
  return own.map((name) => (name === orderName ? 'order' : name)).join(' › ');
}

function valueInWords(design: Design, own: readonly string[], value: unknown): string {
  const leadsToStep = own[0] === 'on' || own[0] === 'entry' || own.at(-1) === 'target';
  if (typeof value === 'string') return leadsToStep ? stepName(design, value) : value;
  if (own.at(-1) === orderName) return (value as readonly string[]).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return JSON.stringify(value);
}
