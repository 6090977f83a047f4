import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { ageFlows, openProject, type Project, pagesOf, timestamp } from '../helpers/project.ts';
import type { RestAnswer } from '../helpers/world.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
beforeAll(async () => {
  world = await openWorld();
  project = await openProject(world);
});
afterAll(() => world.close());

const trashRoute = ({ projectId }: Project) => `/v1/projects/${projectId}/trash`;
const remove = (flowId: string, of = project) => of.call('DELETE', `/v1/flows/${flowId}`);
const restore = (id: string, of = project) => of.call('POST', `${trashRoute(of)}/${id}/restore`);
const days = 24 * 3_600_000;

/** The trash entry of a deleted flow. */
async function entryOf(flowId: string, of = project): Promise<RestAnswer['body']> {
  const { body } = await of.call('GET', trashRoute(of));
  return body.trash.find(({ resourceId }: { resourceId: string }) => resourceId === flowId);
}

/** Creates a flow with a rollback and unusual JSON; returns everything that can be read of it. */
async function richFlow(of = project) {
  const flowSchema = { zebra: 'é 😀', apple: [1.5, '', null, { constructor: {} }], big: 9007199254740991 };
  const id = await of.newFlow({ name: 'Rich', description: 'd', type: 'graph', flowSchema });
  await of.newVersion(id, { title: 'second' });
  const third = await of.newVersion(id, {});
  await of.call('POST', `/v1/flow-versions/${third}/activate`);
  await ageFlows(world, of.projectId);
  return { id, read: () => readFlow(id, of) };
}

async function readFlow(id: string, of: Project) {
  const flow = await of.call('GET', `/v1/flows/${id}`);
  const versions = await of.call('GET', `/v1/flows/${id}/versions`);
  return { status: flow.status, text: JSON.stringify([flow.body, versions.body]) };
}

test('returns {id, deleted: true}, and the flow is gone everywhere', async () => {
  const { id } = await richFlow();
  const { body: before } = await project.call('GET', `/v1/flows/${id}/versions`);
  const { status, body } = await remove(id);
  expect({ status, body }).toStrictEqual({
    status: 200,
    body: { id, deleted: true, trashId: expect.any(String) },
  });
  for (const [method, route] of [
    ['GET', `/v1/flows/${id}`],
    ['GET', `/v1/flows/${id}/versions`],
    ['PATCH', `/v1/flows/${id}`],
    ['DELETE', `/v1/flows/${id}`],
    ['GET', `/v1/flow-versions/${before.versions[0].id}`],
    ['POST', `/v1/flow-versions/${before.versions[2].id}/activate`],
  ] as const)
    expect((await project.call(method, route)).body.error.code, `${method} ${route}`).toBe('not_found');
  const flows = await project.call('GET', `/v1/projects/${project.projectId}/flows`);
  expect(flows.body.flows.map((flow: { id: string }) => flow.id)).not.toContain(id);
});

test('keeps a deleted flow in the trash for 30 days', async () => {
  const { id } = await richFlow();
  await remove(id);
  const entry = await entryOf(id);
  expect(entry).toStrictEqual({
    id: expect.stringMatching(/^ctr[0-9a-z]{26}$/),
    kind: 'flow',
    resourceId: id,
    name: 'Rich',
    deletedAt: timestamp,
    deletedBy: expect.stringMatching(/./),
    expiresAt: timestamp,
  });
  expect(Date.parse(entry.expiresAt) - Date.parse(entry.deletedAt)).toBe(30 * days);
});

test('restores a flow as it was: ids, versions, active flag, configurations, timestamps', async () => {
  const { id, read } = await richFlow();
  const before = await read();
  await remove(id);
  expect((await read()).status).toBe(404);
  const { id: entryId } = await entryOf(id);
  const { status, body } = await restore(entryId);
  expect({ status, body }).toStrictEqual({ status: 200, body: { id, kind: 'flow', restored: true } });
  expect(await read()).toStrictEqual(before);
  expect(await entryOf(id)).toBeUndefined();
});

test('continues the numbers of a restored flow, which can be deleted and restored again', async () => {
  const { id, read } = await richFlow();
  for (let time = 0; time < 2; time++) {
    await remove(id);
    await restore((await entryOf(id)).id);
  }
  const { body } = await project.call('POST', `/v1/flows/${id}/versions`, { flowSchema: {} });
  expect(body.version).toBe(4);
  expect((await read()).status).toBe(200);
});

test('restores an entry once if two requests restore it at the same time', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await project.newFlow();
    await remove(id);
    const { id: entryId } = await entryOf(id);
    const answers = await Promise.all([restore(entryId), restore(entryId), restore(entryId)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toStrictEqual([200, 404, 404]);
    expect((await restore(entryId)).body.error.code).toBe('not_found');
  }
});

test('returns 404 and restores nothing if the agent profile of a flow no longer exists', async () => {
  const agentProfileId = await project.newAgentProfile();
  const id = await project.newFlow({ agentProfileId });
  await project.newVersion(id);
  const before = await readFlow(id, project);
  await remove(id);
  await world.rows('delete from agent_profiles where id = $1', [agentProfileId]);
  const entry = await entryOf(id);
  const { status, body } = await restore(entry.id);
  expect({ status, code: body.error.code }).toStrictEqual({ status: 404, code: 'not_found' });
  expect(body.error.message).not.toMatch(/constraint|foreign|flows_/);
  expect(await world.rows('select id from flow_versions where flow_id = $1', [id])).toStrictEqual([]);
  expect(await world.rows('select id from flows where id = $1', [id])).toStrictEqual([]);
  expect(await entryOf(id)).toStrictEqual(entry);
  await world.rows(
    `insert into agent_profiles (project_id, id, name, reasoning_mode, output_voice_id)
     values ($1, $2, 'Back', 'fast', 'alloy')`,
    [project.projectId, agentProfileId],
  );
  expect((await restore(entry.id)).status).toBe(200);
  expect(await readFlow(id, project)).toStrictEqual(before);
});

test('neither lists nor restores an expired entry', async () => {
  const other = await openProject(world);
  const id = await other.newFlow();
  await remove(id, other);
  const entry = await entryOf(id, other);
  await world.rows('update trash set expires_at = now() where id = $1', [entry.id]);
  expect((await other.call('GET', trashRoute(other))).body).toStrictEqual({ trash: [] });
  expect((await restore(entry.id, other)).body.error.code).toBe('not_found');
  await world.rows(`update trash set expires_at = now() + interval '1 minute' where id = $1`, [entry.id]);
  expect((await restore(entry.id, other)).status).toBe(200);
});

test('returns 404 for an entry that is missing, of another project or named by an id of another kind', async () => {
  const other = await openProject(world);
  const flowId = await other.newFlow();
  await remove(flowId, other);
  const { id: foreign } = await entryOf(flowId, other);
  for (const id of [newId('trash'), foreign, await project.newFlow()])
    expect((await restore(id)).body.error.code).toBe('not_found');
  const elsewhere = await project.call('POST', `${trashRoute(other)}/${foreign}/restore`);
  expect(elsewhere.status).toBe(404);
  expect((await project.call('GET', trashRoute(other))).status).toBe(404);
  expect((await restore(foreign, other)).status).toBe(200);
});

test('returns 400 with the path parameter for a malformed id', async () => {
  const { status, body } = await restore('NOPE');
  expect({ status, issues: body.error.details.issues }).toStrictEqual({
    status: 400,
    issues: [{ in: 'params', path: '/trashId', message: expect.any(String) }],
  });
});

test('lists the last deleted first, 50 by default, each once over all pages', async () => {
  const other = await openProject(world);
  const deleted: string[] = [];
  for (let flow = 0; flow < 5; flow++) {
    const id = await other.newFlow();
    await remove(id, other);
    deleted.unshift(id);
  }
  for (const limit of [1, 2, 5, 6]) {
    const pages = await pagesOf(other, trashRoute(other), limit);
    expect(pages).toHaveLength(Math.ceil(5 / limit));
    const ids = pages.flatMap(({ trash }) => trash.map((entry: { resourceId: string }) => entry.resourceId));
    expect(ids).toStrictEqual(deleted);
  }
  await world.rows(
    `insert into trash (project_id, id, kind, resource_id, name, rows, expires_at)
     select $1, 'ctr' || lpad(n::text, 26, '0'), 'flow', 'cfl' || lpad(n::text, 26, '0'), '', '{}', now() + interval '1 day'
     from generate_series(1, 46) as n`,
    [other.projectId],
  );
  const { body } = await other.call('GET', trashRoute(other));
  expect({ rows: body.trash.length, next: typeof body.nextCursor }).toStrictEqual({
    rows: 50,
    next: 'string',
  });
});
