import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type KnowledgeProject, openKnowledgeProject } from '../../helpers/knowledge-project.ts';
import { openWorld, type World } from '../../helpers/world.ts';
import { modernMessage } from './modern-message.ts';

const launcher = path.resolve(import.meta.dirname, '../../../bin/parley.js');

let world: World;
let project: KnowledgeProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openKnowledgeProject(world);
});
afterAll(() => world.close());

const declared = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** Starts `parley mcp` as a client of 2026-07-28 that takes tasks. */
function startMcp(env: Record<string, string>) {
  const all = { ...env, PARLEY_API_KEY: project.key };
  const child = spawn(process.execPath, [launcher, 'mcp'], { env: all, stdio: ['pipe', 'pipe', 'ignore'] });
  const reader = createInterface({ input: child.stdout });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  return async (method: string, params: Record<string, unknown>) => {
    const next = once(reader, 'line');
    child.stdin.write(`${String(modernMessage(method, params, declared).body)}\n`);
    return JSON.parse(String((await next)[0]));
  };
}

test.each([
  ['a database', () => world.environment],
  ['a server', () => ({ PARLEY_URL: world.base, PARLEY_HOME: '/nonexistent/parley' })],
])('parley mcp with %s carries tasks', async (_, env) => {
  const ask = startMcp(env());
  const website = { type: 'website', name: 'Site', url: 'https://example.com/' };
  const call = {
    name: 'add_knowledge_source',
    arguments: { knowledgeBaseId: project.knowledgeBaseId, ...website },
  };
  const { taskId, resultType } = (await ask('tools/call', call)).result;
  expect(resultType).toBe('task');
  expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
  expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
  expect((await ask('tasks/get', { taskId: 'x' })).error).toMatchObject({ code: -32_602 });
});
