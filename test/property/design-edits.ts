import fc from 'fast-check';
import type { Design } from '../../src/design/schema/design.ts';
import { isJsonObject } from '../../src/operation/json.ts';
import { designNames, rawDesign } from '../designs/real-designs.ts';

type Json = Record<string, unknown>;
type Place = readonly (string | number)[];

/** One edit of a design. `at` selects one of the places that it can change. */
interface Edit {
  readonly kind: keyof typeof editors;
  readonly at: number;
  readonly text: string;
}

const editors = {
  text: (design: Json, at: number, text: string) =>
    change(
      design,
      at,
      (value, name) => typeof value === 'string' && !fixed.has(String(name)),
      () => text,
    ),
  dropMember: (design: Json, at: number) =>
    change(
      design,
      at,
      (_, name, depth) => typeof name === 'string' && depth > 2 && !fixed.has(name),
      () => gone,
    ),
  addStep: (design: Json, _: number, text: string) => {
    (design['steps'] as Json)[text] = { kind: 'end', line: text };
  },
  changeKind: (design: Json, at: number, text: string) =>
    change(
      design,
      at,
      (_, __, depth, place) => place[0] === 'steps' && depth === 2,
      () => ({
        kind: 'message',
        text,
        on: { next: text },
      }),
    ),
  addItem: (design: Json, at: number, text: string) =>
    change(design, at, isItems, (items) => [...(items as unknown[]), { id: text, title: text }]),
  insertItem: (design: Json, at: number, text: string) =>
    change(design, at, isItems, (items) => [{ id: text, title: text }, ...(items as unknown[])]),
  removeItem: (design: Json, at: number) =>
    change(design, at, isItems, (items) => (items as unknown[]).filter((_, index) => index !== at % 3)),
  reverseItems: (design: Json, at: number) =>
    change(design, at, isItems, (items) => (items as unknown[]).toReversed()),
  addVariables: (design: Json, _: number, text: string) => {
    const variables = (design['variables'] ?? []) as unknown[];
    design['variables'] = [
      ...variables.filter((one) => (one as Json)['id'] !== text),
      { id: text, type: 'text' },
    ];
  },
} as const;

const fixed = new Set(['id', 'kind', 'source', 'schemaVersion', 'steps', 'nodes']);
const gone = Symbol('gone');

/** The small ones of the real designs, because each edit visits every place of its design. */
export const editable = designNames.filter((name) => JSON.stringify(rawDesign(name)).length < 15_000);

/** Generates a real design and `lists` lists of edits. */
export const designAndEdits = (lists: number) =>
  fc.tuple(
    fc.constantFrom(...editable).map(rawDesign),
    fc.tuple(
      ...Array.from({ length: lists }, () => fc.array(edit, { minLength: 1, maxLength: 6, size: 'max' })),
    ),
  );

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...(Object.keys(editors) as (keyof typeof editors)[])),
  at: fc.oneof({ weight: 2, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(9999) }),
  text: fc.constantFrom('new', 'other', 'constructor', '01', 'a/b~c'),
});

/** Returns a copy of the design with the edits applied. */
export function edited(design: Design, edits: readonly Edit[]): Design {
  const copy = structuredClone(design) as unknown as Json;
  for (const { kind, at, text } of edits) editors[kind](copy, at, text);
  return copy as unknown as Design;
}

type Accepts = (value: unknown, name: string | number, depth: number, place: Place) => boolean;

function change(design: Json, at: number, accepts: Accepts, make: (value: unknown) => unknown): void {
  const places = [...placesIn(design, [])].filter(({ value, place }) =>
    accepts(value, place.at(-1) ?? '', place.length, place),
  );
  const chosen = places[at % places.length];
  if (!chosen) return;
  const { parent, name, value } = chosen;
  const made = make(value);
  if (made === gone) delete (parent as Json)[name];
  else (parent as Json)[name] = made;
}

function* placesIn(
  parent: object,
  path: Place,
): Generator<{ parent: object; name: string | number; value: unknown; place: Place }> {
  const members = Array.isArray(parent) ? [...parent.entries()] : Object.entries(parent);
  for (const [name, value] of members as [string | number, unknown][]) {
    const place = [...path, name];
    yield { parent, name, value, place };
    if (typeof value === 'object' && value !== null) yield* placesIn(value, place);
  }
}

function isItems(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => isJsonObject(item) && 'id' in item)
  );
}

/**
 * Returns the fields of a design by path, at the granularity of a merge. If the items of a list have ids, the path has
 * the id instead of the index. Any other list is one field. Objects and lists are fields too, so empty ones count.
 */
export function fieldsOf(value: unknown, path = ''): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  const add = (name: string, member: unknown) => {
    for (const [place, field] of fieldsOf(member, `${path}/${name.replaceAll('/', '~1')}`))
      fields.set(place, field);
  };
  if (isItems(value)) {
    fields.set(path, 'items');
    for (const item of value as Json[]) add(String(item['id']), item);
  } else if (isJsonObject(value)) {
    fields.set(path, 'members');
    for (const [name, member] of Object.entries(value)) add(name, member);
  } else
    fields.set(path, Array.isArray(value) ? (value.length === 0 ? 'items' : JSON.stringify(value)) : value);
  return fields;
}
