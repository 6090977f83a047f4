import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { refused } from '../helpers/design-project.ts';
import { openSessionProject, saidIn } from '../helpers/session-project.ts';
import { openSimulationProject, type SimulationProject } from '../helpers/simulation-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: SimulationProject;
let conversationId: string;

const branch = (id: string, calendarDate: object, step: string) => ({
  id,
  label: id,
  calendarDate,
  next: { step },
});

/** Says when the call began, and takes a day. */
const practice: Design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'open' },
  variables: [{ id: 'day', type: 'text' }],
  steps: {
    christmas: { kind: 'greeting', introLine: 'I am an AI assistant. Merry Christmas!', on: { next: 'day' } },
    closed: {
      kind: 'greeting',
      introLine: 'I am an AI assistant. It is {{callWeekday}} at {{callTime}}, and we are closed.',
      on: { next: 'day' },
    },
    open: {
      kind: 'greeting',
      introLine: 'I am an AI assistant. It is {{callDate}}, {{system.callTime}}. Open: {{isOpen}}.',
      on: { next: 'day' },
    },
    day: {
      kind: 'collect',
      prompt: 'Which day suits you?',
      collect: [{ id: 'i', variableId: 'day', expects: 'date', required: true }],
      on: { next: 'bye' },
    },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
  hooks: {
    before: {
      rootNodeId: 'hours',
      nodes: {
        hours: {
          id: 'hours',
          condition: {
            mode: 'logic',
            branches: [
              branch('christmas', { on: ['12-24'] }, 'christmas'),
              branch('closed', { openingHours: 'closed' }, 'closed'),
            ],
            else: { step: 'open' },
          },
        },
      },
    },
  },
};

beforeAll(async () => {
  world = await openWorld({ models: undefined });
  project = await openSimulationProject(world);
  conversationId = await project.conversationOf(practice);
});
afterAll(() => world.close());

const hours = { from: '09:00', to: '17:00' };
const workdays = {
  monday: [hours],
  tuesday: [hours],
  wednesday: [hours],
  thursday: [hours],
  friday: [hours],
};
const setTime = async (change: object) => {
  const { status } = await project.call('PATCH', `/v1/projects/${project.projectId}`, {
    openingHours: workdays,
    closedOn: [],
    ...change,
  });
  expect(status).toBe(200);
};

const greetingOf = async (input: object) => {
  const played = await project.played(conversationId, { caller: { script: [] }, ...input });
  return played.transcript[0].text.replace('I am an AI assistant. ', '');
};

describe('a simulated call begins on the clock of its project', () => {
  test.each([
    ['Europe/Berlin', '2026-12-24T22:30:00Z', 'Merry Christmas!'],
    ['Europe/Berlin', '2026-12-24T23:00:00Z', 'It is Friday at 12 AM, and we are closed.'],
    ['America/New_York', '2026-12-25T04:30:00Z', 'Merry Christmas!'],
    ['UTC', '2026-12-25T04:30:00Z', 'It is Friday at 4:30 AM, and we are closed.'],
    ['Asia/Kolkata', '2026-12-23T18:30:00+00:00', 'Merry Christmas!'],
    // At 07:30 UTC, it is 08:30 before the clocks go forward, and 09:30 on the day after.
    ['Europe/Berlin', '2026-03-27T07:30:00Z', 'It is Friday at 8:30 AM, and we are closed.'],
    ['Europe/Berlin', '2026-03-30T07:30:00Z', 'It is Monday, March 30, 9:30 AM. Open: yes.'],
    // And back: at 08:30 UTC, it is 10:30 on Friday, and 09:30 on Monday; at 15:30 UTC, it is 17:30 and 16:30.
    ['Europe/Berlin', '2026-10-23T15:30:00Z', 'It is Friday at 5:30 PM, and we are closed.'],
    ['Europe/Berlin', '2026-10-26T15:30:00Z', 'It is Monday, October 26, 4:30 PM. Open: yes.'],
    // 11 January 2027 in Berlin, still the 10th, a Sunday, in New York.
    ['America/New_York', '2027-01-11T04:30:00Z', 'It is Sunday at 11:30 PM, and we are closed.'],
  ])('in %s at %s', async (timeZone, now, greeting) => {
    await setTime({ timeZone });
    expect(await greetingOf({ now })).toBe(greeting);
  });

  test('and is closed on closed dates', async () => {
    await setTime({ timeZone: 'Europe/Berlin', closedOn: ['12-28', '2026-12-29'] });
    expect(await greetingOf({ now: '2026-12-28T10:00:00Z' })).toMatch(/^It is Monday at 11 AM/);
    expect(await greetingOf({ now: '2026-12-29T10:00:00Z' })).toMatch(/^It is Tuesday at 11 AM/);
    expect(await greetingOf({ now: '2027-12-29T10:00:00Z' })).toMatch(/Open: yes\.$/);
  });

  test('at half past nine on a Monday, while open, if nothing is said', async () => {
    await setTime({ timeZone: 'America/Los_Angeles', openingHours: { friday: [] } });
    expect(await greetingOf({})).toBe('It is Monday, March 2, 9:30 AM. Open: yes.');
  });

  test('with the date, the time and the opening that variables say', async () => {
    await setTime({ timeZone: 'Europe/Berlin' });
    expect(await greetingOf({ variables: { callDate: '2026-12-24' } })).toBe('Merry Christmas!');
    expect(await greetingOf({ variables: { callTime: '20:00' } })).toBe(
      'It is Monday at 8 PM, and we are closed.',
    );
    expect(await greetingOf({ now: '2026-03-03T10:00:00Z', variables: { isOpen: 'no' } })).toBe(
      'It is Tuesday at 11 AM, and we are closed.',
    );
    expect(await greetingOf({ variables: { callTime: '20:00', isOpen: 'yes' } })).toBe(
      'It is Monday, March 2, 8 PM. Open: yes.',
    );
  });

  test.each([
    [{ callDate: '2026-02-30' }, '/variables/callDate'],
    [{ callDate: 24 }, '/variables/callDate'],
    [{ callTime: '24:00' }, '/variables/callTime'],
    [{ isOpen: true }, '/variables/isOpen'],
    [{ callWeekday: 'monday' }, '/variables/callWeekday'],
    [{ callDate: '2026-12-24', callWeekday: 'friday' }, '/variables/callWeekday'],
  ])('and refuses %j', async (variables, path) => {
    const error = refused(await project.simulate(conversationId, { variables }), 400, 'invalid_request');
    expect(error.details.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
  });
});

test('"tomorrow" is the day after that of the caller, not after that of UTC', async () => {
  await setTime({ timeZone: 'America/New_York', openingHours: null });
  const call = { now: '2027-01-11T04:30:00Z', caller: { script: ['Tomorrow, please.'] } };
  expect((await project.played(conversationId, call)).variables).toEqual({ day: '2027-01-11' });
  await setTime({ timeZone: 'Asia/Tokyo', openingHours: null });
  expect((await project.played(conversationId, call)).variables).toEqual({ day: '2027-01-12' });
});

test('an agent sets the time over MCP, and plays a scenario at Christmas', async () => {
  const client = await world.mcp('modern http', project.key);
  const call = async (name: string, input: object) => {
    const { structuredContent } = await client.callTool({ name, arguments: { ...input } });
    return structuredContent as Record<string, unknown>;
  };
  const time = { timeZone: 'Europe/Vienna', openingHours: workdays, closedOn: ['12-26'] };
  expect(await call('update_project', time)).toMatchObject(time);
  expect(await call('get_project', {})).toMatchObject(time);
  expect(await call('get_project_overview', {})).toMatchObject({ project: { timeZone: 'Europe/Vienna' } });
  const scenario = (name: string, now: string, step: string) => ({
    name,
    now,
    caller: { script: [{ hangUp: true }] },
    expect: [{ reaches: { step } }],
  });
  const saved = await call('save_scenarios', {
    conversationId,
    scenarios: [
      scenario('Christmas', '2026-12-24T12:00:00+01:00', 'christmas'),
      scenario('Holiday', '2028-12-26T12:00:00+01:00', 'closed'),
      scenario('Workday', '2026-12-28T12:00:00+01:00', 'open'),
    ],
  });
  expect(saved).toBeDefined();
  expect(await call('run_scenarios', { conversationId })).toMatchObject({ passed: 3, failed: 0 });
  const proposed = await call('propose_scenarios', { conversationId });
  expect(proposed['missed']).toEqual([]);
});

test('proposed scenarios take each branch', async () => {
  await setTime({ timeZone: 'Pacific/Auckland' });
  const other = await project.conversationOf(practice);
  const proposed = await project.call('GET', `/v1/conversations/${other}/proposed-scenarios`);
  expect(proposed.body.missed).toEqual([]);
  const variables = proposed.body.scenarios.flatMap((one: { variables?: object }) => one.variables ?? []);
  expect(variables).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ callDate: expect.stringMatching(/-12-24$/) }),
      { isOpen: 'no' },
    ]),
  );
});

test('a session keeps the moment at which it began, whatever becomes of the hours', async () => {
  const sessions = await openSessionProject(world);
  const { design } = JSON.parse(JSON.stringify({ design: practice }));
  design.hooks.before.nodes.hours.condition.branches.shift();
  design.steps.bye.line = 'Open: {{isOpen}}.';
  const patch = (change: object) => sessions.call('PATCH', `/v1/projects/${sessions.projectId}`, change);
  await patch({ openingHours: {}, timeZone: 'Pacific/Kiritimati' });
  const visit = await sessions.visit(await sessions.agentOf(design));
  expect(saidIn(await visit.start())[0]).toMatch(
    /^I am an AI assistant\. It is \w+day at .+, and we are closed\.$/,
  );
  await patch({ openingHours: null });
  expect(saidIn(await visit.say('on 2027-02-03', 'm1'))).toEqual(['Open: no.']);
});
