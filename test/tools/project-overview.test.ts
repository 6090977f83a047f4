import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disclosing } from '../designs/disclosed.ts';
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
  const flowId = await project.newFlow({ name: 'Hours', flowSchema: { greeting: disclosing } });
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

test('names the newest records that stand nowhere else in it, with their ids', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow({ name: 'Hours', flowSchema: { greeting: disclosing } });
  const spare = await project.newFlow({ name: 'Spare', flowSchema: { greeting: disclosing } });
  const answered = await make(project, 'phone-numbers', number(2, { flowId }));
  const base = await make(project, 'knowledge-bases', { name: 'Facts' });
  const { newest } = await overview(project);
  expect(newest).toEqual({
    flows: { [spare]: 'Spare' },
    knowledgeBases: { [base]: 'Facts' },
    phoneNumbers: { [answered]: expect.any(String) },
  });
});

test('names what is live and would not go live today', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow({ name: 'Hours', flowSchema: { greeting: 'Hi, how can I help?' } });
  const honest = await project.newFlow({ name: 'Honest', flowSchema: { greeting: disclosing } });
  const conversationId = await make(project, 'conversations', { name: 'Desk' });
  await make(project, 'phone-numbers', number(1, { flowId }));
  await make(project, 'phone-numbers', number(2, { flowId }));
  await make(project, 'phone-numbers', number(3, { flowId: honest }));
  await make(project, 'web-sessions/agents', {
    name: 'Chat',
    channel: 'widget',
    conversationId,
    scopes: ['chat'],
  });
  const silent = 'Live flows do not disclose the AI: Hours. edit_flow, then activate_flow_version.';
  expect(await overview(project)).toMatchObject({
    project: { requireDisclosure: false },
    problems: [silent],
  });

  await project.call('PATCH', `/v1/projects/${project.projectId}`, { requireDisclosure: true });
  // Parley stored such designs before it proved them, and an import brings what it finds.
  const route = { kind: 'answer', instruction: 'Help.', on: { next: 'bye' } };
  const imported = {
    schemaVersion: 'cd/1',
    entry: { stepId: 'a' },
    steps: { a: route, bye: { kind: 'end' } },
  };
  for (const design of [imported, 5]) {
    await world.rows('update conversation_versions set design = $2 where conversation_id = $1', [
      conversationId,
      JSON.stringify(design),
    ]);
    expect(await overview(project)).toMatchObject({
      project: { requireDisclosure: true },
      problems: [
        'Live flows do not disclose the AI, although the project requires it: Hours. edit_flow, then activate_flow_version.',
        'Live versions could not be activated today: Desk. activate_conversation_version says why.',
      ],
    });
  }
});

test('stays under 700 tokens for a project with many records, and lists none of another project', async () => {
  const [project, other] = [await openProject(world), await openProject(world)];
  await other.newFlow({ name: 'Of another project' });
  for (let made = 0; made < 8; made++) {
    const flowId = await project.newFlow({ name: `A flow with a rather long name ${made}` });
    await project.newVersion(flowId, {});
    await make(project, 'phone-numbers', number(made, made % 2 ? { flowId } : {}));
    for (const kind of ['conversations', 'agent-profiles', 'knowledge-bases'])
      await make(project, kind, { name: `A record with a rather long name ${made}` });
  }
  const body = JSON.stringify(await overview(project));
  expect(countTokens(body)).toBeLessThanOrEqual(700);
  expect(body).not.toContain('Of another project');
});
