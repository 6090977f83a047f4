import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../helpers/world.ts';
import { openProject, type Project } from './project.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function overview(project: Project) {
  const { status, body } = await project.call('GET', `/v1/projects/${project.projectId}/overview`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function make(project: Project, route: string, body: unknown): Promise<string> {
  const answer = await project.call('POST', `/v1/projects/${project.projectId}/${route}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

const number = (last: number, more = {}) => ({
  name: 'Line',
  number: `+1202555${String(last).padStart(4, '0')}`,
  type: 'partner',
  ...more,
});

test('an empty project is told how to begin', async () => {
  const project = await openProject(world);
  expect(await overview(project)).toMatchObject({
    project: { status: 'active' },
    access: ['read', 'run', 'draft', 'publish', 'admin'],
    counts: { flows: 0, conversations: 0, phoneNumbers: 0 },
    live: [],
    drafts: [],
    problems: [],
    next: ['list_templates, then create_conversation with a templateKey.'],
  });
});

test('shows what is live, what is a draft, what is wrong and what to do next', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow({ name: 'Hours' });
  await project.newVersion(flowId, { greeting: 'Hi' });
  const conversationId = await make(project, 'conversations', { name: 'Desk' });
  const open = await make(project, 'phone-numbers', number(1));
  await make(project, 'phone-numbers', number(2, { flowId }));
  await make(project, 'web-sessions/agents', {
    name: 'Chat',
    channel: 'widget',
    conversationId,
    scopes: ['chat'],
  });
  expect(await overview(project)).toMatchObject({
    counts: { flows: 1, conversations: 1, phoneNumbers: 2, webAgents: 1 },
    live: [
      { at: '+12025550002', kind: 'flow', id: flowId, name: 'Hours', version: 1 },
      { at: 'web agent Chat', kind: 'conversation', id: conversationId, version: 1 },
    ],
    drafts: [{ kind: 'flow', id: flowId, active: 1, newest: 2 }],
    problems: [`+12025550001 has no handler: assign_conversation or assign_flow {phoneNumberId: ${open}}.`],
    next: [`list_flow_versions {flowId: ${flowId}}, then activate_flow_version.`],
  });
});

test('stays under 700 tokens for a project with many records, and lists none of another project', async () => {
  const [project, other] = [await openProject(world), await openProject(world)];
  await other.newFlow({ name: 'Of another project' });
  for (let made = 0; made < 8; made++) {
    const flowId = await project.newFlow({ name: `A flow with a rather long name ${made}` });
    await project.newVersion(flowId, {});
    await make(project, 'phone-numbers', number(made, made % 2 ? { flowId } : {}));
  }
  const body = JSON.stringify(await overview(project));
  expect(countTokens(body)).toBeLessThanOrEqual(700);
  expect(body).not.toContain('Of another project');
});
