import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { e164Problem, loadNumberingPlans } from '../../src/resources/phone-numbers/e164.ts';
import { openNumberProject } from '../helpers/number-project.ts';
import { runs, seed } from '../helpers/runs.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  await loadNumberingPlans();
  world = await openWorld();
});
afterAll(() => world.close());

const realNumbers = getCountries().flatMap(
  (country) => getExampleNumber(country, examples)?.number.toString() ?? [],
);

/** True if libphonenumber accepts the text as E.164, according to its largest table. */
function isE164(text: string): boolean {
  const parsed = parsePhoneNumberFromString(text);
  return parsed?.isPossible() === true && parsed.number === text && text.length <= 16;
}

const real = fc.constantFrom(...realNumbers);
/** Real numbers with some digits changed, added or removed. */
const near = fc
  .tuple(real, fc.nat(15), fc.stringMatching(/^\d{0,6}$/), fc.nat(3))
  .map(([number, at, digits, dropped]) => number.slice(0, at + 1) + digits + number.slice(at + 1 + dropped));
const anyDigits = fc.stringMatching(/^\+?\d{0,20}$/);
const strange = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '',
    '+',
    '+ 1',
    'tel:+12025550123',
    '+１２０２５５５０１２３',
    '+1202555012\u0000',
    '\uD800',
  ),
);
const number = fc.oneof({ weight: 2, arbitrary: real }, { weight: 4, arbitrary: near }, anyDigits, strange);

/** Ways to write a number that are not E.164. */
const written = fc.constantFrom<(text: string) => string>(
  (text) => text.slice(1),
  (text) => `00${text.slice(1)}`,
  (text) => ` ${text}`,
  (text) => `${text} `,
  (text) => `${text}\n`,
  (text) => `${text.slice(0, 4)} ${text.slice(4)}`,
  (text) => `${text.slice(0, 4)}-${text.slice(4)}`,
  (text) => `${text};ext=5`,
  (text) => `tel:${text}`,
  (text) => `${text.slice(0, 3)}\u202D${text.slice(3)}`,
);

test('a number is accepted exactly where the library says that it is E.164', () => {
  const seen = { accepted: 0, refused: 0 };
  const property = fc.property(number, (text) => {
    const accepted = e164Problem(text) === undefined;
    seen[accepted ? 'accepted' : 'refused']++;
    expect(accepted).toBe(isE164(text));
    if (accepted) expect(text).toMatch(/^\+[1-9]\d{1,14}$/);
  });
  fc.assert(property, { seed, numRuns: runs * 10 });
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(runs);
});

test('the same number written otherwise is refused, and its right form shown where there is a + in it', () => {
  const property = fc.property(real, written, (text, write) => {
    const problem = e164Problem(write(text));
    expect(problem).toMatch(/^Expected E\.164/);
    if (problem?.startsWith('Expected E.164, which')) expect(problem).toContain(` ${text} `);
  });
  fc.assert(property, { seed, numRuns: runs });
  expect(e164Problem('+44 20 7946 0000')).toBe('Expected E.164, which is +442079460000 here.');
  expect(e164Problem('+4402079460000')).toBe('Expected E.164, which is +442079460000 here.');
});

test('over REST each is stored as it was sent or refused as a wrong number, and none is a failure of ours', async () => {
  const project = await openNumberProject(world);
  const given = new Set(fc.sample(number, { seed, numRuns: Math.min(runs, 100) }));
  const stored: string[] = [];
  for (const text of given) {
    const { status, body } = await project.importNumber({ number: text });
    if (status === 201) stored.push(body.number);
    else
      expect({ status, path: body.error.details.issues[0].path }).toEqual({ status: 400, path: '/number' });
  }
  expect(stored).toEqual([...given].filter(isE164));
  expect(stored.length).toBeGreaterThan(10);
});
