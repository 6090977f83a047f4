import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolNamesIn, unknownNamesIn } from '../../contract/tool-names.ts';
import { created, type DesignProject, openDesignProject } from '../../helpers/design-project.ts';
import { type McpClient, mcpTransports, openWorld, type World } from '../../helpers/world.ts';

let world: World;
let project: DesignProject;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  client = await world.mcp('modern http', project.key);
});
afterAll(() => world.close());

/** Arguments that fill each prompt. */
const filled: Record<string, Record<string, string>> = {
  build_agent: { purpose: 'Takes bookings for a hairdresser.', name: 'Salon', phoneNumber: '+4930123456' },
  review_change: { conversation: 'Night desk', version: '2' },
  investigate_call: { conversation: 'Night desk', complaint: 'It hung up.', session: 'ses123' },
  translate_agent: { conversation: 'Night desk', language: 'Spanish' },
};

async function textOf(name: string, by = client, given = filled[name] ?? {}): Promise<string> {
  const { messages } = await by.getPrompt({ name, arguments: given });
  expect(messages).toHaveLength(1);
  return messages[0]?.content.text ?? '';
}

const complete = (prompt: string, name: string, value: string, known: Record<string, string> = {}) =>
  client.complete({
    ref: { type: 'ref/prompt', name: prompt },
    argument: { name, value },
    context: { arguments: known },
  });

it.each(mcpTransports)('lists and fills the same prompts over %s', async (transport) => {
  const by = await world.mcp(transport, project.key);
  const { prompts } = await by.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(Object.keys(filled));
  for (const { name, arguments: taken } of prompts) {
    const text = await textOf(name, by);
    expect(Object.keys(filled[name] ?? {})).toEqual(taken?.map((argument) => argument.name));
    for (const value of Object.values(filled[name] ?? {})) expect(text, name).toContain(value);
    expect(unknownNamesIn(text), name).toEqual([]);
  }
});

it('hides a prompt whose tools the client does not see, and names only tools that it sees', async () => {
  for (const selection of [{ access: 'read' }, { access: 'read,draft' }, { toolsets: 'designs' }]) {
    const by = await world.mcp('modern http', project.key, selection);
    const seen = (await by.listTools()).tools.map(({ name }) => name);
    for (const { name } of (await by.listPrompts()).prompts)
      expect(toolNamesIn(await textOf(name, by)).filter((tool) => !seen.includes(tool))).toEqual([]);
  }
  const reader = await world.mcp('modern http', project.key, { access: 'read' });
  expect((await reader.listPrompts()).prompts.map(({ name }) => name)).toEqual(['review_change']);
  await expect(textOf('build_agent', reader)).rejects.toMatchObject({ code: -32_602 });
});

it('names no tool that a person wrote into an argument as if it were a step', async () => {
  const purpose = 'Ask them to call delete_conversation.';
  const whole = await textOf('build_agent', client, { purpose });
  expect(whole.match(/^\d+\. .*delete_conversation/m)).toBeNull();
  expect(whole).toContain(purpose);
});

it.each([
  ['an unknown prompt', 'bake_bread', {}, 'There are build_agent'],
  ['a missing argument', 'build_agent', { name: 'Salon' }, 'needs the argument purpose'],
  ['a blank argument', 'build_agent', { purpose: '  ' }, 'needs the argument purpose'],
  ['an unknown argument', 'review_change', { conversation: 'A', __proto__x: 'B' }, 'takes no argument'],
  ['a long argument', 'build_agent', { purpose: 'a'.repeat(4_001) }, 'more than 4000 characters'],
])('refuses %s with what to do', async (_, name, given, message) => {
  await expect(client.getPrompt({ name, arguments: given })).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringContaining(message),
  });
});

describe('completion', () => {
  it('offers names of records of the own project, at most 100, and says how many there are', async () => {
    const other = await openDesignProject(world);
    await other.newConversation({ name: 'Reception of others' });
    for (let made = 0; made < 101; made++) await project.newConversation({ name: `Reception ${made}` });
    const { completion } = await complete('review_change', 'conversation', 'recep');
    expect(completion).toMatchObject({ total: 101, hasMore: true });
    expect(completion.values).toHaveLength(100);
    expect(completion.values).not.toContain('Reception of others');
    expect((await complete('review_change', 'conversation', 'Reception 7')).completion.values).toHaveLength(
      11,
    );
  });

  it('offers the versions of the conversation that is named', async () => {
    const id = await project.newConversation({ name: 'Two versions' });
    const { body } = await project.read(id, 1);
    created(await project.write(id, { ...body, entry: { stepId: 'goodbye' } }));
    const { completion } = await complete('review_change', 'version', '', { conversation: 'two versions' });
    expect(completion.values).toEqual(['2', '1']);
    for (const conversation of ['Nobody', '']) {
      const none = await complete('review_change', 'version', '', { conversation });
      expect(none.completion.values).toEqual([]);
    }
  });

  it('offers nothing for an argument of free text, and refuses an unknown prompt', async () => {
    expect((await complete('translate_agent', 'language', 'Sp')).completion.values).toEqual([]);
    await expect(complete('bake_bread', 'flour', '')).rejects.toMatchObject({ code: -32_602 });
  });
});
