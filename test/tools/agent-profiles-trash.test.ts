import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { openProject, type Project, timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
let profiles: string;

beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openProject(world);
  profiles = `/v1/projects/${project.projectId}/agent-profiles`;
});
afterAll(() => world.close());

const create = async (body: object = {}) =>
  (await project.call('POST', profiles, { name: 'Night', ...body })).body;
const read = (id: string) => project.call('GET', `/v1/agent-profiles/${id}`);
const remove = (id: string) => project.call('DELETE', `/v1/agent-profiles/${id}`);
const trash = async () =>
  (await project.call('GET', `/v1/projects/${project.projectId}/trash`)).body.trash as { id: string }[];
const restore = (trashId: string | undefined) =>
  project.call('POST', `/v1/projects/${project.projectId}/trash/${trashId}/restore`);

test('returns in_use with the flows that name the profile', async () => {
  const { id } = await create();
  const flows: { kind: string; id: string; name: string }[] = [];
  for (const name of ['First', 'Second'])
    flows.push({ kind: 'flow', id: await project.newFlow({ name, agentProfileId: id }), name });
  const { status, body } = await remove(id);
  expect([status, body.error.code]).toEqual([409, 'in_use']);
  expect(body.error.details).toStrictEqual({ references: flows });
  expect((await read(id)).body.flowIds).toEqual(flows.map((flow) => flow.id));
  expect(await trash()).toEqual([]);
});

test('returns at most 100 references', async () => {
  const { id } = await create();
  await world.rows(
    `insert into flows (project_id, id, name, type, agent_profile_id, agent_profile_position, newest_version)
     select $1, 'cfl' || lpad(number::text, 26, '0'), 'Flow', 'simple', $2, number, 1
     from generate_series(1, 150) as number`,
    [project.projectId, id],
  );
  const { status, body } = await remove(id);
  expect(status).toBe(409);
  expect(body.error.details.references).toHaveLength(100);
});

test('restores a deleted profile, no longer as the default', async () => {
  const before = await create({
    isDefault: true,
    supportedInputLanguages: ['en', 'pt-BR'],
    outputVoiceId: 'sage',
  });
  expect((await remove(before.id)).body).toStrictEqual({
    id: before.id,
    deleted: true,
    trashId: expect.any(String),
  });
  expect((await read(before.id)).status).toBe(404);
  expect((await remove(before.id)).status).toBe(404);
  const [entry] = await trash();
  expect(entry).toStrictEqual({
    id: expect.stringMatching(/^ctr/),
    kind: 'agentProfile',
    resourceId: before.id,
    name: 'Night',
    deletedAt: timestamp,
    deletedBy: 'Key',
    expiresAt: timestamp,
  });

  const successor = await create({ isDefault: true });
  const { status, body } = await restore(entry?.id);
  expect(status).toBe(200);
  expect(body).toStrictEqual({ id: before.id, kind: 'agentProfile', restored: true });
  expect((await read(before.id)).body).toStrictEqual({ ...before, isDefault: false });
  expect((await read(successor.id)).body.isDefault).toBe(true);
  expect(await trash()).toEqual([]);
  expect((await restore(entry?.id)).status).toBe(404);
});

test('does not restore the default even if no other profile is it', async () => {
  const { id } = await create({ isDefault: true });
  await remove(id);
  const [entry] = await trash();
  await restore(entry?.id);
  expect((await read(id)).body.isDefault).toBe(false);
});

test('deletes a profile after its last flow was removed', async () => {
  const { id } = await create();
  const flowId = await project.newFlow({ agentProfileId: id });
  expect((await remove(id)).status).toBe(409);
  await project.call('PATCH', `/v1/flows/${flowId}`, { agentProfileId: null });
  expect((await remove(id)).status).toBe(200);
});

test('deletes a profile of a flow in the trash, and then does not restore the flow', async () => {
  const { id } = await create();
  const flowId = await project.newFlow({ agentProfileId: id });
  await project.call('DELETE', `/v1/flows/${flowId}`);
  expect((await read(id)).body.flowIds).toEqual([]);
  const [flow] = await trash();
  expect((await remove(id)).status).toBe(200);

  const refused = await restore(flow?.id);
  expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found']);
  expect((await project.call('GET', `/v1/flows/${flowId}`)).status).toBe(404);

  const [profile] = await trash();
  await restore(profile?.id);
  expect((await restore(flow?.id)).status).toBe(200);
  expect((await read(id)).body.flowIds).toEqual([flowId]);
});

test('returns 404 for a profile that is missing or of another project', async () => {
  const other = await openProject(world);
  const foreign = await other.newAgentProfile();
  for (const id of [foreign, newId('agentProfile'), newId('flow')])
    expect((await remove(id)).status).toBe(404);
  expect((await other.call('GET', `/v1/agent-profiles/${foreign}`)).status).toBe(200);
});
