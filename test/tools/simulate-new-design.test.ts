import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { practice } from '../helpers/calendar-project.ts';
import { type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
});
afterAll(() => world.close());

const post = (body: object) =>
  world.rest('POST', `/v1/projects/${project.projectId}/simulations`, { key: project.key, body });
const expectation = { says: { text: 'AI assistant', step: starterDesign.entry.stepId } };

test('plays a design without a conversation, as simulate_conversation does over MCP, and stores nothing', async () => {
  const call = { design: starterDesign, caller: { script: [{ hangUp: true }] }, expect: [expectation] };
  const { status, body } = await post(call);
  expect([status, body.version, body.ended.reason, body.expectations[0].holds]).toEqual([
    200,
    null,
    'hungUp',
    true,
  ]);
  const client = await world.mcp('modern http', project.key);
  const { structuredContent } = await client.callTool({ name: 'simulate_conversation', arguments: call });
  expect(structuredContent).toMatchObject({ ended: body.ended, transcript: body.transcript });
  const [counted] = await world.rows('select count(*) from conversations');
  expect(counted).toEqual({ count: '0' });
});

test('goes on from the state of a call through the same design only', async () => {
  const design = practice();
  const first = await post({ design });
  const more = { state: first.body.state, caller: { script: ['Ana Silva'] } };
  const next = await post({ design, ...more });
  expect(next.body.variables).toMatchObject({ name: 'Ana Silva' });
  refused(await post({ design: starterDesign, ...more }), 400, 'invalid_request');
});

test('finds a text at its step only, and names what an expectation cannot have', async () => {
  const { stepId } = starterDesign.entry;
  const at = (step: string) => ({ design: starterDesign, expect: [{ says: { text: 'AI', step } }] });
  expect((await post(at(stepId))).body.expectations[0]).toMatchObject({ holds: true });
  const { details } = refused(await post(at('nowhere')), 400, 'invalid_request');
  expect(details.issues).toMatchObject([{ path: '/expect/0/says/step' }]);
  const never = await post({
    design: starterDesign,
    expect: [{ neverSays: { text: 'AI', step: stepId } }],
  });
  expect(never.body.expectations[0]).toMatchObject({ holds: false });
});

test('finds to which number a call was put through', async () => {
  const design = {
    ...starterDesign,
    entry: { stepId: 'greeting' },
    steps: {
      greeting: { ...starterDesign.steps['greeting'], on: { next: 'toDesk' } },
      toDesk: { kind: 'transfer', destination: { kind: 'phoneNumber', value: '+12025550143' } },
    },
  };
  const play = (to: string, transfers = 'succeed') =>
    post({ design, mocks: { transfers }, expect: [{ ends: { reason: 'transferred', to } }] });
  const held = async (...call: Parameters<typeof play>) => (await play(...call)).body.expectations[0];
  expect(await held('+12025550143')).toMatchObject({ holds: true });
  expect(await held('+12025550144')).toMatchObject({
    holds: false,
    found: 'ended: transferred, at toDesk, put through to +12025550143',
  });
  expect(await held('+12025550143', 'fail')).toMatchObject({ holds: false });
});

test.each([
  ['a use', { book: ['2026-03-05T09:00'] }],
  ['a calendar', { diary: ['2026-03-05T09:00:00'] }],
  ['a calendar, with an offset', { diary: ['2026-03-05T11:00:00+02:00'] }],
])('takes free times of %s', async (_what, calendars) => {
  const { body } = await post({
    design: practice(),
    now: '2026-03-02T09:30:00Z',
    caller: { script: ['My name is Ana Silva, on Thursday at 9 in the morning please.'] },
    mocks: { calendars },
  });
  expect(body.variables).toMatchObject({ appointment: '2026-03-05T09:00', outcome: 'booked' });
});

test('has nothing free at a time that does not exist, and knows no other names of calendars', async () => {
  const played = await post({
    design: practice(),
    caller: { script: ['My name is Ana Silva, tomorrow at 9 in the morning please.'] },
    mocks: { calendars: { diary: ['2026-99-99T09:00:00Z'] } },
  });
  expect(played.body.variables['outcome']).not.toBe('booked');
  const unknown = await post({ design: practice(), mocks: { calendars: { dairy: 'free' } } });
  expect(refused(unknown, 400, 'invalid_request').details.issues[0].message).toContain(
    'Did you mean "diary"?',
  );
});

test('a conversation from a design with a gap waits as a draft, which names the gap', async () => {
  const { greeting } = starterDesign.steps;
  const line = `${greeting?.kind === 'greeting' ? greeting.introLine : ''} Call [[number of the doctor]].`;
  const design = {
    ...starterDesign,
    steps: { ...starterDesign.steps, greeting: { ...greeting, introLine: line } },
  };
  const made = await world.rest('POST', `/v1/projects/${project.projectId}/conversations`, {
    key: project.key,
    body: { name: 'Emergency check', design },
  });
  expect([made.status, made.body.activeVersion, made.body.version]).toEqual([201, 1, 2]);
  expect(JSON.stringify(made.body.warnings)).toContain(
    'This text still has the gap [[number of the doctor]].',
  );
  const live = await world.rest('POST', `/v1/conversations/${made.body.id}/versions/2/activate`, {
    key: project.key,
    body: {},
  });
  expect(refused(live, 422, 'design_invalid').message).toContain('the gap [[number of the doctor]]');
});
