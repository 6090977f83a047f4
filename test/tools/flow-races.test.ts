import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProject, type Project } from '../helpers/project.ts';
import type { RestAnswer } from '../helpers/world.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
beforeAll(async () => {
  world = await openWorld();
  project = await openProject(world);
});
afterAll(() => world.close());

const rounds = 15;
const statusesOf = (answers: readonly RestAnswer[]) => new Set(answers.map(({ status }) => status));
const remove = (flowId: string) => project.call('DELETE', `/v1/flows/${flowId}`);
const createVersion = (flowId: string) =>
  project.call('POST', `/v1/flows/${flowId}/versions`, { flowSchema: { greeting: 'Late' } });

/** Restores a deleted flow and returns its versions. */
async function restoredVersions(flowId: string): Promise<{ id: string; isActive: boolean }[]> {
  const route = `/v1/projects/${project.projectId}/trash`;
  const { body } = await project.call('GET', route);
  const entry = body.trash.find(({ resourceId }: { resourceId: string }) => resourceId === flowId);
  expect((await project.call('POST', `${route}/${entry.id}/restore`)).status).toBe(200);
  return (await project.call('GET', `/v1/flows/${flowId}/versions`)).body.versions;
}

test('moves a version that was created during the deletion of its flow into the trash too', async () => {
  for (let round = 0; round < rounds; round++) {
    const flowId = await project.newFlow();
    const creations = [createVersion(flowId), createVersion(flowId)];
    const [deleted, ...created] = await Promise.all([remove(flowId), ...creations, createVersion(flowId)]);
    expect(deleted.status).toBe(200);
    expect([...statusesOf(created)].filter((status) => status !== 201 && status !== 404)).toStrictEqual([]);
    const acknowledged = created.filter(({ status }) => status === 201).map(({ body }) => body.id as string);
    const kept = (await restoredVersions(flowId)).map(({ id }) => id);
    expect(kept).toHaveLength(acknowledged.length + 1);
    expect(kept).toStrictEqual(expect.arrayContaining(acknowledged));
  }
});

test('leaves exactly one version active if an activation races with the deletion of the flow', async () => {
  for (let round = 0; round < rounds; round++) {
    const flowId = await project.newFlow();
    const version = await project.newVersion(flowId);
    const answers = await Promise.all([
      project.call('POST', `/v1/flow-versions/${version}/activate`),
      remove(flowId),
      project.call('PATCH', `/v1/flows/${flowId}`, { name: 'Renamed' }),
    ]);
    expect([...statusesOf(answers)].filter((status) => status !== 200 && status !== 404)).toStrictEqual([]);
    const active = (await restoredVersions(flowId)).filter(({ isActive }) => isActive).map(({ id }) => id);
    expect(active).toHaveLength(1);
    if (answers[0].status === 200) expect(active).toStrictEqual([version]);
  }
});

test('deletes a flow once if several requests delete it at once', async () => {
  for (let round = 0; round < rounds; round++) {
    const flowId = await project.newFlow();
    const answers = await Promise.all(Array.from({ length: 4 }, () => remove(flowId)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toStrictEqual([200, 404, 404, 404]);
    expect(await world.rows('select 1 from trash where resource_id = $1', [flowId])).toHaveLength(1);
  }
});

test('always leaves an active version while versions are created and activated at once', async () => {
  const flowId = await project.newFlow();
  for (let round = 0; round < rounds; round++) {
    const version = await project.newVersion(flowId);
    const answers = await Promise.all([
      project.call('POST', `/v1/flow-versions/${version}/activate`),
      createVersion(flowId),
      project.call('POST', `/v1/flow-versions/${version}/activate`),
    ]);
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 201, 200]);
    const { body } = await project.call('GET', `/v1/flows/${flowId}/versions`);
    const active = body.versions.filter(({ isActive }: { isActive: boolean }) => isActive);
    expect(active.map(({ id }: { id: string }) => id)).toStrictEqual([version]);
  }
});
