import { afterAll, beforeAll, expect, test } from 'vitest';
import { elements, type Flowchart, parsedMermaid, parsedSvg } from '../design/pictures.ts';
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

const mocks = { nodes: { lookup: { status: 200, body: { state: 'sent' } }, log: { status: 204 } } };
const hangsUp = {
  caller: { script: ['I want to book a table', { hangUp: true }] },
  mocks,
  expect: [{ ends: { reason: 'hungUp' } }, { reaches: { step: 'bye' } }],
};
const connects = {
  name: 'Asks for a person',
  tags: ['people'],
  caller: { script: [{ text: 'Help!', understood: { option: 'person' } }] },
  mocks,
};
const books = {
  name: 'Books "a table"',
  caller: { script: ['I want to book a table', '2026-05-04, +1 202 555 0144'] },
  mocks,
  expect: [{ neverReaches: { step: 'ask' } }],
};

const green = '#1a7f37';

const draw = (run: unknown, more = '', of = conversationId) =>
  project.call(
    'GET',
    `/v1/conversations/${of}/versions/1/diagram?run=${encodeURIComponent(JSON.stringify(run))}${more}`,
  );

async function flowchart(run: unknown, of = conversationId): Promise<Flowchart> {
  const { status, body } = await draw(run, '', of);
  expect(status, JSON.stringify(body)).toBe(200);
  return parsedMermaid(body.mermaid);
}

/** The ways that were taken. */
const taken = ({ links, linkColours }: Flowchart) =>
  links.flatMap(({ from, to, label }, index) =>
    linkColours.get(index) === green ? [[from, label, to].filter(Boolean).join(' ')] : [],
  );

test('draws the way of a call, where it ended, and the step at which the first expectation failed', async () => {
  const chart = await flowchart(hangsUp);
  expect(taken(chart)).toStrictEqual([
    'c0 b_lookup',
    'b_lookup s_hello',
    's_hello next s_menu',
    's_menu book s_ask',
  ]);
  expect(Object.fromEntries(chart.classes)).toStrictEqual({
    point: ['c0'],
    passed: ['b_lookup', 's_hello', 's_menu'],
    entry: ['s_hello'],
    failed: ['s_ask'],
    missed: ['s_answer', 's_connect', 's_bye', 'a_log'],
  });
  expect(chart.nodes.get('s_ask')).toBe(
    'ask\nfailed · ended: hungUp · collect\nexpected: reaches step bye; the call went lookup > hello > menu > ask',
  );
  expect(chart.nodes.get('s_bye')).toBe('bye\nnever reached · end');
  const { expect: _, ...call } = hangsUp;
  const held = await flowchart(call);
  expect([held.classes.get('ended'), held.classes.has('failed')]).toStrictEqual([['s_ask'], false]);
});

test('an expectation fails where the call did what it must not do', async () => {
  const failedAt = async (expectation: unknown) =>
    (await flowchart({ ...books, name: undefined, expect: [expectation] })).classes.get('failed');
  expect(await failedAt({ neverReaches: { step: 'menu' } })).toStrictEqual(['s_menu']);
  expect(await failedAt({ reaches: { step: 'menu', exit: 'person' } })).toStrictEqual(['s_menu']);
  expect(await failedAt({ neverSays: 'your order' })).toStrictEqual(['s_hello']);
  expect(await failedAt({ order: { before: { step: 'bye' }, after: { step: 'ask' } } })).toStrictEqual([
    's_ask',
  ]);
  expect(await failedAt({ requests: { node: 'lookup', with: { method: 'POST' } } })).toStrictEqual([
    'b_lookup',
  ]);
  expect(await failedAt({ atMost: { turns: 1 } })).toStrictEqual(['s_ask']);
  expect(await failedAt({ says: 'Ahoy' })).toStrictEqual(['s_bye']);
});

test('tells apart two exits to one step, and shows what runs after a hang-up', async () => {
  const { ask, ...steps } = shop.steps;
  const { after } = shop.hooks ?? {};
  if (ask?.kind !== 'collect' || !after) throw new Error('the shop books, and logs calls');
  const hooks = { ...shop.hooks, after: { ...after, prematureHangupNodeId: 'log' } };
  const design = { ...shop, steps: { ...steps, ask: { ...ask, on: { next: 'bye', failed: 'bye' } } }, hooks };
  const of = await project.conversationOf(design);
  const { name: _, ...booking } = books;
  const booked = taken(await flowchart(booking, of));
  expect(booked.slice(3)).toStrictEqual(['s_menu book s_ask', 's_ask next s_bye', 's_bye a_log']);
  const broken = await flowchart(hangsUp, of);
  expect(taken(broken).slice(3)).toStrictEqual(['s_menu book s_ask', 'c9 a_log']);
  expect(broken.nodes.get('c9')).toBe('Caller hangs up');
});

test('draws what all scenarios cover together, or those with a tag, over REST and MCP', async () => {
  const saved = await project.call('PATCH', `/v1/conversations/${conversationId}/scenarios`, {
    scenarios: [connects, books],
  });
  expect(saved.status).toBe(200);
  const all = await flowchart({ scenarios: true });
  expect(all.classes.get('missed')).toStrictEqual(['s_answer']);
  expect(all.classes.get('failed')).toStrictEqual(['s_ask']);
  expect(all.nodes.get('c0')).toBe('Call starts\nScenarios: 1 passed, 1 failed');
  expect(all.nodes.get('s_ask')).toContain('Books "a table": expected: neverReaches step ask; reached ask');
  expect(taken(all)).toEqual(
    expect.arrayContaining(['s_menu book s_ask', 's_menu person s_connect', 's_bye a_log']),
  );
  const client = await world.mcp('modern http', project.key);
  const { structuredContent } = await client.callTool({
    name: 'draw_design',
    arguments: { conversationId, run: { scenarios: 'people' } },
  });
  const tagged = parsedMermaid((structuredContent as { mermaid: string }).mermaid);
  expect(tagged.classes.get('passed')).toStrictEqual(['b_lookup', 's_hello', 's_menu', 's_connect']);
  expect(tagged.classes.has('failed')).toBe(false);
});

test('draws a run as SVG, with a legend and the text of the failure', async () => {
  const run = encodeURIComponent(JSON.stringify({ ...hangsUp, expect: [{ says: '<b>'.repeat(100) }] }));
  const reply = await fetch(
    `${world.base}/v1/conversations/${conversationId}/versions/1/diagram?format=svg&run=${run}`,
    { headers: { authorization: `Bearer ${project.key}` } },
  );
  expect(reply.status).toBe(200);
  const texts = elements(parsedSvg(await reply.text()), 'text').map(({ text }) => text);
  expect(texts).toEqual(expect.arrayContaining(['passed', 'never reached', 'an expectation failed']));
  expect(texts.some((text) => text.startsWith('<b><b>') && text.endsWith('…'))).toBe(true);
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(60);
});

test('refuses a run that it cannot play, with each problem', async () => {
  const issues = async (run: unknown, more = '') => {
    const reply = await draw(run, more);
    refused(reply, 400, 'invalid_request');
    return reply.body.error.details.issues;
  };
  expect(await issues({ ...hangsUp, expect: [{ reaches: { step: 'connekt' } }] })).toMatchObject([
    { in: 'querystring', path: '/run/expect/0/reaches/step', message: expect.stringContaining('"connect"') },
  ]);
  for (const [run, path] of [
    [{}, '/run'],
    [{ ...hangsUp, scenarios: true }, '/run'],
    [{ caller: { persona: 'A regular', goal: 'A table' } }, '/run/caller/persona'],
    [{ caller: {}, expect: [{ judge: { criterion: 'Is polite' } }] }, '/run/expect/0'],
    [{ caller: { script: [{ silent: true, hangUp: true }] } }, '/run/caller/script/0'],
    ['no object', '/run'],
  ] as const)
    expect(await issues(run), path).toContainEqual(expect.objectContaining({ in: 'querystring', path }));
  expect(await issues(hangsUp, '&against=1')).toMatchObject([{ path: '/against' }]);
});
