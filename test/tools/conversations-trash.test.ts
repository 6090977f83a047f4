import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { disclosedDesign, disclosing } from '../designs/disclosed.ts';
import {
  created,
  type DesignProject,
  openDesignProject,
  refused,
  renamed,
} from '../helpers/design-project.ts';
import { timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openDesignProject(world);
});
afterAll(() => world.close());

const at = (id: string) => `/v1/conversations/${id}`;
const remove = (id: string) => project.call('DELETE', at(id));
const trash = async () =>
  (await project.call('GET', `/v1/projects/${project.projectId}/trash`)).body.trash as { id: string }[];
const restore = (trashId: string | undefined) =>
  project.call('POST', `/v1/projects/${project.projectId}/trash/${trashId}/restore`);

/** A conversation with the design unusual-ids, rolled back, and everything that can be read of it. */
async function richConversation() {
  const design = await disclosedDesign(world, project, 'unusual-ids');
  const id = await project.newConversation({ name: 'Rich', description: 'é 😀', design });
  for (const name of ['Second', 'Third'])
    created(await project.write(id, renamed(design, name), { tag: `tag ${name}` }));
  await project.activate(id, 3);
  await project.activate(id, 2);
  await world.rows(
    `update conversations set created_at = created_at - interval '1 hour', updated_at = updated_at - interval '1 hour'
     where id = $1`,
    [id],
  );
  const read = async () => {
    const answers = [await project.call('GET', at(id)), await project.call('GET', `${at(id)}/versions`)];
    for (const n of [1, 2, 3]) answers.push(await project.read(id, n));
    return answers.map(({ status, body }) => (status === 200 ? JSON.stringify(body) : status));
  };
  return { id, read };
}

test('moves a deleted conversation to the trash for 30 days and returns {id, deleted: true}', async () => {
  const { id, read } = await richConversation();
  const { status, body } = await remove(id);
  expect({ status, body }).toStrictEqual({
    status: 200,
    body: { id, deleted: true, trashId: expect.any(String) },
  });
  expect(await read()).toEqual([404, 404, 404, 404, 404]);
  for (const answer of [
    await remove(id),
    await project.call('PATCH', at(id), {}),
    await project.write(id, starterDesign),
    await project.validate(id, starterDesign),
    await project.activate(id, 1),
  ])
    refused(answer, 404, 'not_found');
  const listed = (await project.call('GET', `/v1/projects/${project.projectId}/conversations`)).body
    .conversations;
  expect(listed.map((conversation: { id: string }) => conversation.id)).not.toContain(id);
  const [entry] = await trash();
  expect(entry).toStrictEqual({
    id: expect.stringMatching(/^ctr/),
    kind: 'conversation',
    resourceId: id,
    name: 'Rich',
    deletedAt: timestamp,
    deletedBy: 'Key',
    expiresAt: timestamp,
  });
});

test('restores versions, designs, the active version and timestamps unchanged', async () => {
  const { id, read } = await richConversation();
  const before = await read();
  await remove(id);
  const [entry] = await trash();
  const { status, body } = await restore(entry?.id);
  expect({ status, body }).toStrictEqual({ status: 200, body: { id, kind: 'conversation', restored: true } });
  expect(await read()).toStrictEqual(before);
  expect(await trash()).toEqual([]);
  refused(await restore(entry?.id), 404, 'not_found');
  expect(created(await project.write(id, starterDesign, { version: 3 })).version).toBe(4);
});

test('restores a conversation of kind simple', async () => {
  const { id } = created(await project.create({ kind: 'simple' }));
  const before = (await project.call('GET', at(id))).body;
  await remove(id);
  await restore((await trash())[0]?.id);
  expect((await project.call('GET', at(id))).body).toStrictEqual(before);
  refused(await project.read(id, 1), 501, 'not_yet_supported');
});

test('refuses to restore a conversation until its agent profile is restored', async () => {
  const profiles = `/v1/projects/${project.projectId}/agent-profiles`;
  const { id: agentId } = created(await project.call('POST', profiles, { name: 'Night' }));
  const id = await project.newConversation({ agentId });
  await remove(id);
  const [entry] = await trash();
  expect((await project.call('DELETE', `/v1/agent-profiles/${agentId}`)).status).toBe(200);
  refused(await restore(entry?.id), 404, 'not_found');
  expect(await world.rows('select 1 from conversation_versions where conversation_id = $1', [id])).toEqual(
    [],
  );
  const [profile] = await trash();
  await restore(profile?.id);
  expect((await restore(entry?.id)).status).toBe(200);
  expect((await project.call('GET', at(id))).body.agentId).toBe(agentId);
});

test('lets a design that transfers to it be read and activated, but not written again', async () => {
  const target = await project.newConversation();
  const design = {
    schemaVersion: 'cd/1',
    entry: { stepId: 'hello' },
    steps: {
      hello: { kind: 'greeting', introLine: disclosing, on: { next: 'on' } },
      on: { kind: 'transfer', destination: { kind: 'conversation', value: target } },
    },
  };
  const id = await project.newConversation({ design });
  await remove(target);
  expect((await project.read(id, 1)).status).toBe(200);
  expect((await project.activate(id, 1)).status).toBe(200);
  refused(await project.write(id, design), 404, 'not_found');
  await restore((await trash())[0]?.id);
  created(await project.write(id, design));
});

test('moves a version to the trash that was stored during the deletion', async () => {
  for (let round = 0; round < 8; round++) {
    const id = await project.newConversation();
    const writes = [1, 2, 3].map(() => project.write(id, starterDesign));
    const [deleted, activated, ...answers] = await Promise.all([
      remove(id),
      project.activate(id, 1),
      ...writes,
    ]);
    expect(deleted.status).toBe(200);
    expect([200, 404]).toContain(activated.status);
    for (const { status } of answers) expect([201, 404]).toContain(status);
    const acknowledged = answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => body.version as number);
    const [entry] = await trash();
    expect((await restore(entry?.id)).status).toBe(200);
    const numbers = (await project.versions(id)).map(({ n }) => n);
    expect(new Set(numbers)).toEqual(new Set([1, ...acknowledged]));
  }
});
