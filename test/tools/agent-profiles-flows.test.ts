import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { openProject, type Project } from '../helpers/project.ts';
import type { RestAnswer } from '../helpers/world.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openProject(world);
});
afterAll(() => world.close());

const content = {
  name: 'Reception',
  isDefault: false,
  supportedInputLanguages: [],
  reasoningMode: 'fast',
  outputVoiceId: 'alloy',
};
const create = (flowIds: string[]) =>
  project.call('POST', `/v1/projects/${project.projectId}/agent-profiles`, { ...content, flowIds });
const replace = (id: string, flowIds: string[]) =>
  project.call('PUT', `/v1/agent-profiles/${id}`, { ...content, flowIds });
const give = (flowId: string, agentProfileId: string | null) =>
  project.call('PATCH', `/v1/flows/${flowId}`, { agentProfileId });
const flowsOf = async (id: string) => (await project.call('GET', `/v1/agent-profiles/${id}`)).body.flowIds;
const profileOf = async (flowId: string) =>
  (await project.call('GET', `/v1/flows/${flowId}`)).body.agentProfileId;
const newFlows = (count: number) =>
  Promise.all(Array.from({ length: count }, () => project.newFlow())) as Promise<
    [string, string, string, string]
  >;
const codeOf = ({ status, body }: RestAnswer) => `${status} ${body.error?.code}`;

test('returns the same 404 for every flowId that names no flow of the project, and changes nothing', async () => {
  const other = await openProject(world);
  const [own] = await newFlows(1);
  const { body: before } = await create([own]);
  const foreign = await other.newFlow();
  const messages = new Set<string>();
  for (const id of [foreign, newId('flow'), newId('agentProfile'), 'not an id', '', 'C000000', 'cfl0000000'])
    for (const answer of [await create([own, id]), await replace(before.id, [id, own])]) {
      expect(codeOf(answer), id).toBe('404 not_found');
      messages.add(answer.body.error.message.replace(` ${id} `, ' ID '));
    }
  expect([...messages]).toEqual(['There is no flow ID in this project.']);
  expect((await project.call('GET', `/v1/agent-profiles/${before.id}`)).body).toEqual(before);
  expect((await other.call('GET', `/v1/flows/${foreign}`)).body.agentProfileId).toBeNull();
});

test('keeps the order of the flows, and the first of duplicates', async () => {
  const [a, b, c, d] = await newFlows(4);
  const { body } = await create([c, a, c, b, a]);
  expect(body.flowIds).toEqual([c, a, b]);
  for (const [given, kept] of [
    [
      [b, c, a],
      [b, c, a],
    ],
    [
      [a, b, c, d],
      [a, b, c, d],
    ],
    [
      [d, d, a],
      [d, a],
    ],
    [[], []],
    [[a], [a]],
  ] as const) {
    expect((await replace(body.id, [...given])).body.flowIds).toEqual(kept);
    expect(await flowsOf(body.id)).toEqual(kept);
  }
});

test('moves a flow from another profile', async () => {
  const [a, b, c] = await newFlows(3);
  const { body: first } = await create([a, b, c]);
  const { body: second } = await create([b]);
  expect([await flowsOf(first.id), await flowsOf(second.id)]).toEqual([[a, c], [b]]);
  await replace(second.id, [c, b]);
  expect([await flowsOf(first.id), await flowsOf(second.id)]).toEqual([[a], [c, b]]);
  expect([await profileOf(a), await profileOf(b), await profileOf(c)]).toEqual([
    first.id,
    second.id,
    second.id,
  ]);
});

test('leaves a flow that is removed from a profile without a profile', async () => {
  const [a, b] = await newFlows(2);
  const { body } = await create([a, b]);
  await replace(body.id, [b]);
  expect([await profileOf(a), await profileOf(b)]).toEqual([null, body.id]);
});

test('appends, moves and removes a flow whose agentProfileId is set', async () => {
  const [a, b, c, d] = await newFlows(4);
  const { body: first } = await create([b, a]);
  const { body: second } = await create([d]);
  expect((await give(c, first.id)).body.agentProfileId).toBe(first.id);
  expect(await flowsOf(first.id)).toEqual([b, a, c]);
  await give(b, second.id);
  expect([await flowsOf(first.id), await flowsOf(second.id)]).toEqual([
    [a, c],
    [d, b],
  ]);
  expect((await give(d, null)).body.agentProfileId).toBeNull();
  expect(await flowsOf(second.id)).toEqual([b]);
  const fresh = await project.newFlow({ agentProfileId: first.id });
  expect(await flowsOf(first.id)).toEqual([a, c, fresh]);
});

test('changes updatedAt only of the flows that a profile takes or drops', async () => {
  const [kept, dropped, taken] = await newFlows(3);
  const { body } = await create([kept, dropped]);
  const stamps = async () =>
    Promise.all(
      [kept, dropped, taken].map(
        async (id) => (await project.call('GET', `/v1/flows/${id}`)).body.updatedAt as string,
      ),
    );
  const before = await stamps();
  await replace(body.id, [kept, taken]);
  const after = await stamps();
  expect(after.map((stamp, index) => stamp > (before[index] ?? ''))).toEqual([false, true, true]);
});

test('accepts 1,000 flows and rejects 1,001', async () => {
  const { body } = await create([]);
  const thousand = Array.from({ length: 1000 }, () => newId('flow'));
  expect(codeOf(await replace(body.id, thousand))).toBe('404 not_found');
  expect(codeOf(await replace(body.id, [...thousand, newId('flow')]))).toBe('400 invalid_request');
});

describe('in a project of mode simple', () => {
  let graph: string;
  let simple: [string, string, string, string];
  beforeEach(async () => {
    simple = await newFlows(4);
    graph = await project.newFlow({ type: 'graph' });
    await world.rows(`update projects set mode = 'simple' where id = $1`, [project.projectId]);
  });

  test('accepts no flow or one simple flow, even if it is listed twice', async () => {
    for (const flowIds of [[], [simple[0]], [simple[1], simple[1]]]) {
      const { status, body } = await create(flowIds);
      expect(status).toBe(201);
      expect((await replace(body.id, [...flowIds])).status).toBe(200);
    }
  });

  test('rejects a second flow and a graph flow in a request on the profile', async () => {
    const { body } = await create([simple[0]]);
    for (const flowIds of [[graph], [simple[0], simple[1]], [simple[0], graph]])
      for (const answer of [await create(flowIds), await replace(body.id, flowIds)])
        expect(codeOf(answer)).toBe('422 simple_agent_invalid');
    expect(await flowsOf(body.id)).toEqual([simple[0]]);
  });

  test('rejects them in a request on the flow, including its creation', async () => {
    const { body: empty } = await create([]);
    const { body: taken } = await create([simple[0]]);
    expect(codeOf(await give(graph, empty.id))).toBe('422 simple_agent_invalid');
    expect(codeOf(await give(simple[1], taken.id))).toBe('422 simple_agent_invalid');
    for (const flow of [
      { type: 'graph', agentProfileId: empty.id },
      { type: 'simple', agentProfileId: taken.id },
    ])
      expect(codeOf(await project.createFlow(flow))).toBe('422 simple_agent_invalid');
    expect((await give(simple[0], taken.id)).status).toBe(200);
    expect((await give(simple[1], empty.id)).status).toBe(200);
    expect([await flowsOf(empty.id), await flowsOf(taken.id)]).toEqual([[simple[1]], [simple[0]]]);
  });

  test('returns 404 for a missing flow before 422', async () => {
    expect(codeOf(await create([graph, simple[0], newId('flow')]))).toBe('404 not_found');
    expect(codeOf(await give(graph, newId('agentProfile')))).toBe('404 not_found');
  });

  test('accepts one of thirty flows that are given to a profile at once', async () => {
    const { body } = await create([]);
    const flows = await Promise.all(Array.from({ length: 30 }, () => project.newFlow()));
    const answers = await Promise.all(flows.map((flow) => give(flow, body.id)));
    const refused = answers.filter((answer) => codeOf(answer) === '422 simple_agent_invalid');
    expect(refused).toHaveLength(29);
    expect(await flowsOf(body.id)).toHaveLength(1);
  });
});

test('lists the names of the flows on MCP and with details', async () => {
  const first = await project.newFlow({ name: 'Day line' });
  const second = await project.newFlow({ name: 'Night line' });
  const { body: profile } = await create([second, first]);
  await create([]);
  const route = `/v1/projects/${project.projectId}/agent-profiles`;
  const list = async (query: string) => (await project.call('GET', route + query)).body.agentProfiles;
  expect((await list(''))[1]).toStrictEqual(profile);
  const detailed = [{ flowNames: [] }, { ...profile, flowNames: ['Night line', 'Day line'] }];
  expect(await list('?details=true')).toMatchObject(detailed);
  const client = await world.mcp('modern http', project.key);
  const { structuredContent } = await client.callTool({ name: 'list_agent_profiles', arguments: {} });
  expect(structuredContent).toMatchObject({
    agentProfiles: [{ flowNames: [] }, { id: profile.id, flowNames: ['Night line', 'Day line'] }],
  });
});
