import fc from 'fast-check';
import type * as v from 'valibot';
import { idsAt } from '../../src/operation/reference.ts';
import { withIdAt } from '../contract/references.ts';
import type { Input } from '../contract/rest-request.ts';
import { arbitraryOf } from './arbitrary-value.ts';
import type { Fixture, Ids } from './fixture.ts';
import { type Mutation, mutated, mutation } from './mutation.ts';

/** The source of a member: an example that succeeds, the schema, or none, which omits the member. */
type Member = { readonly from: 'example' | 'none' } | { readonly from: 'schema'; readonly value: unknown };

interface IdChoice {
  readonly place: number;
  readonly kind: 'own' | 'foreign' | 'missing' | 'wrongKind' | 'malformed';
  readonly pick: number;
  readonly text: string;
}

const malformedIds = [
  '',
  'c',
  'C',
  'cfl',
  '-',
  '0',
  'null',
  "c' or 1=1 --",
  'cfl!',
  'c'.repeat(65),
  '..',
  'é',
];

/** Generates inputs of an operation, by the tool's names. Some succeed; most have something wrong. */
export function arbitraryInput(fixture: Fixture): fc.Arbitrary<Input> {
  const entries = Object.entries(fixture.tool.input.entries) as [string, v.GenericSchema][];
  const members = Object.fromEntries(entries.map(([name, entry]) => [name, memberOf(entry)]));
  const plan = fc.record({
    example: fc.nat(fixture.inputs.length - 1),
    members: fc.oneof(
      { weight: 1, arbitrary: fc.constant({}) },
      { weight: 2, arbitrary: fc.record(members) as fc.Arbitrary<Readonly<Record<string, Member>>> },
    ),
    id: fc.option(idChoice, { freq: 2 }),
    mutations: fc.oneof(
      { weight: 1, arbitrary: fc.constant<Mutation[]>([]) },
      { weight: 1, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 2 }) },
    ),
  });
  return plan.map(({ example, members: chosen, id, mutations }) => {
    const base = fixture.inputs[example] ?? {};
    const whole = id ? withIdChoice(fixture, withMembers(base, chosen), id) : withMembers(base, chosen);
    return mutations.reduce(mutated, whole);
  });
}

function memberOf(entry: v.GenericSchema): fc.Arbitrary<Member> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant({ from: 'example' as const }) },
    { weight: 3, arbitrary: arbitraryOf(entry).map((value) => ({ from: 'schema' as const, value })) },
    { weight: 1, arbitrary: fc.constant({ from: 'none' as const }) },
  );
}

function withMembers(base: Input, chosen: Readonly<Record<string, Member>>): Input {
  const input = { ...base };
  for (const [name, member] of Object.entries(chosen))
    if (member.from === 'schema') input[name] = member.value;
    else if (member.from === 'none') delete input[name];
  return input;
}

const idChoice: fc.Arbitrary<IdChoice> = fc.record({
  place: fc.nat(9),
  kind: fc.constantFrom('own', 'own', 'foreign', 'missing', 'wrongKind', 'malformed'),
  pick: fc.nat(99),
  text: fc.oneof(fc.constantFrom(...malformedIds), fc.string({ maxLength: 12 })),
});

function withIdChoice({ ids }: Fixture, input: Input, choice: IdChoice): Input {
  const at = ids[choice.place % ids.length];
  if (!at) return input;
  const { path } = at.place.reference;
  const [name = '', ...inside] = path;
  const id = idOf(at, choice);
  if (inside.length === 0 || idsAt(input, path).length > 0) return withIdAt(input, path, id);
  // An empty or absent list has no id to replace.
  return inside.join('.') === '*' ? { ...input, [name]: [id] } : input;
}

function idOf(ids: Ids, { kind, pick, text }: IdChoice): string {
  if (kind === 'malformed') return text;
  if (kind === 'own' || kind === 'foreign') return ids[kind][pick % ids[kind].length] ?? ids.missing;
  return ids[kind];
}
