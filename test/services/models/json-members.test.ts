import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editMembers } from '../../../src/services/models/json-members.ts';

const edited = (text: string, edits: [string, string | null][]) =>
  editMembers(Buffer.from(text), new Map(edits)).toString();

/** Names that JSON has to escape are constants, because JSON.parse of V8 13.6 confuses some of them with each other. */
const name = fc.oneof(
  fc.constantFrom('model', 'tier', 'a', '"x', 'x\\', '', '{', '\u2028'),
  fc.string().filter((text) => JSON.stringify(text).length === text.length + 2),
);
const value = fc.dictionary(name, fc.oneof(fc.string(), fc.double(), fc.array(fc.string())));
const members = fc.array(fc.tuple(name, value), { maxLength: 8 });
const space = fc.constantFrom('', ' ', '\n\t', '\r\n  ');

/** A JSON text with all the members of the list, repeated ones included. */
const jsonText = fc.tuple(members, space).map(([list, gap]) => {
  const written = list.map(
    ([key, one]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${JSON.stringify(one, null, gap)}`,
  );
  return `${gap}{${written.join(`${gap},`)}${gap}}${gap}`;
});

test('an edited text parses to the original members with the edits', () => {
  fc.assert(
    fc.property(jsonText, fc.array(fc.tuple(name, fc.option(value)), { maxLength: 4 }), (text, edits) => {
      const wanted = new Map(Object.entries(JSON.parse(text) as object));
      for (const [key, one] of new Map(edits)) {
        if (one === null) wanted.delete(key);
        else wanted.set(key, JSON.parse(JSON.stringify(one)));
      }
      const result = edited(
        text,
        edits.map(([key, one]) => [key, one === null ? null : JSON.stringify(one)]),
      );
      expect(JSON.parse(result)).toStrictEqual(Object.fromEntries(wanted));
    }),
    { numRuns: 2_000 },
  );
});

test('the members that are not edited keep their bytes', () => {
  expect(edited('{ "a" : 1.0,"tier":"x" , "b":"\\u00e9\\\\" }', [['tier', null]])).toBe(
    '{"a" : 1.0,"b":"\\u00e9\\\\"}',
  );
  expect(edited('{"a":1e2, "b":[ {"tier":1} ]}', [['tier', null]])).toBe('{"a":1e2, "b":[ {"tier":1} ]}');
  expect(edited('{"tier":1}', [['tier', null]])).toBe('{}');
  expect(edited('{}', [['model', '"x"']])).toBe('{"model":"x"}');
});

test('a text of many megabytes keeps its other members', () => {
  const nested = `[${'{"a":[1,2,"\\""]},'.repeat(700_000)}0]`;
  const strings = `"${'\\\\\\"'.repeat(3_000_000)}"`;
  for (const long of [nested, strings]) {
    const result = edited(`{"messages":${long},"tier":1}`, [['tier', null]]);
    expect(result === `{"messages":${long}}`).toBe(true);
  }
});
