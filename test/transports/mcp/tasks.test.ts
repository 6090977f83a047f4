import type { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { purgeExpired } from '../../../src/resources/trash/purge.ts';
import { openKnowledgeProject } from '../../helpers/knowledge-project.ts';
import { fillsForms } from '../../helpers/response-form.ts';
import { openSimulationProject, type SimulationProject, shop } from '../../helpers/simulation-project.ts';
import { hangs } from '../../helpers/upstream.ts';
import { openWorld, type World } from '../../helpers/world.ts';
import { modernMessage } from './modern-message.ts';
import { rpc, sender } from './raw-message.ts';

let world: World;
/** Another replica on the same database. It runs no call of these tests. */
let replica: World;
let project: SimulationProject;
let conversationId: string;
/** Lets the model respond. */
let release: () => void;

/** A model that connects every caller with a person. */
const model = fillsForms({ route: { option: 'person' } });
const scenario = {
  name: 'Asks for a person',
  caller: { script: ['Let me speak to somebody'] },
  mocks: { nodes: { lookup: { status: 200, body: { state: 'packed' } }, log: { status: 200 } } },
};

beforeAll(async () => {
  world = await openWorld();
  replica = await openWorld({ database: { url: world.databaseUrl, drop: async () => undefined } });
  project = await openSimulationProject(world);
  conversationId = await project.conversationOf(shop);
  world.upstream.reacts(model);
  const saved = await project.call('PATCH', `/v1/conversations/${conversationId}/scenarios`, {
    scenarios: [scenario],
  });
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
});
afterAll(async () => {
  await replica.close();
  await world.close();
});
beforeEach(() => {
  const { promise, resolve } = Promise.withResolvers<void>();
  release = resolve;
  world.upstream.reacts(async (request, response) => {
    await promise;
    await model(request, response);
  });
});

const declared = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** A client of 2026-07-28 that takes tasks, unless it has other capabilities. */
function clientOf({ base }: World, key: string, capabilities: object = declared) {
  const send = sender(base, key);
  const ask = async (method: string, params: Record<string, unknown>) =>
    rpc(await send(modernMessage(method, params, capabilities)));
  return {
    ask,
    call: async (name: string, input: object) => (await ask('tools/call', { name, arguments: input })).result,
    get: async (taskId: string) => (await ask('tasks/get', { taskId })).result,
    cancel: async (taskId: string) => (await ask('tasks/cancel', { taskId })).result,
  };
}

const run = () => ({ conversationId });
const here = (key = project.key) => clientOf(world, key);
const elsewhere = (key = project.key) => clientOf(replica, key);

/** Starts a run that waits for the model. */
async function startRun(key = project.key): Promise<string> {
  const started = await here(key).call('run_scenarios', run());
  expect(started).toMatchObject({ resultType: 'task', status: 'working' });
  return started.taskId;
}

/** Waits until so many questions to the model are open. */
const underWay = (count: number, { upstream } = world) =>
  expect.poll(() => upstream.underWay(), { timeout: 10_000 }).toBe(count);

/** Waits until a task has this status, and returns it. */
async function ended(taskId: string, status: string, client = elsewhere()) {
  await expect.poll(async () => (await client.get(taskId)).status, { timeout: 10_000 }).toBe(status);
  return client.get(taskId);
}

describe('a call that takes long', () => {
  it('becomes a task, whose result any replica returns as the call would have', async () => {
    const taskId = await startRun();
    expect(await elsewhere().get(taskId)).toMatchObject({
      resultType: 'complete',
      taskId,
      status: 'working',
      statusMessage: expect.stringMatching(/^Run scenarios: \d+ s so far$/),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUpdatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      ttlMs: 86_400_000,
      pollIntervalMs: 2_000,
    });
    release();
    const { result } = await ended(taskId, 'completed');
    const { _meta, ...whole } = await clientOf(world, project.key, {}).call('run_scenarios', run());
    expect(whole.structuredContent).toMatchObject({ passed: 1, failed: 0 });
    expect(result).toEqual(whole);
  });

  it('is encrypted and leaves with its task a day later', async () => {
    const taskId = await startRun();
    release();
    await ended(taskId, 'completed');
    const [stored] = await world.rows('select sealed_content from tasks where id = $1', [taskId]);
    expect(String(stored?.['sealed_content']).length).toBeGreaterThan(100);
    expect(String(stored?.['sealed_content'])).not.toContain('passed');
    await world.rows(`update tasks set expires_at = now() - interval '1 second' where id = $1`, [taskId]);
    expect((await here().ask('tasks/get', { taskId })).error).toMatchObject({ code: -32_602 });
    await purgeExpired(world.core.knex);
    expect(await world.rows('select id from tasks where id = $1', [taskId])).toEqual([]);
  });

  it('returns its result at once if it is quick', async () => {
    release();
    expect(await here().call('prove_design', run())).toMatchObject({ resultType: 'complete' });
    expect(await here().call('run_scenarios', run())).toMatchObject({ structuredContent: { passed: 1 } });
    expect((await here().call('run_scenarios', { conversationId: 'x' })).isError).toBe(true);
  });

  it('ends on its replica within seconds if another replica cancels it', async () => {
    const taskId = await startRun();
    await underWay(1);
    expect(Object.keys(await elsewhere().cancel(taskId))).toEqual(['resultType', '_meta']);
    expect(await here().get(taskId)).toMatchObject({ status: 'cancelled' });
    await underWay(0);
    release();
    expect(await here().cancel(taskId)).toMatchObject({ resultType: 'complete' });
    expect(await here().get(taskId)).not.toHaveProperty('result');
  });

  it('ends if its key is revoked', async () => {
    const { key, keyId } = await world.key(project.projectId);
    const taskId = await startRun(key);
    await underWay(1);
    await replica.rest('POST', `/v1/keys/${keyId}/revoke`, { key: project.key });
    await underWay(0);
    const rows = () => world.rows('select status from tasks where id = $1', [taskId]);
    await expect.poll(rows, { timeout: 10_000 }).toEqual([{ status: 'failed' }]);
  });

  it('has failed, with a reason, if its process is gone', async () => {
    const taskId = await startRun();
    // The process renews the lease, unless it is gone; it must not bring the task back to life.
    await world.rows('update tasks set lease_until = now() where id = $1', [taskId]);
    const message =
      'The call of run_scenarios was lost: its server stopped, or could not keep the result. Call it again.';
    const failed = { status: 'failed', statusMessage: message, error: { code: -32_603, message } };
    expect(await elsewhere().get(taskId)).toMatchObject(failed);
    await underWay(0);
    release();
    expect(await elsewhere().get(taskId)).toMatchObject(failed);
  });

  it('has failed at once if its server stops', async () => {
    const stopping = await openWorld({ database: { url: world.databaseUrl, drop: async () => undefined } });
    stopping.upstream.reacts(hangs);
    const { taskId } = await clientOf(stopping, project.key).call('run_scenarios', run());
    await underWay(1, stopping);
    await stopping.close();
    expect(await elsewhere().get(taskId)).toMatchObject({ status: 'failed' });
  });

  it('runs without a task if its key has ten already', async () => {
    const { key } = await world.key(project.projectId);
    const tasks = await Promise.all(Array.from({ length: 10 }, () => startRun(key)));
    const eleventh = here(key).call('run_scenarios', run());
    await underWay(11);
    release();
    expect(await eleventh).toMatchObject({ resultType: 'complete', structuredContent: { passed: 1 } });
    for (const taskId of tasks) await ended(taskId, 'completed', elsewhere(key));
  });
});

it('shows a task to its key only, and only with the access of its tool', async () => {
  const taskId = await startRun();
  const [sameProject, stranger] = [await world.key(project.projectId), await world.tenant()];
  for (const { key } of [sameProject, stranger])
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
      expect((await here(key).ask(method, { taskId })).error, method).toMatchObject({
        code: -32_602,
        message: `There is no task ${taskId} of this key.`,
      });
  const narrow = await sender(
    world.base,
    project.key,
  )({
    ...modernMessage('tasks/get', { taskId }, declared),
    query: '?access=read',
  });
  expect(rpc(narrow).error).toMatchObject({ code: -32_602 });
  expect(await here().get(taskId)).toMatchObject({ status: 'working' });
  // Nothing was asked, so there is nothing that a response could change.
  const update = await here().ask('tasks/update', { taskId, inputResponses: { name: { action: 'accept' } } });
  expect(update.result).toMatchObject({ resultType: 'complete' });
  await here().cancel(taskId);
});

describe('the result of a task', () => {
  const read = async (taskId: string, key: string, access: string) => {
    const message = modernMessage('tasks/get', { taskId }, declared);
    return rpc(await sender(replica.base, key)({ ...message, query: `?access=${access}` }));
  };
  /** A task that has ended, of a call with the access draft and publish. */
  async function endedRun() {
    const { keyId, key } = await world.key(project.projectId, { access: ['read', 'draft', 'publish'] });
    const taskId = await startRun(key);
    release();
    await ended(taskId, 'completed', elsewhere(key));
    return { keyId, key, taskId };
  }

  it.each([
    ['is revoked', "status = 'revoked'"],
    ['has expired', 'expires_at = now()'],
  ])('is not shown once its key %s', async (_, change) => {
    const { keyId, key, taskId } = await endedRun();
    await world.rows(`update api_keys set ${change} where id = $1`, [keyId]);
    for (const method of ['tasks/get', 'tasks/cancel']) {
      const { status } = await sender(replica.base, key)(modernMessage(method, { taskId }, declared));
      expect(status, method).toBe(401);
    }
  });

  it('needs the access that the call had', async () => {
    const { key, taskId } = await endedRun();
    for (const access of ['read', 'draft', 'read,draft', 'publish'])
      expect((await read(taskId, key, access)).error, access).toMatchObject({
        message: `There is no task ${taskId} of this key.`,
      });
    expect((await read(taskId, key, 'read,draft,publish')).result).toMatchObject({ status: 'completed' });
  });

  it('needs no more than the narrowed access of its call, and that of its tool if an earlier release made it', async () => {
    const started = await sender(
      world.base,
      project.key,
    )({
      ...modernMessage('tools/call', { name: 'run_scenarios', arguments: run() }, declared),
      query: '?access=draft',
    });
    const { taskId } = rpc(started).result;
    release();
    await ended(taskId, 'completed');
    expect((await read(taskId, project.key, 'draft')).result).toMatchObject({ status: 'completed' });
    await world.rows('update tasks set access = null where id = $1', [taskId]);
    expect((await read(taskId, project.key, 'read')).error).toBeDefined();
    expect((await read(taskId, project.key, 'draft')).result).toMatchObject({ status: 'completed' });
  });
});

describe('a client', () => {
  it('learns from server/discover that there are tasks', async () => {
    const { result } = await here().ask('server/discover', {});
    expect(result.capabilities).toMatchObject(declared);
    const legacy = (await world.mcp('legacy http', project.key)) as unknown as LegacyClient;
    expect(legacy.getServerCapabilities()).not.toHaveProperty('extensions');
  });

  it('that does not declare the extension waits for its calls, and may not use the methods', async () => {
    const plain = clientOf(world, project.key, {});
    const waiting = plain.call('run_scenarios', run());
    await underWay(1);
    setTimeout(release, 1_000);
    expect(await waiting).toMatchObject({ resultType: 'complete', structuredContent: { passed: 1 } });
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
      expect((await plain.ask(method, { taskId: 'x' })).error, method).toMatchObject({
        code: -32_021,
        data: { requiredCapabilities: declared },
      });
  });
});

describe('a crawl', () => {
  it('is a task that follows its source, and ends with the record that the call returns', async () => {
    const knowledge = await openKnowledgeProject(world);
    const { knowledgeBaseId } = knowledge;
    const website = { knowledgeBaseId, type: 'website', name: 'Site', url: 'https://example.com/' };
    const started = await here(knowledge.key).call('add_knowledge_source', website);
    expect(started).toMatchObject({ resultType: 'task', statusMessage: 'Indexing Site: 0 %' });
    const [{ id } = { id: '' }] = await world.rows(
      "update knowledge_sources set progress = 40 where name = 'Site' returning id",
    );
    const client = elsewhere(knowledge.key);
    expect(await client.get(started.taskId)).toMatchObject({ statusMessage: 'Indexing Site: 40 %' });
    await world.rows("update knowledge_sources set indexing_status = 'completed', progress = 100");
    const { result } = await client.get(started.taskId);
    const record = { id, name: 'Site', type: 'website', indexingStatus: 'completed', progress: 100 };
    expect(result).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: JSON.stringify(result.structuredContent) }],
      structuredContent: { ...record, indexing: 'triggered' },
    });
    // The result stays what it was.
    await here(knowledge.key).call('reindex_knowledge_source', { knowledgeBaseId, sourceId: 'Site' });
    expect((await client.get(started.taskId)).result).toEqual(result);
  });

  it('ends with an error if its source is deleted, and goes on if its task is cancelled', async () => {
    const knowledge = await openKnowledgeProject(world);
    const { knowledgeBaseId } = knowledge;
    const sourceId = await knowledge.newSource({
      type: 'website',
      name: 'Site',
      url: 'https://example.com/',
    });
    const client = here(knowledge.key);
    const reindex = () => client.call('reindex_knowledge_source', { knowledgeBaseId, sourceId });
    const [first, second] = [await reindex(), await reindex()];
    await client.cancel(first.taskId);
    expect(await client.get(first.taskId)).toMatchObject({
      status: 'cancelled',
      statusMessage: 'Cancelled; what the call has started goes on by itself',
    });
    expect(await knowledge.read(sourceId)).toMatchObject({ indexingStatus: 'inProgress' });
    await knowledge.remove(sourceId);
    const { status, result } = await client.get(second.taskId);
    expect(status).toBe('completed');
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain('not_found');
  });
});
