import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyDatabase, newHome, parley, query } from '../helpers/parley.ts';

const freshStart = async () => ({ DATABASE_URL: await emptyDatabase(), PARLEY_HOME: newHome() });

async function demoOf(env: Readonly<Record<string, string>>) {
  const { code, stdout, stderr } = await parley(['demo', '--json'], env);
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('demo', () => {
  test('makes the demo on an empty database, prints the same ids each time, and stores them for this user only', async () => {
    const env = await freshStart();
    const demo = await demoOf(env);
    const file = path.join(env.PARLEY_HOME, 'demo.json');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const { url, ...kept } = demo;
    expect(url).toBe('http://127.0.0.1:8080');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toStrictEqual(kept);
    expect(await demoOf(env)).toStrictEqual(demo);
    const { stdout } = await parley(['demo'], env);
    expect(stdout).toContain(`flowVersionIds: ${demo.flowVersionIds.join(',')}\n`);
    expect(stdout).toContain(`otherProject.key: ${demo.otherProject.key}\n`);
  });

  test('prints ids of existing records, and the other project sees none of the first', async () => {
    const env = await freshStart();
    const demo = await demoOf(env);
    const rows = await query(
      env.DATABASE_URL,
      `select id from flows union select id from flow_versions union select id from agent_profiles
       union select id from api_keys union select id from projects union select id from organizations union select id from conversations
       union select id from integrations union select id from phone_numbers union select id from web_agents
       union select id from knowledge_bases union select id from knowledge_sources`,
    );
    const ids = JSON.stringify(demo).match(/\bc[a-z]{2}[0-9a-v]{26}\b/g) ?? [];
    expect(ids.length).toBeGreaterThan(8);
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    const call = (key: string, tool: string, input: object) =>
      parley(['call', tool, '--input', JSON.stringify(input)], { ...env, PARLEY_API_KEY: key });
    expect((await call(demo.key, 'get_flow', { flowId: demo.flowId })).code).toBe(0);
    const { stdout: number } = await call(demo.key, 'get_phone_number', {
      phoneNumberId: demo.phoneNumberId,
    });
    expect(JSON.parse(number)).toMatchObject({
      type: 'native',
      status: 'enabled',
      handler: { kind: 'flow', id: demo.flowId },
    });
    const design = (conversationId: string) => call(demo.key, 'read_design', { conversationId, version: 1 });
    expect(JSON.parse((await design(demo.conversationId)).stdout).schemaVersion).toBe('cd/1');
    // The first conversation that a newcomer sees works.
    const conversations = await call(demo.key, 'list_conversations', { projectId: demo.projectId });
    expect(JSON.parse(conversations.stdout).conversations[0].id).toBe(demo.conversationId);
    const codeOf = async (id: string) => JSON.parse((await design(id)).stderr).error.code;
    expect(await codeOf(demo.simpleConversationId)).toBe('not_yet_supported');
    expect(await codeOf(demo.importedConversationId)).toBe('unsupported_step');
    const read = await design(demo.conversationId);
    const checked = { conversationId: demo.conversationId, design: JSON.parse(read.stdout) };
    const { valid, problems } = JSON.parse((await call(demo.key, 'validate_design', checked)).stdout);
    expect({ valid, problems }).toStrictEqual({ valid: true, problems: [] });
    const { knowledgeBaseId, knowledgeSourceId: sourceId } = demo;
    const source = await call(demo.key, 'get_knowledge_source', { knowledgeBaseId, sourceId });
    expect(JSON.parse(source.stdout)).toMatchObject({ type: 'file', indexingStatus: 'inProgress' });
    const session = await call(demo.key, 'create_web_session', { webAgentId: demo.webAgentId });
    // No LiveKit server runs at the default address.
    expect(session.stderr).toContain('LiveKit');
    const foreign = await call(demo.otherProject.key, 'get_flow', { flowId: demo.flowId });
    expect(JSON.parse(foreign.stderr).error.code).toBe('not_found');
    const own = await call(demo.otherProject.key, 'list_projects', {});
    expect(JSON.parse(own.stdout).projects[0].id).toBe(demo.otherProject.projectId);
    const usageOf = async (key: string, projectId: string) =>
      JSON.parse((await call(key, 'get_project_usage', { projectId })).stdout).points.length;
    expect(await usageOf(demo.key, demo.projectId)).toBe(42);
    expect(await usageOf(demo.otherProject.key, demo.otherProject.projectId)).toBe(0);
    const publishable = await call(demo.publishableKey, 'list_projects', {});
    expect(JSON.parse(publishable.stderr).error.code).toBe('forbidden');
  });

  test('reports in one line that there is no demo: in production, without its file, or with a damaged one', async () => {
    const env = await freshStart();
    const production = { ...env, NODE_ENV: 'production', PARLEY_SECRET_KEY: 'a secret of sixteen and more' };
    const errorIn = async (environment: Readonly<Record<string, string>>) => {
      const { code, stdout, stderr } = await parley(['demo', '--json'], environment);
      expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^parley: [^\n]+\n$/);
      return stderr;
    };
    expect(await errorIn(production)).toContain('production');
    const { key } = await demoOf(env);
    expect(await errorIn({ ...env, PARLEY_HOME: newHome(), PARLEY_API_KEY: key })).toContain('no demo in');
    writeFileSync(path.join(env.PARLEY_HOME, 'demo.json'), '{"projectId": 1}');
    expect(await errorIn(env)).toContain('demo.json is damaged');
  });
});
