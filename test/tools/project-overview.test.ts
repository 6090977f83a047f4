import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Access } from '../../src/operation/access.ts';
import { disclosing } from '../designs/disclosed.ts';
import { openProject, type Project } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

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

/** The map of a project on MCP, and its tokens. */
async function mapOf(project: Project) {
  const client = await world.mcp('modern http', project.key);
  const { content, structuredContent, isError } = await client.callTool({
    name: 'get_project_overview',
    arguments: {},
  });
  const text = content[0]?.text ?? '';
  expect(isError ?? false, text).toBe(false);
  return { map: structuredContent as Record<string, object>, text, tokens: countTokens(text) };
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
  await make(project, 'phone-numbers', number(1));
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
      { at: 'web agent Chat', kind: 'conversation', id: conversationId, name: 'Desk', version: 1 },
    ],
    drafts: [{ kind: 'flow', id: flowId, active: 1, newest: 2 }],
    problems: ['Without a handler: +12025550001. assign_flow or assign_conversation.'],
    next: ['activate_flow_version {"flowId":"Hours","version":2} puts the draft live.'],
  });
});

test('lists every draft, the last changed first', async () => {
  const project = await openProject(world);
  const flowIds: string[] = [];
  for (const name of ['One', 'Two', 'Three', 'Four']) {
    const flowId = await project.newFlow({ name, flowSchema: { greeting: disclosing } });
    await project.newVersion(flowId, { greeting: 'Hi' });
    flowIds.unshift(flowId);
  }
  const { drafts, draftCount } = await overview(project);
  expect(drafts.map(({ id }: { id: string }) => id)).toStrictEqual(flowIds);
  expect(draftCount).toBe(4);
});

test('maps every record by its name, and gives an id only if no name stands for it', async () => {
  const project = await openProject(world);
  const flowSchema = { greeting: disclosing };
  const hours = await project.newFlow({ name: 'Hours', flowSchema });
  await project.newVersion(hours, flowSchema);
  const twins = [
    await project.newFlow({ name: 'Desk', flowSchema }),
    await project.newFlow({ name: ' Desk ', flowSchema }),
  ];
  const longName = 'A flow that answers what callers ask about the practice at night';
  const long = await project.newFlow({ name: longName, flowSchema });
  await project.newFlow({ name: '__proto__', flowSchema });
  const ownForm = `cfl${'0'.repeat(26)}`;
  const id = await project.newFlow({ name: ownForm, flowSchema });
  const conversationId = await make(project, 'conversations', { name: 'Desk' });
  await make(project, 'phone-numbers', number(1));
  await make(project, 'phone-numbers', number(2, { flowId: hours }));
  const off = await make(project, 'phone-numbers', number(3, { flowId: twins[0] }));
  await project.call('PATCH', `/v1/phone-numbers/${off}`, { status: 'disabled' });
  const agent = { name: 'Chat', channel: 'widget', conversationId, scopes: ['chat'] };
  await make(project, 'web-sessions/agents', agent);
  await make(project, 'agent-profiles', { name: 'Anna' });
  await make(project, 'knowledge-bases', { name: 'Facts' });
  const { map, text } = await mapOf(project);
  expect(map).toStrictEqual({
    project: expect.objectContaining({ status: 'active', requireDisclosure: false }),
    access: ['read', 'run', 'draft', 'publish', 'admin'],
    numbers: {
      '+12025550003': `Line (disabled): flow ${twins[0]} (Desk)`,
      '+12025550002': 'Line: flow Hours',
      '+12025550001': 'Line: nothing',
    },
    webAgents: { Chat: 'Desk' },
    flows: expect.any(Object),
    conversations: { Desk: 'v1' },
    agentProfiles: ['Anna'],
    knowledgeBases: ['Facts'],
    integrations: [],
    notListed: {},
    problems: [
      'Without a handler: +12025550001. assign_flow or assign_conversation.',
      'Disabled: +12025550003.',
    ],
    next: ['activate_flow_version {"flowId":"Hours","version":2} puts the draft live.'],
  });
  // Those with a draft come first, then those that callers meet, then the newest.
  expect(Object.entries(map['flows'] ?? {})).toStrictEqual([
    ['Hours', 'v1, draft v2'],
    [`${twins[0]} (Desk)`, 'v1'],
    [`${id} (${ownForm})`, 'v1'],
    ['__proto__', 'v1'],
    [`${long} (A flow that answers what call…)`, 'v1'],
    [`${twins[1]} ( Desk )`, 'v1'],
  ]);
  expect(text).not.toContain(hours);
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

/** Adds so many records of each of five kinds. */
async function addRecords({ projectId }: Project, made: number, nameOf: (record: number) => string) {
  const names = Array.from({ length: made }, (_, index) => nameOf(made * 100 + index));
  const rows = `select $1, 'c%' || md5(name), name, row_number() over () from unnest(cast($2 as text[])) name`;
  const rowsOf = (letters: string) => rows.replace('%', letters);
  const insert = (table: string, columns: string, letters: string, values: string) =>
    world.rows(
      `with rows (project_id, id, name, n) as (${rowsOf(letters)})
       insert into ${table} (project_id, id, ${columns}) select project_id, id, ${values} from rows`,
      [projectId, names],
    );
  await insert('flows', 'name, type, newest_version', 'fl', `name, 'simple', 1 + n % 3`);
  await insert(
    'flow_versions',
    'flow_id, version, tag, flow_schema, flow_schema_bytes, is_active',
    'fv',
    `'cfl' || md5(name), 1, 'v1', '{}', 2, true`,
  );
  await insert('conversations', 'name, kind, active_version, newest_version', 'cv', `name, 'advanced', 1, 1`);
  await insert(
    'phone_numbers',
    'name, number, type, flow_id',
    'pn',
    `name, '+1202' || ${made} || lpad(n::text, 5, '0'), 'partner', case when n % 4 > 0 then 'cfl' || md5(name) end`,
  );
  await insert('knowledge_bases', 'name', 'kb', 'name');
  await insert('agent_profiles', 'name, reasoning_mode, output_voice_id', 'ap', `name, 'fast', 'alloy'`);
}

/** Names as people give them. */
const named: Readonly<Record<string, (made: number) => string>> = {
  'numbered names': (made) => `Line ${made}`,
  'English names': (made) => `Appointment reminders of the practice ${made}`,
  'German names': (made) => `Terminvereinbarung Zahnarztpraxis ${made}`,
  'Japanese names': (made) => `歯科医院の受付窓口${made}`,
  'long names': (made) => `A record with a rather long name that a person has typed in a hurry ${made}`,
};

test.each(Object.entries(named))(
  'its map stays under 700 tokens with 20 to 200 records of %s, and counts those left out',
  async (_, nameOf) => {
    const [project, other] = [await openProject(world), await openProject(world)];
    await other.newFlow({ name: 'Of another project' });
    let records = 0;
    for (const made of [4, 8, 28]) {
      records += 5 * made;
      await addRecords(project, made, nameOf);
      const { map, text, tokens } = await mapOf(project);
      expect(tokens, text).toBeLessThanOrEqual(700);
      expect(text).not.toContain('Of another project');
      const { project: _, access: __, problems: ___, next: ____, notListed, ...kinds } = map;
      const listed = Object.values(kinds).reduce((sum, kind) => sum + Object.keys(kind).length, 0);
      const leftOut = Object.values(notListed ?? {}).reduce((sum: number, count: number) => sum + count, 0);
      expect(listed + leftOut).toBe(records);
    }
  },
);

test('says what the plan limits, and how much of it is used', async () => {
  const project = await openProject(world, { plan: 'free' });
  await make(project, 'conversations', { name: 'Desk' });
  await make(project, 'phone-numbers', number(1));
  expect((await overview(project)).limits).toStrictEqual({
    conversations: { limit: 3, used: 1 },
    knowledgeBases: { limit: 1, used: 0 },
    phoneNumbers: { limit: 1, used: 1 },
    steps: { limit: 20 },
  });
  expect((await mapOf(project)).map['limits']).toBe(
    'conversations 1 of 3, knowledgeBases 0 of 1, phoneNumbers 1 of 1, steps of a design up to 20',
  );
  const unlimited = await openProject(world);
  expect((await overview(unlimited)).limits).toStrictEqual({});
  expect((await mapOf(unlimited)).map).not.toHaveProperty('limits');
});

test('suggests only calls that the key may make', async () => {
  const project = await openProject(world);
  const nextFor = async (...narrowed: Access[]) => {
    const { key } = await world.key(project.projectId, { access: narrowed });
    const path = `/v1/projects/${project.projectId}/overview`;
    return (await world.rest('GET', path, { key })).body.next;
  };
  expect(await nextFor('read', 'draft')).toHaveLength(1);
  expect(await nextFor('read')).toStrictEqual([]);
  const conversationId = await make(project, 'conversations', { name: 'Desk' });
  const merge = { steps: { goodbye: { line: 'Bye.' } } };
  const edited = await project.call('PATCH', `/v1/conversations/${conversationId}/versions/1/design`, {
    merge,
  });
  expect(edited.status).toBe(201);
  const shown = 'shows the draft, which this key may not activate.';
  expect(await nextFor('read', 'draft')).toStrictEqual([
    `diff_designs {"conversationId":"Desk","version":2} ${shown}`,
  ]);
  expect(await nextFor('read', 'publish')).toStrictEqual([
    'diff_designs, then activate_conversation_version {"conversationId":"Desk","version":2}.',
    'import_phone_number or create_web_agent, so that somebody can talk to it.',
  ]);
  const flow = await openProject(world);
  const flowId = await flow.newFlow({ name: 'Hours', flowSchema: { greeting: disclosing } });
  await flow.newVersion(flowId, { greeting: 'Hi' });
  const { key } = await world.key(flow.projectId, { access: ['read', 'draft'] });
  const answer = await world.rest('GET', `/v1/projects/${flow.projectId}/overview`, { key });
  expect(answer.body.next).toStrictEqual([]);
});
