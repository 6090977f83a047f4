import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openProject, type Project } from '../helpers/project.ts';
import { type McpClient, openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openProject(world);
  client = await world.mcp('modern http', project.key);
});
afterAll(() => world.close());

async function created(route: string, body: Record<string, unknown>, key = project.key): Promise<string> {
  const answer = await world.rest('POST', route, { key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

const newBase = (name: string, { projectId, key }: Project = project) =>
  created(`/v1/projects/${projectId}/knowledge-bases`, { name }, key);

const newConversation = (name: string, design?: unknown) =>
  created(`/v1/projects/${project.projectId}/conversations`, {
    name,
    ...(design !== undefined && { design }),
  });

/** A design that answers from a base and transfers to a conversation. */
function design(base: string, conversation: string) {
  return {
    schemaVersion: 'cd/1',
    entry: { stepId: 'hi' },
    knowledge: [{ id: 'facts', kind: 'knowledgeBase', knowledgeBaseId: base }],
    steps: {
      hi: { kind: 'greeting', introLine: 'Hello, I am an AI assistant.', on: { next: 'on' } },
      on: { kind: 'transfer', destination: { kind: 'conversation', value: conversation } },
    },
  };
}

async function stored(id: string, version: number) {
  const { body } = await project.call('GET', `/v1/conversations/${id}/versions/${version}/design`);
  return [body.knowledge[0].knowledgeBaseId, body.steps.on.destination.value];
}

test('a write accepts the names of records, in any case, and stores their ids', async () => {
  const [base, desk] = [await newBase('Opening hours'), await newConversation('Desk')];
  const id = await newConversation('Shop', design('Opening hours', 'desk'));
  expect(await stored(id, 1)).toEqual([base, desk]);
  const written = await project.call('POST', `/v1/conversations/${id}/versions`, {
    design: design(' OPENING HOURS ', 'Desk'),
  });
  expect([written.status, written.body.summary]).toEqual([201, ['nothing changed']]);
  const prices = await newBase('Prices');
  const edited = await project.call('PATCH', `/v1/conversations/${id}/versions/2/design`, {
    patch: [{ op: 'replace', path: '/knowledge/0/knowledgeBaseId', value: 'Prices' }],
    activate: true,
  });
  expect(edited.status, JSON.stringify(edited.body)).toBe(201);
  expect(await stored(id, 3)).toEqual([prices, desk]);
});

test('over MCP, too, and validation shows the design as it would be stored', async () => {
  const [base, desk] = [await newBase('Opening hours'), await newConversation('Desk')];
  const call = async (name: string, input: Record<string, unknown>) => {
    const { structuredContent, content } = await client.callTool({ name, arguments: input });
    return (structuredContent ?? JSON.parse(content[0]?.text ?? '')) as Record<string, unknown>;
  };
  const { id } = await call('create_conversation', { name: 'Shop', design: design('Opening hours', 'Desk') });
  expect(await stored(String(id), 1)).toEqual([base, desk]);
  await call('write_design', {
    conversationId: 'Shop',
    version: 'newest',
    design: design('Opening hours', 'Shop'),
  });
  expect(await stored(String(id), 2)).toEqual([base, id]);
  const { status, body } = await project.call('POST', `/v1/conversations/${String(id)}/designs/validate`, {
    design: design('Opening hours', 'Desk'),
  });
  expect([status, body.valid]).toEqual([200, true]);
  expect(body.design.knowledge[0].knowledgeBaseId).toBe(base);
});

test('names an unknown and an ambiguous name at its place, with what could be meant', async () => {
  const [one, two] = [await newBase('Twins'), await newBase('Twins')];
  await newConversation('Front desk');
  const { status, body } = await project.call('POST', `/v1/projects/${project.projectId}/designs/validate`, {
    design: design('Twins', 'Front dask'),
  });
  expect(status).toBe(200);
  const [first, second] = body.problems;
  expect([first.path, second.path]).toEqual(['/knowledge/0/knowledgeBaseId', '/steps/on/destination/value']);
  expect(first.hint).toContain(`2 records of the kind knowledge base have this name.`);
  expect(first.hint).toContain(one);
  expect(first.hint).toContain(two);
  expect(second.hint).toBe('Did you mean "Front desk"? list_conversations shows the ids.');
  const refused = await project.call('POST', `/v1/projects/${project.projectId}/conversations`, {
    name: 'Shop',
    design: design('Twins', 'Front desk'),
  });
  expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found']);
});

test('one name in the same letters comes before others, and an id before a name', async () => {
  const [exact, imported] = [await newBase('Facts'), 'cimported1'];
  await newBase('FACTS');
  await world.rows('insert into knowledge_bases (project_id, id, name) values ($1, $2, $3)', [
    project.projectId,
    imported,
    'Old',
  ]);
  await newBase(imported);
  const desk = await newConversation('Desk');
  expect(await stored(await newConversation('A', design('Facts', 'Desk')), 1)).toEqual([exact, desk]);
  expect(await stored(await newConversation('B', design(imported, 'Desk')), 1)).toEqual([imported, desk]);
});

test('a record of another project is not found, and no name of it is suggested', async () => {
  const other = await openProject(world);
  await newBase('Their secret base', other);
  await newConversation('Desk');
  const route = `/v1/projects/${project.projectId}/conversations`;
  for (const base of ['Their secret base', 'Their secret bass']) {
    const { status, body } = await project.call('POST', route, {
      name: 'Shop',
      design: design(base, 'Desk'),
    });
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  }
  const { content } = await client.callTool({
    name: 'create_conversation',
    arguments: { name: 'Shop', design: design('Their secret bass', 'Desk') },
  });
  expect(content[0]?.text).not.toContain('Their secret base');
});

test('a key that may not list records neither uses nor learns their names', async () => {
  await newBase('Opening hours');
  const desk = await newConversation('Desk');
  const { key } = await world.key(project.projectId, { access: ['draft'] });
  const drafts = await world.mcp('modern http', key);
  for (const base of ['Opening hours', 'Opening hour']) {
    const { isError, content } = await drafts.callTool({
      name: 'create_conversation',
      arguments: { name: 'Shop', design: design(base, desk) },
    });
    expect(isError).toBe(true);
    expect((content[0]?.text ?? '').replaceAll(JSON.stringify(base).slice(1, -1), '')).not.toContain(
      'Opening',
    );
  }
  await drafts.close();
});

test('a refused shape lists what the project lacks, too, in the same response', async () => {
  await newBase('Opening hours');
  const { steps, ...rest } = design('Opening hour', 'Desk');
  const broken = { ...rest, steps: { ...steps, bad: { kind: 'greeting' } } };
  const { isError, content } = await client.callTool({
    name: 'create_conversation',
    arguments: { name: 'Shop', design: broken },
  });
  expect(isError).toBe(true);
  const { error, problems } = JSON.parse(content[0]?.text ?? '');
  expect(error.code).toBe('invalid_request');
  expect(problems).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        code: 'not_found',
        path: '/knowledge/0/knowledgeBaseId',
        hint: expect.stringContaining('Did you mean "Opening hours"?'),
      }),
    ]),
  );
});
