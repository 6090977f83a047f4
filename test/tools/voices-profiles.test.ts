import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { openSecondReplica } from '../helpers/second-replica.ts';
import { openVoiceProject, type VoiceProject } from '../helpers/voice-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: VoiceProject;
let replicas: Awaited<ReturnType<typeof openSecondReplica>>[];
beforeAll(async () => {
  world = await openWorld();
  replicas = [await openSecondReplica(world), await openSecondReplica(world)];
});
beforeEach(async () => {
  project = await openVoiceProject(world);
});
afterAll(() => world.close());

const content = {
  name: 'Night',
  flowIds: [],
  isDefault: false,
  supportedInputLanguages: [],
  reasoningMode: 'fast',
};

const create = (outputVoiceId: string, isDefault = false) =>
  project.call('POST', `/v1/projects/${project.projectId}/agent-profiles`, {
    ...content,
    outputVoiceId,
    isDefault,
  });
const profile = async (outputVoiceId: string, isDefault = false): Promise<string> =>
  (await create(outputVoiceId, isDefault)).body.id;
const read = async (id: string) => (await project.call('GET', `/v1/agent-profiles/${id}`)).body;
const replace = (id: string, outputVoiceId: string, isDefault = false) =>
  project.call('PUT', `/v1/agent-profiles/${id}`, { ...content, outputVoiceId, isDefault });

test('a profile accepts a voice of its project, and returns 404 for a voice of another', async () => {
  const other = await openVoiceProject(world);
  const [voice, foreign] = [await project.newVoice(), await other.newVoice()];
  const { status, body } = await create(voice);
  expect([status, body.outputVoiceId]).toEqual([201, voice]);
  for (const missing of [foreign, newId('voice'), newId('flow'), 'Ada', '']) {
    const refused = [await create(missing), await replace(body.id, missing)];
    for (const answer of refused) {
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
      expect(answer.body.error.message).toBe(`There is no voice ${missing} in this project.`);
    }
  }
  expect((await replace(body.id, 'nova')).body.outputVoiceId).toBe('nova');
});

test('an unknown voice returns a hint to list_voices over MCP', async () => {
  const client = await world.mcp('modern http', project.key);
  const args = { projectId: project.projectId, name: 'Night', outputVoiceId: 'nobody' };
  const { content: blocks } = await client.callTool({ name: 'create_agent_profile', arguments: args });
  expect(JSON.parse(blocks[0]?.text ?? '').hint).toContain('list_voices');
});

test('deleting a voice gives its profiles the default voice, and changes no other profile', async () => {
  const [voice, kept] = [await project.newVoice(), await project.newVoice()];
  const affected = [await profile(voice), await profile(voice, true)];
  const others = [await profile(kept), await profile('nova')];
  await world.rows(
    `update agent_profiles set updated_at = updated_at - interval '1 hour' where project_id = $1`,
    [project.projectId],
  );
  const before = await Promise.all([...affected, ...others].map(read));
  expect((await project.remove(voice)).status).toBe(200);
  const after = await Promise.all([...affected, ...others].map(read));
  for (const index of affected.keys()) {
    expect(after[index]).toEqual({ ...before[index], outputVoiceId: 'alloy', updatedAt: expect.any(String) });
    expect(after[index].updatedAt > before[index].updatedAt).toBe(true);
  }
  expect(after.slice(2)).toEqual(before.slice(2));
  const [entry] = await project.trash();
  await project.restore(entry?.id);
  expect((await read(affected[0] ?? '')).outputVoiceId, 'restoring a voice changes no profile').toBe('alloy');
});

test('a restored profile keeps its voice, or gets the default voice if its own is deleted', async () => {
  const voice = await project.newVoice();
  const restored = async (id: string) => {
    const entry = (await project.trash()).find(({ resourceId }) => resourceId === id);
    expect((await project.restore(entry?.id)).status).toBe(200);
    return (await read(id)).outputVoiceId;
  };
  const [first, second] = [await profile(voice), await profile(voice)];
  for (const id of [first, second]) await project.call('DELETE', `/v1/agent-profiles/${id}`);
  expect(await restored(first)).toBe(voice);
  await project.remove(voice);
  expect(await restored(second)).toBe('alloy');
});

test('a profile never keeps a voice that is deleted concurrently', async () => {
  let turn = 0;
  const send = async (method: string, route: string, body?: object): Promise<number> => {
    const reply = await fetch(`${replicas[turn++ % 2]?.base}${route}`, {
      method,
      headers: { 'x-api-key': project.key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return reply.status;
  };
  const give = (id: string, outputVoiceId: string, isDefault: boolean) =>
    send('PUT', `/v1/agent-profiles/${id}`, { ...content, outputVoiceId, isDefault });
  for (let round = 0; round < 12; round++) {
    const [voice, other] = [await project.newVoice(), await project.newVoice()];
    const ids = [await profile(voice), await profile('nova'), await profile(other, true)];
    const inTrash = await profile(voice);
    await project.call('DELETE', `/v1/agent-profiles/${inTrash}`);
    const [entry] = await project.trash();
    const made = { ...content, outputVoiceId: voice, isDefault: round % 2 === 0 };
    const [deleted, ...others] = await Promise.all([
      send('DELETE', `/v1/voices/${voice}`),
      send('POST', `/v1/projects/${project.projectId}/agent-profiles`, made),
      ...ids.map((id, index) => give(id, voice, index === round % 3)),
      give(ids[0] ?? '', other, true),
      send('POST', `/v1/projects/${project.projectId}/trash/${entry?.id}/restore`),
    ]);
    expect(deleted).toBe(200);
    for (const status of others) expect([200, 201, 404]).toContain(status);
  }
  const dangling = await world.rows(
    `select id from agent_profiles where project_id = $1 and output_voice_id like 'cvo%'
     and output_voice_id not in (select id from voices where project_id = $1)`,
    [project.projectId],
  );
  expect(dangling).toEqual([]);
});

test('a voice that a profile is being given is deleted after the profile has it', async () => {
  const [voice, id] = [await project.newVoice(), await profile('nova')];
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and application_name = 'parley-write'`;
  const { given, deleted } = await world.core.knex.transaction(async (trx) => {
    await trx.raw('select from agent_profiles where id = ? for update', [id]);
    const given = replace(id, voice);
    await expect.poll(() => world.rows(waiting)).toHaveLength(1);
    const deleted = project.remove(voice);
    await expect.poll(() => world.rows(waiting)).toHaveLength(2);
    return { given, deleted };
  });
  expect([(await given).status, (await deleted).status]).toEqual([200, 200]);
  expect((await read(id)).outputVoiceId).toBe('alloy');
});

test('the operations above cause no deadlock in Postgres', async () => {
  // A connection reports the last of its statistics when it closes.
  await Promise.all(replicas.map((replica) => replica.close()));
  const sql = 'select deadlocks::int from pg_stat_database where datname = current_database()';
  expect(await world.rows(sql)).toEqual([{ deadlocks: 0 }]);
});
