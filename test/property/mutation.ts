import fc from 'fast-check';
import { isJsonObject } from '../../src/operation/json.ts';
import type { Input } from '../contract/rest-request.ts';
import { json } from './arbitrary-value.ts';

type Path = readonly (string | number)[];

/** One change of an input. `at` selects one of the places that it can change. */
export interface Mutation {
  readonly kind: keyof typeof mutators;
  readonly at: number;
  readonly name: string;
  readonly value: unknown;
}

const deepest = 70;
const numbers = [Infinity, -Infinity, 2 ** 53, -(2 ** 53), 1e308, 1.5, -1, 0];

/** Each returns the new value for a place; `undefined` removes it. */
const mutators = {
  drop: () => undefined,
  retype: (_: unknown, { value }: Mutation) => value,
  unknownMember: (at: unknown, { name, value }: Mutation) => withMember(at, name, value),
  prototype: (at: unknown, { value }: Mutation) => withMember(at, '__proto__', value),
  nulInName: (at: unknown, { name, value }: Mutation) => withMember(at, `${name}\0`, value),
  surrogateInName: (at: unknown, { name, value }: Mutation) => withMember(at, `\uDC00${name}`, value),
  nul: (at: unknown) => `${textOf(at)}\0`,
  surrogate: (at: unknown) => `\uD800${textOf(at)}`,
  long: () => 'y'.repeat(10_001),
  huge: () => 'z'.repeat(300_000),
  deep: () => nested(deepest),
  number: (_: unknown, { at }: Mutation) => numbers[at % numbers.length],
} as const;

const weights: Record<keyof typeof mutators, number> = {
  drop: 6,
  retype: 8,
  unknownMember: 6,
  prototype: 3,
  nulInName: 2,
  surrogateInName: 2,
  nul: 4,
  surrogate: 4,
  long: 3,
  huge: 1,
  deep: 2,
  number: 3,
};

const names = [
  'surplus',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  'a/b',
  'm~n',
  '~1',
  'id',
  'projectId',
  'limit',
];
const values = [null, 7, -1, 1.5, true, false, '', 'x', [], {}, [[]], [null], { id: 1 }, '0', 'null'];

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.oneof(
    ...Object.entries(weights).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as keyof typeof mutators),
    })),
  ),
  at: fc.nat(999),
  name: fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 })),
  value: fc.oneof(fc.constantFrom(...values), json),
});

/** Returns a copy of the input with one change. */
export function mutated(input: Input, mutation: Mutation): Input {
  const places = placesIn(input, []).filter((path) => path.length > 0 || addsMember(mutation));
  const place = places[mutation.at % places.length];
  if (!place) return input;
  return replacedAt(input, place, (at) => mutators[mutation.kind](at, mutation)) as Input;
}

function addsMember({ kind }: Mutation): boolean {
  return kind === 'prototype' || kind === 'unknownMember' || kind.endsWith('InName');
}

function placesIn(value: unknown, path: Path): Path[] {
  const inside = Array.isArray(value)
    ? [...value.entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return [path, ...inside.flatMap(([step, member]) => placesIn(member, [...path, step]))];
}

/** Replaces a value; `undefined` removes it. Entries keep a member called `__proto__`, unlike an assignment. */
function replacedAt(value: unknown, [step, ...rest]: Path, make: (at: unknown) => unknown): unknown {
  if (step === undefined) return make(value);
  if (Array.isArray(value))
    return value
      .map((item: unknown, index) => (index === step ? replacedAt(item, rest, make) : item))
      .filter((item) => item !== undefined);
  const entries = Object.entries(value as Input).map(
    ([name, member]) => [name, name === step ? replacedAt(member, rest, make) : member] as const,
  );
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

function withMember(at: unknown, name: string, member: unknown): unknown {
  const members = isJsonObject(at) ? Object.entries(at) : [];
  return Object.fromEntries([...members, [name, member]]);
}

function textOf(at: unknown): string {
  return typeof at === 'string' ? at : '';
}

function nested(levels: number): unknown {
  return levels === 0 ? 'bottom' : levels % 2 ? [nested(levels - 1)] : { a: nested(levels - 1) };
}
