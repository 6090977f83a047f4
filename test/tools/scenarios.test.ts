import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { templates } from '../../src/resources/catalogue/templates/index.ts';
import { openSimulationProject, type SimulationProject, shop } from '../helpers/simulation-project.ts';
import { openWorld, type RestAnswer, type World } from '../helpers/world.ts';

let world: World;
let project: SimulationProject;
beforeAll(async () => {
  world = await openWorld({ models: undefined });
  project = await openSimulationProject(world);
});
afterAll(() => world.close());

const mocks = { nodes: { lookup: { status: 200, body: { state: 'on its way' } }, log: { status: 204 } } };
const books = {
  name: 'Books a table',
  tags: ['booking'],
  caller: { script: ['I want to book a table', '2026-05-04, +1 202 555 0144'] },
  mocks,
  expect: [
    { says: 'on its way' },
    { order: { before: { node: 'lookup' }, after: { step: 'ask' } } },
    { reaches: { step: 'menu', exit: 'book' } },
    { neverReaches: { step: 'connect' } },
    { variable: { id: 'day', equals: '2026-05-04' } },
    { requests: { node: 'log', with: { body: { day: '2026-05-04' } } } },
    { ends: { reason: 'completed' } },
    { atMost: { turns: 2 } },
  ],
};
const connects = {
  name: 'Asks for a person',
  caller: { script: [{ text: 'Help!', understood: { option: 'person' } }] },
  mocks,
  expect: [{ ends: { reason: 'transferred' } }, { neverSays: '/goodbye/i' }],
};

async function ok(answer: Promise<RestAnswer>): Promise<RestAnswer['body']> {
  const { status, body } = await answer;
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body;
}

const { answer, ...otherSteps } = shop.steps;
if (answer?.kind !== 'answer') throw new Error('the shop answers questions');
/** The shop without a knowledge base, so that it can go live. */
const openable: Design = {
  ...shop,
  knowledge: [],
  steps: { ...otherSteps, answer: { kind: 'answer', instruction: answer.instruction, on: answer.on } },
};

/** A conversation with the design of the shop, and what the tests call on it. */
async function openShop() {
  const conversationId = await project.conversationOf(openable);
  const path = `/v1/conversations/${conversationId}`;
  return {
    conversationId,
    save: (scenarios: readonly unknown[], more = {}) =>
      project.call('PATCH', `${path}/scenarios`, { scenarios, ...more }),
    list: (query = '') => ok(project.call('GET', `${path}/scenarios${query}`)),
    run: (body: unknown = {}) => ok(project.call('POST', `${path}/scenario-runs`, body)),
    edit: (merge: unknown) =>
      ok(project.call('PATCH', `${path}/versions/1/design`, { merge, onConflict: 'branch' })),
    activate: (version: number) => project.call('POST', `${path}/versions/${version}/activate`),
    require: (requireScenarios: boolean) => ok(project.call('PATCH', path, { requireScenarios })),
  };
}

const noPerson = { steps: { menu: { options: [{ id: 'person', target: 'bye' }] } } };

test('saves scenarios, plays them, and returns them as they were written', async () => {
  const { save, list } = await openShop();
  const { version, scenarios } = await ok(save([books, connects]));
  expect(version).toBe(1);
  expect(scenarios).toMatchObject([
    { name: 'Asks for a person', holds: true, created: true, ended: 'transferred', failed: [] },
    { name: 'Books a table', holds: true, created: true, ended: 'completed', failed: [] },
  ]);
  const listed = await list();
  expect(listed.scenarios).toHaveLength(2);
  expect((await list('?tag=booking')).scenarios).toMatchObject([
    { name: 'Books a table', tags: ['booking'], result: { version: 1, holds: true, model: null } },
  ]);
  const [, { id }] = scenarios;
  expect(await ok(project.call('GET', `/v1/scenarios/${id}`))).toMatchObject({
    id,
    ...books,
    results: [{ version: 1, holds: true, failed: [] }],
  });

  const [replaced] = (await ok(save([{ ...books, expect: [{ ends: { reason: 'failed' } }] }]))).scenarios;
  expect(replaced).toMatchObject({
    id,
    created: false,
    holds: false,
    failed: [{ ends: { reason: 'failed' }, found: 'ended: completed, at bye' }],
  });
  const { trashId } = await ok(project.call('DELETE', `/v1/scenarios/${id}`));
  expect((await project.call('GET', `/v1/scenarios/${id}`)).status).toBe(404);
  expect((await list()).scenarios).toMatchObject([{ name: 'Asks for a person' }]);
  const restore = () => project.call('POST', `/v1/projects/${project.projectId}/trash/${trashId}/restore`);
  const [other] = (await ok(save([books]))).scenarios;
  expect((await restore()).body.error).toMatchObject({ code: 'in_use' });
  await ok(project.call('DELETE', `/v1/scenarios/${other.id}`));
  expect((await restore()).status).toBe(200);
  expect(await ok(project.call('GET', `/v1/scenarios/${id}`))).toMatchObject({ id, results: [] });
});

test('a run lists the scenarios that a change breaks first, and keeps the results of versions only', async () => {
  const { save, run, list, edit } = await openShop();
  await ok(save([books, connects]));
  const broken = await run({ merge: noPerson });
  expect(broken).toMatchObject({
    version: 1,
    passed: 1,
    failed: 1,
    scenarios: [
      {
        name: 'Asks for a person',
        holds: false,
        failed: [
          { ends: { reason: 'transferred' }, found: 'ended: completed, at bye' },
          { neverSays: '/goodbye/i', found: 'said at bye: Goodbye.' },
        ],
      },
      { name: 'Books a table', holds: true },
    ],
    coverage: { steps: { seen: 4, all: 6, missed: ['connect', 'answer'] }, nodes: { seen: 2, all: 2 } },
  });
  const byName = async () => (await list()).scenarios.map(({ result }: { result: unknown }) => result);
  expect(await byName()).toMatchObject([
    { version: 1, holds: true },
    { version: 1, holds: true },
  ]);

  const written = await edit(noPerson);
  expect(written).toMatchObject({ version: 2, touchedScenarios: ['Asks for a person', 'Books a table'] });
  expect(await run()).toMatchObject({ version: 2, passed: 1, failed: 1 });
  expect(await run({ tag: 'booking', version: 1 })).toMatchObject({ version: 1, passed: 1, failed: 0 });
  expect(await byName()).toMatchObject([{ version: 2 }, { version: 2 }]);
  expect(await edit({ steps: { answer: { instruction: 'Answer briefly.' } } })).not.toHaveProperty(
    'touchedScenarios',
  );
  const gone = await run({
    version: 1,
    patch: [
      { op: 'remove', path: '/steps/menu/options/0' },
      { op: 'remove', path: '/steps/ask' },
    ],
  });
  expect(gone.scenarios[0]).toMatchObject({
    name: 'Books a table',
    failed: [
      { found: '/expect/1/order/after/step: The design has no step "ask".' },
      { found: '/expect/2/reaches/exit: The design has no exit "book".' },
    ],
  });
});

test('a run shows over MCP only the scenarios that fail, unless a call asks for all', async () => {
  const { save, run, conversationId } = await openShop();
  await ok(save([books, connects]));
  const whole = await run({ merge: noPerson });
  const client = await world.mcp('modern http', project.key);
  const runOverMcp = async (more = {}) => {
    const call = { conversationId, merge: noPerson, ...more };
    return (await client.callTool({ name: 'run_scenarios', arguments: call })).structuredContent;
  };
  const counted = ({ seen, all }: { seen: number; all: number }) => ({ seen, all });
  const { steps, exits, nodes } = whole.coverage;
  const [{ id: _, ...failed }, { id: __, ...held }] = whole.scenarios;
  expect([failed.holds, held.holds]).toEqual([false, true]);
  expect(await runOverMcp()).toEqual({
    ...whole,
    scenarios: [failed],
    coverage: {
      steps: counted(steps),
      exits: counted(exits),
      ...(nodes.all > 0 && { nodes: counted(nodes) }),
    },
  });
  expect(await runOverMcp({ details: true })).toMatchObject({
    scenarios: [failed, held],
    coverage: { steps, exits },
  });
});

test('a conversation that requires its scenarios activates only versions on which all have passed', async () => {
  const { save, edit, activate, require } = await openShop();
  await ok(save([books, connects]));
  await require(true);
  expect((await activate(1)).status).toBe(200);
  await edit({ steps: { bye: { line: 'See you.' } } });
  await edit(noPerson);
  // The call plays what was not played.
  expect((await activate(2)).status).toBe(200);
  const refused = await activate(3);
  expect(refused.status).toBe(422);
  expect(refused.body.error).toMatchObject({
    code: 'design_invalid',
    message: expect.stringMatching(/^Scenario "Asks for a person" failed on version 3: ./),
  });
  // What a scenario was before says nothing about what it is now.
  await ok(save([{ ...books, expect: [{ ends: { reason: 'failed' } }] }]));
  expect((await activate(1)).status).toBe(200);
  expect((await activate(2)).body.error.message).toMatch(/^Scenario "Books a table" failed on version 2: ./);
  await require(false);
  expect((await activate(3)).status).toBe(200);
});

test('an edit that activates plays the scenarios, and says which failed and which were not played', async () => {
  const { conversationId, save, require } = await openShop();
  const path = `/v1/conversations/${conversationId}`;
  const edit = (merge: unknown, version: number) =>
    project.call('PATCH', `${path}/versions/${version}/design`, { merge, activate: true });
  const persona = { ...books, name: 'A persona', caller: { persona: 'In a hurry', goal: 'a table' } };
  await ok(save([books, connects]));
  await require(true);
  const { version, isActive } = await ok(edit({ steps: { bye: { line: 'See you.' } } }, 1));
  expect([version, isActive]).toEqual([2, true]);
  const results = await world.rows(
    'select holds from scenario_results where conversation_id = $1 and n = 2',
    [conversationId],
  );
  expect(results).toEqual([{ holds: true }, { holds: true }]);

  await world.rows(
    `update scenarios set name = $2, content = $3, updated_at = now() where conversation_id = $1 and name = 'Books a table'`,
    [conversationId, persona.name, JSON.stringify({ caller: persona.caller, expect: [] })],
  );
  const refused = await edit(noPerson, 2);
  expect([refused.status, refused.body.error.code]).toEqual([422, 'design_invalid']);
  expect(refused.body.error.details.issues.map(({ message }: { message: string }) => message)).toEqual([
    expect.stringMatching(/^Scenario "Asks for a person" failed on version 3: ./),
    'Scenario "A persona" was not played on version 3: no model is configured.',
  ]);
  const { versions } = await ok(project.call('GET', `${path}/versions`));
  expect(versions.map(({ n }: { n: number }) => n)).toEqual([2, 1]);
});

test('a scenario that is saved while an edit plays the others keeps the edit from going live', async () => {
  const { conversationId, save, require } = await openShop();
  await ok(save([books]));
  await require(true);
  await world.rows(
    `create or replace function test_touch() returns trigger language plpgsql as $$ begin
       update scenarios set updated_at = updated_at + interval '1 s' where conversation_id = new.conversation_id;
       return null; end $$`,
  );
  await world.rows(
    'create trigger test_touch after insert on conversation_versions for each row execute function test_touch()',
  );
  const refused = await project.call('PATCH', `/v1/conversations/${conversationId}/versions/1/design`, {
    merge: { steps: { bye: { line: 'See you.' } } },
    activate: true,
  });
  await world.rows('drop trigger test_touch on conversation_versions');
  expect(refused.body.error.message).toBe(
    'Scenario "Books a table" was not played on version 2: it was changed while the call ran.',
  );
});

test('get_conversation says on MCP whether it requires its scenarios', async () => {
  const { conversationId, require } = await openShop();
  await require(true);
  const client = await world.mcp('modern http', project.key);
  const { structuredContent } = await client.callTool({
    name: 'get_conversation',
    arguments: { conversationId },
  });
  expect(structuredContent).toMatchObject({ requireScenarios: true });
  await client.close();
});

test('only a version that was live before goes live again without its scenarios', async () => {
  const { save, run, edit, activate, require } = await openShop();
  await ok(save([books, connects]));
  await require(true);
  await edit(noPerson);
  await edit({ steps: { bye: { line: 'See you.' } } });
  await run({ version: 3 });
  expect((await activate(3)).status).toBe(200);
  const { status, body } = await activate(2);
  expect([status, body.error.message]).toEqual([
    422,
    expect.stringMatching(/^Scenario "Asks for a person" failed on version 2: ./),
  ]);
  expect((await activate(1)).status).toBe(200);
});

test('a recorded scenario fixes everything that was understood', async () => {
  const { save, conversationId } = await openShop();
  const [{ id }] = (await ok(save([books], { record: true }))).scenarios;
  const { caller } = await ok(project.call('GET', `/v1/scenarios/${id}`));
  expect(caller).toEqual({
    script: [
      {
        text: 'I want to book a table',
        understood: [{ option: 'book' }, { values: {}, corrected: [], asks: false }],
      },
      {
        text: '2026-05-04, +1 202 555 0144',
        understood: {
          values: { day: '2026-05-04', callback: '+12025550144' },
          corrected: [],
          asks: false,
        },
      },
    ],
  });
  const first = await project.played(conversationId, { caller, mocks });
  const meanings = first.transcript.flatMap(({ understoodBy }: { understoodBy?: string }) =>
    understoodBy === undefined ? [] : [understoodBy],
  );
  expect(meanings).toEqual(['script', 'script']);
  expect(JSON.stringify(await project.played(conversationId, { caller, mocks }))).toBe(JSON.stringify(first));
});

describe('proposed scenarios', () => {
  test.each(templates.map(({ key }) => key))(
    'take every exit of %s, and hold when they are saved',
    async (key) => {
      const { id } = await ok(
        project.call('POST', `/v1/projects/${project.projectId}/conversations`, {
          name: key,
          templateKey: key,
          templateSamples: true,
        }),
      );
      const path = `/v1/conversations/${id}`;
      const proposal = await ok(project.call('GET', `${path}/proposed-scenarios`));
      expect(proposal.missed).toEqual([]);
      const saved = await ok(project.call('PATCH', `${path}/scenarios`, { proposed: true }));
      expect(saved.scenarios.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([]);
      const run = await ok(project.call('POST', `${path}/scenario-runs`, { tag: 'proposed' }));
      expect(run).toMatchObject({ passed: proposal.scenarios.length, failed: 0 });
      expect(run.coverage.exits.missed).toEqual([]);
    },
  );
});

test('refuses what the design does not have, each at its place', async () => {
  const { save } = await openShop();
  const { status, body } = await save([
    books,
    { ...connects, mocks: { nodes: { lookpu: {} } } },
    { ...connects, name: 'Third', mocks: {}, expect: [{ reaches: { step: 'conect' } }, { says: '/(/' }] },
  ]);
  expect(status).toBe(400);
  expect(body.error.details.issues.map(({ path }: { path: string }) => path)).toEqual([
    '/scenarios/1/mocks/nodes/lookpu',
    '/scenarios/2/expect/0/reaches/step',
    '/scenarios/2/expect/1/says',
  ]);
  const twice = await save([connects, connects, { ...books, expect: [{}] }]);
  expect(twice.body.error.details.issues).toMatchObject([
    { path: '/scenarios/1/name' },
    { path: '/scenarios/2/expect/0' },
  ]);
});

test('a conversation has at most 200 scenarios, which move to the trash and back with it', async () => {
  const { save, list, conversationId } = await openShop();
  const many = Array.from({ length: 200 }, (_, index) => ({ ...connects, name: `Call ${index}` }));
  await ok(save(many));
  const { status, body } = await save([{ ...connects, name: 'One more' }]);
  expect([status, body.error]).toMatchObject([
    403,
    {
      code: 'plan_limit_exceeded',
      details: { resource: 'scenarios', limit: 200, current: 200, plan: expect.any(String) },
    },
  ]);
  await ok(save([{ ...connects, name: 'Call 0' }]));

  await ok(project.call('DELETE', `/v1/conversations/${conversationId}`));
  const { trash } = await ok(project.call('GET', `/v1/projects/${project.projectId}/trash?limit=1`));
  await ok(project.call('POST', `/v1/projects/${project.projectId}/trash/${trash[0].id}/restore`));
  const { scenarios } = await list('?limit=1000');
  expect(scenarios).toHaveLength(200);
  expect(scenarios[0]).toMatchObject({ name: 'Call 199', result: { version: 1, holds: true } });
});

test('a request of another project is answered while scenarios of a large design are proposed', async () => {
  const steps: Record<string, Design['steps'][string]> = { end: { kind: 'end' } };
  for (let index = 0; index < 1500; index++)
    steps[`s${index}`] = {
      kind: 'collect',
      prompt: '?',
      collect: [{ id: 'i', variableId: `v${index}` }],
      maxAttempts: 100,
      on: { next: index === 1499 ? 'end' : `s${index + 1}`, failed: 'end' },
    };
  const id = await project.conversationOf({ schemaVersion: 'cd/1', entry: { stepId: 's0' }, steps });
  const order: string[] = [];
  const proposal = project
    .call('GET', `/v1/conversations/${id}/proposed-scenarios`)
    .then(({ status }) => order.push(`proposal ${status}`));
  const bystander = await openSimulationProject(world);
  for (let read = 0; read < 3; read++)
    await bystander.call('GET', `/v1/projects/${bystander.projectId}/conversations`);
  order.push('bystander');
  await proposal;
  expect(order).toEqual(['bystander', 'proposal 200']);
});

test('the list tells whether scenarios are required', async () => {
  const { list, require } = await openShop();
  expect((await list()).requireScenarios).toBe(false);
  await require(true);
  expect((await list()).requireScenarios).toBe(true);
});

describe('a conversation that requires its scenarios', () => {
  const drafter = async () =>
    (
      await project.call('POST', `/v1/projects/${project.projectId}/restricted-keys`, {
        name: 'Drafting agent',
        access: ['read', 'run', 'draft'],
      })
    ).body.key as string;
  const strict = {
    ...connects,
    variables: { orderState: 'open' },
    expect: [...connects.expect, { reaches: { step: 'connect' } }],
  };
  const [first, ...lessExpected] = strict.expect;

  /** Every way to let a version pass that a scenario keeps back. */
  const easings: Readonly<Record<string, unknown>> = {
    'expects nothing': { ...strict, expect: [] },
    'has no expectations': { ...connects, variables: strict.variables, expect: undefined },
    'expects one thing less': { ...strict, expect: lessExpected },
    'expects the same more loosely': {
      ...strict,
      expect: [first, { neverSays: '/never said/' }, ...lessExpected.slice(1)],
    },
    'has another caller': { ...strict, caller: { script: [{ hangUp: true }] } },
    'has other mocks': { ...strict, mocks: {} },
    'has other variables': { ...strict, variables: {} },
    'calls on another channel': { ...strict, channel: 'chat' },
    'calls at another time': { ...strict, now: '2026-01-01T12:00:00Z' },
  };

  test('keeps them from keys that may only draft, whatever they send', async () => {
    const { save, list, require, conversationId } = await openShop();
    const key = await drafter();
    const [{ id }] = (await ok(save([strict]))).scenarios;
    const path = `/v1/conversations/${conversationId}/scenarios`;
    const send = (scenarios: readonly unknown[], more = {}) =>
      world.rest('PATCH', path, { key, body: { scenarios, ...more } });
    const read = () => ok(project.call('GET', `/v1/scenarios/${id}`));
    await require(true);
    const [listed, before] = [await list(), await read()];
    for (const [name, scenario] of Object.entries(easings)) {
      const { status, body } = await send([{ ...books, name: 'Also' }, scenario]);
      expect([status, body.error?.code], name).toEqual([403, 'forbidden']);
    }
    expect((await world.rest('DELETE', `/v1/scenarios/${id}`, { key })).status).toBe(403);
    const client = await world.mcp('modern http', key);
    for (const call of [
      { name: 'delete_scenario', arguments: { scenarioId: id } },
      { name: 'save_scenarios', arguments: { conversationId, scenarios: [{ ...strict, expect: [] }] } },
    ])
      expect(JSON.stringify(await client.callTool(call)), call.name).toContain('forbidden');
    expect([await list(), await read()]).toEqual([listed, before]);

    const stricter = { ...strict, tags: ['calls'], expect: [...strict.expect, { atMost: { turns: 1 } }] };
    expect((await send([{ ...books, name: 'Also' }, stricter])).status).toBe(200);
    await ok(save([{ ...strict, expect: [] }]));
    await ok(project.call('DELETE', `/v1/scenarios/${id}`));
  });

  test('counts each of them, whatever tags a key that may only draft has taken or given', async () => {
    const { save, edit, run, activate, require, conversationId } = await openShop();
    const key = await drafter();
    const path = `/v1/conversations/${conversationId}/scenarios`;
    await ok(
      save([
        { ...strict, tags: ['required'] },
        { ...books, name: 'Also', tags: ['required'] },
      ]),
    );
    await require(true);
    for (const tags of [undefined, ['other'], []])
      await ok(world.rest('PATCH', path, { key, body: { scenarios: [{ ...strict, tags }] } }));
    await edit({ steps: { bye: { line: 'See you.' } } });
    await run({ version: 2, tag: 'required' });
    expect((await activate(2)).status).toBe(200);
    const results = 'select holds from scenario_results where conversation_id = $1 and n = 2';
    expect(await world.rows(results, [conversationId])).toEqual([{ holds: true }, { holds: true }]);
  });

  test('leaves them to keys that draft while it does not require them', async () => {
    const { save, conversationId } = await openShop();
    const key = await drafter();
    const [{ id }] = (await ok(save([strict]))).scenarios;
    for (const [name, scenario] of Object.entries(easings)) {
      const path = `/v1/conversations/${conversationId}/scenarios`;
      const { status } = await world.rest('PATCH', path, { key, body: { scenarios: [scenario] } });
      expect(status, name).toBe(200);
    }
    expect((await world.rest('DELETE', `/v1/scenarios/${id}`, { key })).status).toBe(200);
  });

  test('shows with its draft what has become of the scenarios, until a newer version is live', async () => {
    const { save, edit, run, activate, require, list, conversationId } = await openShop();
    const key = await drafter();
    const [{ id: kept }] = (await ok(save([{ ...connects, name: 'Kept' }]))).scenarios;
    await ok(save([strict, { ...books, name: 'Gone' }, { ...books, name: 'Other' }]));
    await edit({ steps: { bye: { line: 'See you.' } } });
    await ok(run({ version: 2 }).then(() => activate(2)));
    expect(await list()).not.toHaveProperty('changes');

    await edit({ steps: { bye: { line: 'Bye.' } } });
    const path = `/v1/conversations/${conversationId}/scenarios`;
    const body = {
      scenarios: [
        { ...strict, expect: [] },
        { ...books, name: 'New' },
        { ...books, name: 'Brief' },
      ],
    };
    await ok(world.rest('PATCH', path, { key, body }));
    const idOf = async (name: string) =>
      (await list()).scenarios.find((one: { name: string }) => one.name === name).id;
    for (const name of ['Gone', 'Brief'])
      await ok(world.rest('DELETE', `/v1/scenarios/${await idOf(name)}`, { key }));
    await ok(save([{ ...connects, name: 'Kept', expect: [] }]));
    await ok(
      save([
        { ...connects, name: 'Kept' },
        { ...books, name: 'Other', mocks: {}, expect: [] },
      ]),
    );
    expect((await project.call('GET', `/v1/scenarios/${kept}`)).status).toBe(200);

    const changes = [
      { name: 'Asks for a person', change: 'weakened', by: 'Drafting agent' },
      { name: 'Gone', change: 'removed', by: 'Drafting agent' },
      { name: 'New', change: 'added', by: 'Drafting agent' },
      { name: 'Other', change: 'changed', by: 'Key' },
    ];
    expect((await list()).changes).toMatchObject(changes);
    const overview = async () => ok(project.call('GET', `/v1/projects/${project.projectId}/overview`));
    const ofDraft = async () =>
      (await overview()).drafts.find(({ id }: { id: string }) => id === conversationId);
    expect(await ofDraft()).not.toHaveProperty('scenarioChanges');
    await require(true);
    const { scenarioChanges } = await ofDraft();
    expect(scenarioChanges).toHaveLength(changes.length);
    expect(scenarioChanges).toEqual(expect.arrayContaining(changes));
    const told = (await overview()).problems.find((problem: string) => problem.includes('weakened'));
    expect(told).toContain('weakened "Asks for a person" (Drafting agent)');
    const client = await world.mcp('modern http', project.key);
    const onMcp = await client.callTool({
      name: 'get_project_overview',
      arguments: { projectId: project.projectId },
    });
    expect(JSON.stringify(onMcp.structuredContent)).toContain('removed \\"Gone\\" (Drafting agent)');

    await run({ version: 3 });
    await ok(activate(1));
    expect((await list()).changes).toMatchObject(changes);
    await ok(activate(3));
    expect(await list()).not.toHaveProperty('changes');
  });

  test('says so if it has none', async () => {
    const { require } = await openShop();
    await require(true);
    const { problems } = await ok(project.call('GET', `/v1/projects/${project.projectId}/overview`));
    expect(problems.join()).toContain('requires its scenarios and has none');
  });
});
