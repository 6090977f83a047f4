import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refused } from '../helpers/design-project.ts';
import { openSimulationProject, type SimulationProject, shop } from '../helpers/simulation-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: SimulationProject;
let conversationId: string;
beforeAll(async () => {
  world = await openWorld({ models: undefined });
  project = await openSimulationProject(world);
  conversationId = await project.conversationOf(shop);
});
afterAll(() => world.close());

const order = { lookup: { status: 200, body: { state: 'on its way' } } };

test('plays a scripted call and returns what was said, the path, the requests and the coverage', async () => {
  const played = await project.played(conversationId, {
    caller: { script: ['I want to book a table', '2026-05-04, +1 202 555 0144'] },
    mocks: { nodes: { ...order, log: { status: 204 } } },
  });
  expect(played).toMatchObject({
    version: 1,
    ended: { reason: 'completed', step: 'bye' },
    path: [
      { hookNode: 'lookup', exit: 'next' },
      { step: 'hello', exit: 'next' },
      { step: 'menu', exit: 'book' },
      { step: 'ask', exit: 'next' },
      { step: 'bye', exit: null },
      { hookNode: 'log', exit: 'end' },
    ],
    variables: { orderState: 'on its way', day: '2026-05-04', callback: '+12025550144' },
    notes: [],
    coverage: { steps: { seen: 4, all: 6, missed: ['answer', 'connect'] }, nodes: { seen: 2, all: 2 } },
    model: { calls: 0, tokens: 0 },
    deterministic: true,
    state: null,
  });
  expect(played.transcript[0]).toEqual({
    who: 'agent',
    text: 'Hello, I am an AI assistant. Your order is on its way.',
    step: 'hello',
  });
  expect(played.transcript[2]).toEqual({
    who: 'caller',
    text: 'I want to book a table',
    step: 'menu',
    understood: { option: 'book' },
    understoodBy: 'rule',
  });
});

test('shows each request as it would be sent, with the name of a secret instead of its value', async () => {
  const played = await project.played(conversationId, {
    caller: { script: ['A person'] },
    mocks: { nodes: { ...order, log: { status: 500 } }, transfers: 'fail' },
    variables: { callerPhone: '+12025550199', day: 'Monday' },
  });
  expect(played.requests).toMatchObject([
    {
      node: 'lookup',
      method: 'GET',
      url: 'https://shop.example/orders?phone=%2B12025550199',
      headers: { authorization: 'Bearer {{secret.SHOP_KEY}}' },
      result: 'mocked',
    },
    { node: 'log', method: 'POST', body: { day: 'Monday', seconds: 8 }, result: 'mocked' },
  ]);
  expect(JSON.stringify(played)).not.toContain('the key of the shop');
  expect(played.path).toContainEqual({
    step: 'connect',
    exit: 'failed',
    why: expect.stringMatching(/^the transfer to \+\d+ failed$/),
  });
  expect(played.notes).toEqual([
    'transfer at connect failed: nobody answers in this simulation',
    'webhook at log failed: status 500',
  ]);
});

test('counts a request without a mock as failed, says so, and sends nothing', async () => {
  const played = await project.played(conversationId);
  expect(played.requests).toMatchObject([{ node: 'lookup', result: 'unmocked' }]);
  expect(played.notes).toEqual(['request at lookup failed: it has no mock, so nothing was sent']);
  expect(played.variables).toEqual({ orderState: 'unknown' });
});

test('checks expectations', async () => {
  const expectations = [
    { reaches: { step: 'ask' } },
    { neverReaches: { step: 'connect' } },
    { says: 'goodbye' },
    { ends: { reason: 'transferred' } },
    { neverReaches: { step: 'menu' } },
  ];
  const played = await project.played(conversationId, {
    caller: { script: [{ text: 'That one.', understood: { option: 'book' } }, { hangUp: true }] },
    mocks: { nodes: order },
    expect: expectations,
    repeat: 3,
  });
  expect(played.expectations.map(({ holds }: { holds: boolean }) => holds)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  const places = played.expectations.map(({ decidedAt }: { decidedAt?: object }) => decidedAt);
  expect(places).toEqual([undefined, undefined, { step: 'ask' }, { step: 'ask' }, { step: 'menu' }]);
  expect(played.runs).toEqual({ played: 3, held: 0 });
  expect(played.transcript[2]).toMatchObject({ understood: { option: 'book' }, understoodBy: 'script' });
});

test('quotes the passages that are mocked for a knowledge base', async () => {
  const played = await project.played(conversationId, {
    caller: { script: ['I have a question: when are your opening hours?'] },
    mocks: { nodes: order, knowledge: { faq: ['Our opening hours are 9 to 17.'] } },
  });
  expect(played.transcript.at(-2)).toMatchObject({ text: 'Our opening hours are 9 to 17.', step: 'answer' });
});

describe('plays what is not stored', () => {
  test('an edit of a version', async () => {
    const merge = { steps: { bye: { line: 'See you.' } } };
    const played = await project.played(conversationId, {
      version: 1,
      merge,
      caller: { script: ['A person'] },
      mocks: { nodes: order, transfers: 'fail' },
    });
    expect(played).toMatchObject({ version: 1, ended: { reason: 'completed' } });
    expect(played.transcript.at(-1).text).toBe('See you.');
    expect(await project.versions(conversationId)).toHaveLength(1);
  });

  test('a whole design', async () => {
    const design = { ...shop, hooks: {}, entry: { stepId: 'bye' } };
    const played = await project.played(conversationId, { design });
    expect(played).toMatchObject({ version: null, ended: { reason: 'completed' }, path: [{ step: 'bye' }] });
  });

  test('but no edit that leaves no valid design', async () => {
    const answer = await project.simulate(conversationId, { merge: { steps: { bye: { kind: 'song' } } } });
    expect(refused(answer, 400, 'invalid_request').details.issues[0].path).toBe('/merge/steps/bye/kind');
  });
});

describe('one turn at a time', () => {
  const mocks = { nodes: { ...order, log: { status: 200 } } };
  const next = (state: string, text: string, more: object = {}) => ({
    state,
    caller: { script: [text] },
    mocks,
    ...more,
  });

  test('goes on from a state as if the script had been longer, and back to an earlier one', async () => {
    const script = ['Book a table', '2026-05-04', '+1 202 555 0144'];
    const whole = await project.played(conversationId, { caller: { script }, mocks });
    const transcript = [];
    let { state, ...first } = await project.played(conversationId, { mocks });
    transcript.push(...first.transcript);
    const states = [state];
    for (const text of script) {
      const turn = await project.played(conversationId, next(state, text));
      transcript.push(...turn.transcript);
      ({ state } = turn);
      states.push(state);
    }
    expect(transcript).toEqual(whole.transcript);
    expect(states.at(-1)).toBeNull();
    const back = await project.played(conversationId, next(states[0], 'A person'));
    expect(back.ended).toEqual({ reason: 'transferred', step: 'connect' });
  });

  test('refuses a state that was changed, or comes from another conversation, project or design', async () => {
    const { state } = await project.played(conversationId, { mocks });
    const [content, signature] = state.split('.');
    const swapped = content.startsWith('A') ? `B${content.slice(1)}` : `A${content.slice(1)}`;
    const isRefused = async (where: string, body: object, by = project) => {
      const error = refused(await by.simulate(where, body), 400, 'invalid_request');
      expect(error.details.issues).toMatchObject([{ path: '/state' }]);
    };
    await isRefused(conversationId, next(`${swapped}.${signature}`, 'Yes'));
    await isRefused(conversationId, next(content, 'Yes'));
    await isRefused(conversationId, next('', 'Yes'));
    await isRefused(await project.conversationOf(shop), next(state, 'Yes'));
    await isRefused(conversationId, next(state, 'Yes', { merge: { steps: { bye: { line: 'Bye.' } } } }));
    const other = await openSimulationProject(world);
    await isRefused(await other.conversationOf(shop), next(state, 'Yes'), other);
  });

  test('refuses what belongs to the start of a call next to a state', async () => {
    const { state } = await project.played(conversationId, { mocks });
    const answer = await project.simulate(
      conversationId,
      next(state, 'Yes', { channel: 'web', variables: {} }),
    );
    const { issues } = refused(answer, 400, 'invalid_request').details;
    expect(issues.map(({ path }: { path: string }) => path)).toEqual(['/variables', '/channel']);
  });
});

test.each<[string, object, string, string]>([
  ['a hook node', { mocks: { nodes: { lokup: { status: 200 } } } }, '/mocks/nodes/lokup', '"lookup"'],
  ['a knowledge', { mocks: { knowledge: { fag: [] } } }, '/mocks/knowledge/fag', '"faq"'],
  ['an expected step', { expect: [{ reaches: { step: 'conect' } }] }, '/expect/0/reaches/step', '"connect"'],
  ['a transfer', { mocks: { transfers: { conect: 'fail' } } }, '/mocks/transfers/conect', '"connect"'],
  ['a variable', { variables: { callbak: 'x' } }, '/variables/callbak', '"callback"'],
])('refuses %s that the design does not have, and names the nearest', async (_, body, path, nearest) => {
  const { issues } = refused(await project.simulate(conversationId, body), 400, 'invalid_request').details;
  expect(issues).toEqual([{ in: 'body', path, message: expect.stringContaining(nearest) }]);
});

test.each<[string, object, string]>([
  ['a turn that is two things', { caller: { script: [{ text: 'a', silent: true }] } }, '/caller/script/0'],
  ['a turn that is nothing', { caller: { script: [{}] } }, '/caller/script/0'],
  ['two expectations in one', { expect: [{ says: 'a', neverSays: 'b' }] }, '/expect/0'],
  ['a script and a persona', { caller: { script: [], persona: 'a', goal: 'b' } }, '/caller'],
  ['21 repeats', { repeat: 21 }, '/repeat'],
  ['a design and an edit', { design: shop, merge: {} }, '/merge'],
  ['a time that does not exist', { now: '2026-02-30T10:00:00Z' }, '/now'],
  ['101 turns', { caller: { script: Array.from({ length: 101 }, () => 'a') } }, '/caller/script'],
])('refuses %s', async (_, body, path) => {
  const { issues } = refused(await project.simulate(conversationId, body), 400, 'invalid_request').details;
  expect(issues).toMatchObject([{ path }]);
});

test('stops a call that speaks without end, and says so', async () => {
  const steps = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `m${index}`,
      { kind: 'message', text: 'x'.repeat(2_000), on: { next: index === 59 ? 'menu' : `m${index + 1}` } },
    ]),
  );
  const design = {
    schemaVersion: 'cd/1',
    entry: { stepId: 'menu' },
    steps: {
      ...steps,
      menu: {
        kind: 'route',
        prompt: 'Again?',
        options: [
          { id: 'a', title: 'Again', target: 'm0' },
          { id: 'b', title: 'Never', target: 'm0' },
        ],
      },
    },
  };
  const script = Array.from({ length: 100 }, () => 'again');
  const played = await project.played(conversationId, { design, caller: { script } });
  expect(played.notes).toEqual(['The simulation stopped: the call is too long.']);
  expect(JSON.stringify(played).length).toBeLessThan(1_000_000);
});

test('returns the same over MCP, without state and what was missed unless a call asks for them', async () => {
  const client = await world.mcp('modern http', project.key);
  const call = { conversationId, caller: { script: ['A person'] }, mocks: { nodes: order } };
  const { structuredContent } = await client.callTool({ name: 'simulate_conversation', arguments: call });
  const { state, coverage, ...rest } = await project.played(conversationId, {
    caller: call.caller,
    mocks: call.mocks,
  });
  expect(structuredContent).toEqual({
    ...rest,
    coverage: { steps: { seen: 3, all: 6 }, exits: { seen: 3, all: 9 }, nodes: { seen: 1, all: 2 } },
  });
  const full = await client.callTool({
    name: 'simulate_conversation',
    arguments: { ...call, details: true },
  });
  expect(full.structuredContent).toMatchObject({ coverage });
  const open = await client.callTool({
    name: 'simulate_conversation',
    arguments: { conversationId, details: true },
  });
  expect(open.structuredContent).toMatchObject({ ended: null, state: expect.any(String) });
  expect(state).toBeNull();
});

test('lists over MCP the expectations that fail before those that hold', async () => {
  const client = await world.mcp('modern http', project.key);
  const wanted = [{ says: 'AI' }, { says: 'submarine' }, { neverSays: 'submarine' }];
  const { structuredContent } = await client.callTool({
    name: 'simulate_conversation',
    arguments: { conversationId, caller: { script: ['A person'] }, mocks: { nodes: order }, expect: wanted },
  });
  const { expectations } = structuredContent as { expectations: object[] };
  expect(expectations).toMatchObject([
    { holds: false, says: 'submarine' },
    { holds: true, says: 'AI' },
    { holds: true, neverSays: 'submarine' },
  ]);
  expect(Object.keys(structuredContent as object).slice(0, 2)).toEqual(['version', 'expectations']);
});

test('refuses a persona and a judge if no model is configured', async () => {
  const hidden = { expect: [{ judge: { criterion: 'It greets.' } }] };
  for (const body of [{ caller: { persona: 'Ana', goal: 'A table' } }, hidden]) {
    refused(await project.simulate(conversationId, body), 502, 'internal_error');
  }
});

test('stores nothing', async () => {
  const before = await world.rows('select count(*) from audit_log');
  await project.played(conversationId, { caller: { script: ['A person'] } });
  expect(await world.rows('select count(*) from audit_log')).toEqual(before);
});
