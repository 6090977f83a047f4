import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/operation/result.ts';
import { shortened, withOpenObjects } from '../../src/transports/mcp/widen-schema.ts';
import { runs, seed } from '../helpers/runs.ts';

const name = fc.constantFrom('a', 'bb');
const objectsOf = <Value>(values: fc.Arbitrary<Value>) =>
  fc.dictionary(name, values, { noNullPrototype: true });
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom(null, true, 0, 1, 2, 'a', 'bb'),
    fc.array(tie('value'), { maxLength: 3 }),
    objectsOf(tie('value')),
  ),
}));

const type = fc.constantFrom('null', 'boolean', 'integer', 'string', 'array', 'object');
const bound = fc.integer({ min: 0, max: 2 });

/**
 * Schemas with the keywords that a converted schema may have, and with those under which a wider part means a narrower
 * whole. They hold each other `depth` times.
 */
function schemasOf(depth: number): fc.Arbitrary<JsonObject> {
  const limits: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 2 })),
    enum: fc.uniqueArray(fc.constantFrom(null, 0, 1, 'a', 'bb'), { minLength: 1, maxLength: 3 }),
    const: fc.constantFrom(null, 0, 'a'),
    pattern: fc.constantFrom('^a', 'b$'),
    minimum: bound,
    maximum: bound,
    minLength: bound,
    maxLength: bound,
    minItems: bound,
    maxItems: bound,
    uniqueItems: fc.boolean(),
    propertyNames: fc.constant({ maxLength: 1 }),
    required: fc.uniqueArray(name),
    additionalProperties: fc.constant(false),
    description: fc.constant('Text.'),
    default: value,
  };
  if (depth === 0) return schemaWith(limits);
  const part = schemasOf(depth - 1);
  const parts = fc.array(part, { minLength: 1, maxLength: 2 });
  return schemaWith({
    ...limits,
    properties: objectsOf(part),
    additionalProperties: fc.oneof(limits['additionalProperties'] ?? part, part),
    items: part,
    prefixItems: parts,
    contains: part,
    anyOf: parts,
    allOf: parts,
    oneOf: parts,
    not: part,
    if: part,
    else: part,
  });
}

/** Schemas of a value or null, as they are converted, with more keywords in both places. */
const nullable = fc
  .tuple(schemasOf(1), type, schemasOf(1))
  .map(([first, only, beside]) => ({ ...beside, anyOf: [{ ...first, type: only }, { type: 'null' }] }));

/** Schemas with up to three of the keywords. */
function schemaWith(keywords: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<JsonObject> {
  const entries = Object.entries(keywords).map(([keyword, held]) => fc.tuple(fc.constant(keyword), held));
  return fc
    .uniqueArray(fc.oneof(...entries), { maxLength: 3, selector: ([keyword]) => keyword })
    .map((chosen) => Object.fromEntries(chosen));
}

describe.each([
  ['shortened', shortened],
  ['withOpenObjects', withOpenObjects],
])('%s', (_, widen) => {
  it('accepts every value that the whole schema accepts', () => {
    const ajv = new Ajv2020({ strict: false });
    let accepted = 0;
    const isWider = (whole: JsonObject, values: readonly unknown[]) => {
      const [before, after] = [ajv.compile(whole), ajv.compile(widen(whole))];
      const valid = values.filter((one) => before(one));
      accepted += valid.length;
      expect(valid.filter((one) => !after(one))).toEqual([]);
    };
    fc.assert(
      fc.property(
        fc.oneof(schemasOf(3), nullable),
        fc.array(value, { minLength: 10, maxLength: 20 }),
        isWider,
      ),
      {
        seed,
        numRuns: runs * 20,
      },
    );
    expect(accepted).toBeGreaterThan(runs * 20);
  });
});

describe('shortened', () => {
  it.each([
    [{ type: 'string' }, { type: ['string', 'null'] }],
    [
      { enum: ['a'], type: 'string' },
      { enum: ['a', null], type: ['string', 'null'] },
    ],
    [{ type: 'object', minItems: 1, required: [] }, { type: ['object', 'null'] }],
  ])('writes %j or null as one schema', (one, short) => {
    const whole = { anyOf: [one, { type: 'null' }], description: 'Text.' };
    expect(shortened(whole)).toStrictEqual({ ...short, description: 'Text.' });
  });

  it.each([
    { anyOf: [{ type: 'integer', const: 1 }, { type: 'null' }] },
    { anyOf: [{ type: 'null' }, { type: 'null' }] },
    {
      anyOf: [{ type: 'object', properties: { a: {} }, additionalProperties: false }, { type: 'null' }],
      properties: { bb: {} },
    },
  ])('leaves %j as it is, which one schema with two types would not mean', (whole) => {
    expect(shortened(whole)).toStrictEqual(whole);
  });

  it('leaves out limits, but not where that would refuse more', () => {
    const limit = { type: 'string', minLength: 1 };
    for (const keyword of ['not', 'contains', 'if']) {
      const whole = { [keyword]: limit };
      expect(shortened(whole)).toStrictEqual(whole);
    }
    expect(shortened({ oneOf: [limit] })).toStrictEqual({ oneOf: [limit] });
    expect(shortened({ items: limit })).toStrictEqual({ items: { type: 'string' } });
  });
});
