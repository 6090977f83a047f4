import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calendarWords } from '../../src/design/calendar-words.ts';
import { diagramOf } from '../../src/design/diagram/compare.ts';
import { mermaidOf } from '../../src/design/diagram/mermaid.ts';
import { type CallMoment, canBeMet, deciderOf, isAt, momentsOf } from '../../src/design/moments.ts';
import { outlineOf } from '../../src/design/outline.ts';
import { prove } from '../../src/design/proof/prove.ts';
import type { CalendarDate } from '../../src/design/schema/calendar-date.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { hookLines } from '../../src/design/summary/hooks.ts';
import { created, type DesignProject, openDesignProject } from '../helpers/design-project.ts';
import { runs, seed } from '../helpers/runs.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { problemsOf } from './problems-of.ts';

let world: World;
let project: DesignProject;
let conversationId: string;

beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  conversationId = await project.newConversation();
  await project.call('PATCH', `/v1/projects/${project.projectId}`, { openingHours: { monday: [] } });
});
afterAll(() => world.close());

type Next = { readonly step?: string; readonly hookNode?: string };

const when = (id: string, calendarDate: object, next: Next) => ({ id, label: id, calendarDate, next });
const node = (id: string, branches: readonly object[], otherwise: Next) => ({
  id,
  condition: { mode: 'logic', branches, else: otherwise },
});

/** A design whose hook decides on a step. */
const designWith = (...nodes: { readonly id: string }[]): Design => ({
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: {
      kind: 'greeting',
      introLine: 'Hello, I am the AI assistant of Sunny Dental.',
      on: { next: 'bye' },
    },
    holiday: { kind: 'end', line: 'I am an AI assistant. We are on holiday.' },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
  hooks: { before: { rootNodeId: 'a', nodes: Object.fromEntries(nodes.map((one) => [one.id, one])) } },
});

const one = (calendarDate: object) =>
  designWith(node('a', [when('x', calendarDate, { step: 'holiday' })], { step: 'hello' }));
const at = '/hooks/before/nodes/a/condition/branches/0/calendarDate';

describe('a condition that calls can meet has no problem', () => {
  test.each<[object]>([
    [{ on: ['12-24', '2026-12-31', '02-29'] }],
    [{ from: '12-20', to: '01-06' }],
    [{ from: '2026-12-20', to: '2027-01-06' }],
    [{ from: '2026-12-20' }],
    [{ to: '2026-12-20' }],
    [{ weekdays: ['saturday', 'sunday'] }],
    [{ between: ['22:00', '06:00'] }],
    [{ between: ['00:00', '24:00'] }],
    [{ openingHours: 'closed' }],
    [{ on: ['02-29'], weekdays: ['monday'] }],
    [{ on: ['12-24'], weekdays: ['thursday'], between: ['09:00', '12:00'], openingHours: 'open' }],
  ])('%j', async (calendarDate) => {
    expect(await problemsOf(project, conversationId, one(calendarDate))).toEqual([]);
  });
});

describe('a condition that no call can meet is refused', () => {
  test.each<[object, string]>([
    [{}, ''],
    [{ on: ['02-30'] }, '/on/0'],
    [{ on: ['12-24', '2026-02-29'] }, '/on/1'],
    [{ from: '04-31', to: '05-31' }, '/from'],
    [{ from: '2026-12-20', to: '2026-13-01' }, '/to'],
    [{ from: '2026-12-20', to: '2026-12-19' }, '/to'],
    [{ from: '12-20' }, '/from'],
    [{ to: '12-20' }, '/to'],
    [{ from: '12-20', to: '2026-12-31' }, '/to'],
    [{ between: ['09:00', '09:00'] }, '/between'],
    [{ between: ['24:00', '09:00'] }, '/between'],
    [{ on: ['2026-12-24'], weekdays: ['monday'] }, ''],
    [{ on: ['12-24'], from: '01-01', to: '01-31' }, ''],
    [{ on: ['12-24'], from: '2026-12-25', to: '2027-12-23' }, ''],
    [{ from: '2026-12-24', to: '2026-12-25', weekdays: ['sunday', 'monday'] }, ''],
  ])('%j', async (calendarDate, path) => {
    expect(await problemsOf(project, conversationId, one(calendarDate))).toEqual([
      `design_invalid ${at}${path}`,
    ]);
  });

  test('with the reason in words', async () => {
    const [problem] = await project.problems(
      conversationId,
      one({ on: ['2026-12-24'], weekdays: ['monday'] }),
    );
    expect(problem?.message).toBe('No day of the years 2000 to 2099 is on 24 December 2026, Monday.');
  });
});

test.each<[object, string]>([
  [{ on: ['24.12.'] }, '/on/0'],
  [{ on: [] }, '/on'],
  [{ from: '1999-12-31' }, '/from'],
  [{ weekdays: ['Monday'] }, '/weekdays/0'],
  [{ between: ['09:00'] }, '/between'],
  [{ between: ['9:00', '10:00'] }, '/between/0'],
  [{ openingHours: 'maybe' }, '/openingHours'],
  [{ date: '12-24' }, '/date'],
])('%j does not match the schema', async (calendarDate, path) => {
  const problems = await project.problems(conversationId, one(calendarDate));
  expect(problems.map(({ code, path: where }) => `${code} ${where}`)).toEqual([
    `invalid_request ${at}${path}`,
  ]);
});

test('a branch has either a predicate or a calendarDate', async () => {
  const predicate = { variable: { systemVariable: 'callerPhone' }, operator: 'exists' };
  const both = { ...when('x', { on: ['12-24'] }, { step: 'bye' }), predicate };
  const { calendarDate: _, ...neither } = when('x', {}, { step: 'bye' });
  const pathsOf = async (branch: object) => {
    const problems = await project.problems(conversationId, designWith(node('a', [branch], {})));
    return problems.flatMap(({ code, path }) => (code === 'invalid_request' ? [path] : []));
  };
  const branch = '/hooks/before/nodes/a/condition/branches/0';
  expect(await pathsOf(both)).toEqual([`${branch}/predicate`]);
  expect(await pathsOf(neither)).toEqual([`${branch}/predicate`]);
});

test('warns about a branch that an earlier one hides', async () => {
  const branches = [
    when('december', { from: '12-01', to: '12-31' }, { step: 'holiday' }),
    when('rest', { from: '01-01', to: '11-30' }, { step: 'hello' }),
    when('christmas', { on: ['12-24'] }, { step: 'bye' }),
  ];
  expect(
    await problemsOf(project, conversationId, designWith(node('a', branches, { step: 'hello' }))),
  ).toEqual(['warning /hooks/before/nodes/a/condition/branches/2/calendarDate']);
});

test('warns about a place that only calls of two moments would reach', async () => {
  const design = designWith(
    node('a', [when('christmas', { on: ['12-24'] }, { hookNode: 'b' })], { step: 'hello' }),
    node('b', [when('summer', { from: '06-01', to: '08-31' }, { step: 'holiday' })], { step: 'bye' }),
  );
  expect(await problemsOf(project, conversationId, design)).toEqual(['warning /steps/holiday']);
});

test('warns about opening hours that the project does not have', async () => {
  const other = await openDesignProject(world);
  const id = await other.newConversation();
  const design = one({ openingHours: 'closed' });
  expect(await problemsOf(other, id, design)).toEqual([`warning ${at}/openingHours`]);
  await other.call('PATCH', `/v1/projects/${other.projectId}`, { closedOn: ['12-25'] });
  expect(await problemsOf(other, id, design)).toEqual([]);
});

test('proves what holds because the moment of a call never changes, and tells when a call breaks it', async () => {
  const design = designWith(
    node('a', [when('open', { openingHours: 'open' }, { hookNode: 'b' })], { hookNode: 'c' }),
    node('b', [when('closed', { openingHours: 'closed' }, { step: 'holiday' })], { step: 'hello' }),
    node('c', [when('night', { between: ['22:00', '06:00'] }, { step: 'hello' })], { step: 'hello' }),
  );
  const properties = [
    { property: 'alwaysBefore', always: { hookNode: 'c' }, before: { step: 'holiday' } },
    { property: 'alwaysBefore', always: { hookNode: 'c' }, before: { step: 'hello' } },
    { property: 'neverAfter', never: { step: 'hello' }, after: { hookNode: 'c' } },
  ] as const;
  const [vacuous, open, closed] = prove(design, properties);
  expect(vacuous).toMatchObject({ holds: true, message: 'Holds, because no call reaches `before`.' });
  expect(open?.call?.slice(0, 2)).toEqual([
    'The call begins on 2 March 2026, a Monday, at 09:30, while open.',
    'before the call: a, by "open" (while open)',
  ]);
  expect(closed?.call?.[0]).toBe('The call begins on 2 March 2026, a Monday, at 09:30, while closed.');
  const { version } = created(await project.write(conversationId, design));
  const proof = await project.call('POST', `/v1/conversations/${conversationId}/designs/prove`, {
    version,
    properties,
  });
  const [{ proofs }] = proof.body.versions;
  expect(proofs.map(({ holds }: { holds: boolean }) => holds)).toEqual([true, false, false]);
});

test('the outline, the drawing and the summary say in words when a branch is taken', () => {
  const before = one({ on: ['12-24'] });
  const now = one({ on: ['12-24', '2026-12-31'], openingHours: 'closed' });
  expect(outlineOf(before).hooks.before[0]?.calendar).toEqual({ x: 'on 24 December' });
  expect(mermaidOf(diagramOf(before))).toContain('|"x#58; on 24 December"|');
  expect(hookLines(before, now)).toEqual([
    'branch `x` of hook node `a` is taken on 24 December or 31 December 2026, while closed instead of on 24 December',
  ]);
  expect(hookLines(before, before)).toEqual([]);
});

test.each<[CalendarDate, string]>([
  [{ weekdays: ['monday', 'tuesday', 'wednesday'] }, 'Monday to Wednesday'],
  [{ weekdays: ['sunday', 'saturday'] }, 'Saturday or Sunday'],
  [{ weekdays: ['monday', 'wednesday', 'friday'] }, 'Monday, Wednesday or Friday'],
  [{ from: '12-20', to: '01-06' }, 'from 20 December to 6 January'],
  [{ to: '2026-12-20', between: ['22:00', '06:00'] }, 'until 20 December 2026, from 22:00 to 06:00'],
  [
    { on: ['01-01', '01-02', '01-03', '01-04', '01-05', '01-06'] },
    'on 1 January, 2 January, 3 January, 4 January and 2 more dates',
  ],
])('%j is %s', (condition, words) => {
  expect(calendarWords(condition)).toBe(words);
});

/** Decides a condition on the parts of a date, with the calendar of the language. */
function holdsByParts(condition: CalendarDate, { date, time, isOpen }: CallMoment): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  const [month, ofMonth] = [day.getUTCMonth() + 1, day.getUTCDate()];
  const isSame = (written: string) => {
    const parts = written.split('-').map(Number);
    const [m, d] = parts.slice(-2);
    return m === month && d === ofMonth && (parts.length === 2 || parts[0] === day.getUTCFullYear());
  };
  const { on, from, to, weekdays, between, openingHours } = condition;
  if (on && !on.some(isSame)) return false;
  if (from !== undefined && to !== undefined && from.length === 5) {
    // Counts from the first day until the last one comes.
    const leap = (written: string) => Date.parse(`2000-${written}T00:00:00Z`);
    const whole = 366 * 86_400_000;
    const passed = (leap(date.slice(5)) - leap(from) + whole) % whole;
    if (passed > (leap(to) - leap(from) + whole) % whole) return false;
  } else {
    if (from !== undefined && day < new Date(`${from}T00:00:00Z`)) return false;
    if (to !== undefined && day > new Date(`${to}T00:00:00Z`)) return false;
  }
  const name = day.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toLowerCase();
  if (weekdays && !weekdays.some((weekday) => weekday === name)) return false;
  if (between) {
    const minutes = (clock = '') => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
    const length = (minutes(between[1]) - minutes(between[0]) + 1440) % 1440 || 1440;
    if ((minutes(time) - minutes(between[0]) + 1440) % 1440 >= length) return false;
  }
  return openingHours === undefined || openingHours === (isOpen ? 'open' : 'closed');
}

const anyDay = fc.constantFrom('01-01', '01-06', '02-28', '02-29', '03-01', '07-04', '12-24', '12-31');
const anyYear = fc.integer({ min: 2023, max: 2030 });
const anyDate = fc
  .tuple(anyYear, anyDay)
  .map(([year, day]) => `${year}-${day}`)
  .filter((date) => new Date(`${date}T00:00:00Z`).toISOString().startsWith(date));
const anyTime = fc.constantFrom('00:00', '05:59', '06:00', '09:30', '12:00', '22:00', '23:59');
const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const anyCondition: fc.Arbitrary<CalendarDate> = fc
  .record(
    {
      on: fc.array(fc.oneof(anyDay, anyDate), { minLength: 1, maxLength: 3 }),
      range: fc.oneof(
        fc.record({ from: anyDay, to: anyDay }),
        fc.record({ from: anyDate }),
        fc.record({ to: anyDate }),
      ),
      weekdays: fc.subarray([...weekdayNames], { minLength: 1 }),
      between: fc.tuple(anyTime, anyTime).filter(([from, to]) => from !== to),
      openingHours: fc.constantFrom('open', 'closed'),
    },
    { requiredKeys: [] },
  )
  .map(({ range, ...condition }) => ({ ...condition, ...range }));
const anyMoment = fc.record({ date: anyDate, time: anyTime, isOpen: fc.boolean() });

test('a condition agrees with the parts of a date, and is met at one of its moments if it is met at all', () => {
  let met = 0;
  fc.assert(
    fc.property(fc.array(anyCondition, { minLength: 1, maxLength: 4 }), anyMoment, (conditions, moment) => {
      const holding = (at: CallMoment) => conditions.map((condition) => holdsByParts(condition, at));
      expect(conditions.map((condition) => isAt(condition, moment))).toEqual(holding(moment));
      const { moments, isComplete } = momentsOf(conditions.map(deciderOf), 512);
      expect(isComplete).toBe(true);
      // Each way in which the conditions hold together has one moment.
      const ways = moments.map((one) => holding(one).join());
      expect(new Set(ways).size).toBe(ways.length);
      expect(ways).toContain(holding(moment).join());
      const canMeet = conditions.map((_, index) => moments.some((one) => holding(one)[index]));
      expect(conditions.map((condition) => canBeMet(deciderOf(condition)))).toEqual(canMeet);
      met += canMeet.filter(Boolean).length;
    }),
    { seed, numRuns: 3 * runs },
  );
  expect(met).toBeGreaterThan(3 * runs);
});
