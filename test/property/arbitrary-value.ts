import fc from 'fast-check';
import type * as v from 'valibot';

/** The members of valibot's schemas that the generator reads. */
interface Schema {
  readonly type: string;
  readonly pipe?: readonly Step[];
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly rest?: v.GenericSchema;
  readonly item?: v.GenericSchema;
  readonly wrapped?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
}

/** One step of a pipe: a schema, or an action with its requirement. */
interface Step {
  readonly kind: string;
  readonly type: string;
  readonly requirement?: unknown;
}

/** Generates values that a schema usually accepts. It ignores uncommon actions, so some values violate them. */
export function arbitraryOf(schema: v.GenericSchema): fc.Arbitrary<unknown> {
  const { type, entries, rest, item, wrapped, value, options = [], literal } = schema as unknown as Schema;
  const steps = stepsOf(schema);
  if (wrapped)
    return type === 'nullable' || type === 'nullish'
      ? fc.option(arbitraryOf(wrapped), { freq: 4 })
      : arbitraryOf(wrapped);
  if (entries) return objectOf(entries, rest);
  if (item) return fc.array(arbitraryOf(item), lengthsOf(steps, 4));
  switch (type) {
    case 'string':
      return textOf(steps);
    case 'number':
      return numberOf(steps);
    case 'boolean':
      return fc.boolean();
    case 'literal':
      return fc.constant(literal);
    case 'picklist':
    case 'enum':
      return fc.constantFrom(...options);
    case 'union':
    case 'variant':
      return fc.oneof(...options.map((option) => arbitraryOf(option as v.GenericSchema)));
    case 'record':
      return fc.dictionary(fc.string({ maxLength: 8 }), value ? arbitraryOf(value) : json, { maxKeys: 4 });
    case 'null':
      return fc.constant(null);
    default:
      return json;
  }
}

/** Generates JSON values, most of them small. */
export const json: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 3, depthSize: 'small' });

/** Returns the actions of a schema in the order of its pipe, including those of nested pipes. */
function stepsOf(schema: unknown): readonly Step[] {
  const { pipe = [] } = schema as Schema;
  return pipe.flatMap((step) => (step.kind === 'schema' ? stepsOf(step) : [step]));
}

function objectOf(entries: Readonly<Record<string, v.GenericSchema>>, rest?: v.GenericSchema) {
  const members = Object.entries(entries).map(([name, entry]) => [name, arbitraryOf(entry)] as const);
  const required = Object.entries(entries).filter(([, { type }]) => !/optional|nullish/.test(type));
  const known = fc.record(Object.fromEntries(members), { requiredKeys: required.map(([name]) => name) });
  if (!rest || rest.type === 'never') return known;
  const more = fc.dictionary(fc.string({ maxLength: 8 }), arbitraryOf(rest), { maxKeys: 2 });
  return fc.tuple(more, known).map(([others, own]) => ({ ...others, ...own }));
}

function requirementOf(steps: readonly Step[], type: string): unknown {
  return steps.find((step) => step.type === type)?.requirement;
}

function lengthsOf(steps: readonly Step[], usual: number): { minLength: number; maxLength: number } {
  const minLength = Number(requirementOf(steps, 'min_length') ?? requirementOf(steps, 'length') ?? 0);
  const most = Number(requirementOf(steps, 'max_length') ?? requirementOf(steps, 'length') ?? Infinity);
  return { minLength, maxLength: Math.min(most, Math.max(usual, minLength)) };
}

function textOf(steps: readonly Step[]): fc.Arbitrary<string> {
  const pattern = requirementOf(steps, 'regex');
  const { minLength, maxLength } = lengthsOf(steps, 20);
  if (pattern instanceof RegExp)
    return fc.stringMatching(pattern).map((text) => text.slice(0, maximumOf(steps) ?? 64));
  const short = fc.string({ minLength, maxLength, unit: 'grapheme' }).map((text) => text.slice(0, maxLength));
  const maximum = maximumOf(steps);
  if (maximum === undefined) return short;
  return fc.oneof(
    { weight: 5, arbitrary: short },
    { weight: 1, arbitrary: fc.constant('x'.repeat(maximum)) },
  );
}

function maximumOf(steps: readonly Step[]): number | undefined {
  const maximum = requirementOf(steps, 'max_length');
  return typeof maximum === 'number' ? maximum : undefined;
}

function numberOf(steps: readonly Step[]): fc.Arbitrary<number> {
  const min = Number(requirementOf(steps, 'min_value') ?? -1_000_000);
  const max = Number(requirementOf(steps, 'max_value') ?? 1_000_000);
  const whole = steps.some(({ type }) => type === 'integer' || type === 'safe_integer');
  return whole ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
}
