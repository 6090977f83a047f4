import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { created, type DesignProject, openDesignProject } from '../../helpers/design-project.ts';
import { type McpClient, openWorld, type World } from '../../helpers/world.ts';

let world: World;
let project: DesignProject;
let other: DesignProject;
let conversationId: string;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  other = await openDesignProject(world);
  conversationId = await project.newConversation({ name: 'Night desk' });
  client = await world.mcp('modern http', project.key);
});
afterAll(() => world.close());

const designUri = (id: string) => `parley://conversations/${id}/design`;

async function read(uri: string, by = client) {
  const { contents } = await by.readResource({ uri });
  expect(contents).toHaveLength(1);
  expect(contents[0]).toMatchObject({ uri, mimeType: 'application/json' });
  return JSON.parse(contents[0]?.text ?? '');
}

const complete = (uri: string, name: string, value: string, known: Record<string, string> = {}) =>
  client.complete({
    ref: { type: 'ref/resource', uri },
    argument: { name, value },
    context: { arguments: known },
  });

describe.each(['modern http', 'legacy http', 'modern stdio', 'legacy stdio'] as const)('over %s', (door) => {
  test('lists every resource and template, and a resource holds what its tool returns', async () => {
    const by = await world.mcp(door, project.key);
    expect((await by.listResources()).resources.map(({ uri }) => uri)).toStrictEqual([
      'parley://schemas/cd-1',
    ]);
    expect(
      (await by.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ).toStrictEqual([
      'parley://flows/{flowId}',
      'parley://conversations/{conversationId}/design',
      'parley://conversations/{conversationId}/versions/{version}/design',
    ]);
    const design = (await project.read(conversationId, 1)).body;
    expect(await read(designUri(conversationId), by)).toEqual(design);
    expect(await read(`parley://conversations/${conversationId}/versions/1/design`, by)).toEqual(design);
    const { body } = await project.call('GET', '/v1/designs/schema?kind=all');
    expect(await read('parley://schemas/cd-1', by)).toEqual(body);
  });
});

test('the resource of a conversation holds the active design, whatever was written since', async () => {
  const id = await project.newConversation();
  const before = await read(designUri(id));
  const design = { ...before, entry: { stepId: 'goodbye' } };
  created(await project.write(id, design));
  expect(await read(designUri(id))).toEqual(before);
  await project.activate(id, 2);
  expect(await read(designUri(id))).toMatchObject(design);
});

test('a resource that cannot be read returns an error with a hint', async () => {
  const foreign = await other.newConversation();
  const simple = await project.newConversation({ kind: 'simple' });
  for (const uri of [
    designUri(foreign),
    designUri(simple),
    designUri('nothing'),
    `parley://conversations/${conversationId}/versions/2/design`,
    `parley://conversations/${conversationId}/versions/two/design`,
    'parley://nowhere',
    'file:///etc/passwd',
  ])
    await expect(read(uri), uri).rejects.toMatchObject({ code: -32_602 });
  await expect(read(designUri(foreign))).rejects.toMatchObject({
    message: expect.stringContaining(foreign),
    data: { error: { code: 'not_found' }, hint: expect.stringContaining('list_conversations') },
  });
});

test('a selection hides the resources of what it leaves out', async () => {
  const narrow = await world.mcp('modern http', project.key, { toolsets: 'flows' });
  expect((await narrow.listResources()).resources).toStrictEqual([]);
  expect((await narrow.listResourceTemplates()).resourceTemplates).toHaveLength(1);
  await expect(read(designUri(conversationId), narrow)).rejects.toMatchObject({ code: -32_602 });
});

describe('completion', () => {
  const versions = 'parley://conversations/{conversationId}/versions/{version}/design';

  test('offers ids of the own project that begin, or whose name begins, with the text', async () => {
    await other.newConversation({ name: 'Night desk' });
    expect((await complete(versions, 'conversationId', 'night')).completion.values).toStrictEqual([
      conversationId,
    ]);
    expect(
      (await complete(versions, 'conversationId', conversationId.slice(0, 28))).completion.values,
    ).toContain(conversationId);
    expect((await complete(versions, 'conversationId', 'nobody')).completion.values).toStrictEqual([]);
  });

  test('offers the versions of the conversation that is filled in', async () => {
    const id = await project.newConversation();
    created(await project.write(id, await read(designUri(id))));
    expect((await complete(versions, 'version', '', { conversationId: id })).completion.values).toStrictEqual(
      ['2', '1'],
    );
    expect(
      (await complete(versions, 'version', '2', { conversationId: id })).completion.values,
    ).toStrictEqual(['2']);
    expect((await complete(versions, 'version', '')).completion.values).toStrictEqual([]);
  });

  test('refuses any other address', async () => {
    await expect(complete('parley://nowhere/{id}', 'id', '')).rejects.toMatchObject({ code: -32_602 });
    expect((await complete(versions, 'nothing', '')).completion.values).toStrictEqual([]);
  });
});
