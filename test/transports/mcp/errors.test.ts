import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveKitRooms } from '../../../src/services/livekit.ts';
import { type McpClient, openWorld, type Tenant, type World } from '../../helpers/world.ts';

let world: World;
let tenant: Tenant;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld({ models: undefined });
  tenant = await world.tenant();
  client = await world.mcp('modern http', tenant.key);
});
afterAll(() => world.close());

/** The failure that a call returns. */
async function failing(name: string, input: Record<string, unknown>): Promise<ReturnType<typeof JSON.parse>> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  expect(isError).toBe(true);
  return JSON.parse(content[0]?.text ?? '');
}

const design = (steps: object, more: object = {}) => ({
  schemaVersion: 'cd/1',
  entry: { stepId: 'a' },
  steps: { a: { kind: 'greeting', introLine: 'I am the AI assistant.', on: { next: 'b' } }, ...steps },
  ...more,
});

test('an error names the arguments, and no part of an HTTP request', async () => {
  const failure = await failing('list_conversations', { projectId: 'x', limit: 0, surplus: 1 });
  expect(failure.error.message).toMatch(/^\/\w+: /);
  expect(JSON.stringify(failure)).not.toMatch(/querystring|params|"in"|body/);
});

test('an unknown tool is told the nearest names', async () => {
  for (const [name, expected] of [
    ['edit_desing', 'edit_design'],
    ['update_design', 'edit_design'],
    ['delete_conversations', 'delete_conversation'],
    ['list_phone_number', 'list_phone_numbers'],
  ] as const)
    await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(
      new RegExp(`Unknown tool: ${name}\\. Did you mean .*${expected}`),
    );
  await expect(client.callTool({ name: 'zzz', arguments: {} })).rejects.toThrow('tools/list shows all.');
});

test.each<[what: string, given: object, kind: string]>([
  ['a step', design({ b: { kind: 'collect', prompt: 7 } }), 'collect'],
  ['a step of an unknown kind', design({ b: { kind: 'say' } }), 'frame'],
  [
    'an action block',
    design(
      { b: { kind: 'end' } },
      { hooks: { before: { nodes: { x: { id: 'x', crmLookup: { matchBy: 1 } } } } } },
    ),
    'crmLookup',
  ],
  ['a hook', design({ b: { kind: 'end' } }, { hooks: { before: {} } }), 'hooks'],
  ['variables', design({ b: { kind: 'end' } }, { variables: [{ id: 'x' }] }), 'variables'],
])('a hint about the shape of %s names the call that shows it', async (_, given, kind) => {
  const { projectId } = tenant;
  const expected = expect.stringContaining(`describe_design {"kind":"${kind}"}`);
  const created = await failing('create_conversation', { projectId, name: 'X', design: given });
  expect(created).toMatchObject({ error: { code: 'invalid_request' }, hint: expected });
  const { structuredContent } = await client.callTool({
    name: 'validate_design',
    arguments: { design: given },
  });
  expect(structuredContent).toMatchObject({ valid: false });
  expect(structuredContent?.['problems']).toContainEqual(expect.objectContaining({ hint: expected }));
});

test('a new conversation is told every problem of its design at once', async () => {
  const given = design({
    b: { kind: 'route', options: [{ id: 'o', title: 'T' }], on: { fallback: 'nowhere' } },
    c: { kind: 'recordingConsent', line: 'May I record?', on: { next: 'a' } },
  });
  const { error, problems } = await failing('create_conversation', {
    projectId: tenant.projectId,
    name: 'X',
    design: given,
  });
  expect(error.code).toBe('invalid_transition');
  expect(problems.map(({ code, path }: { code: string; path: string }) => `${code} ${path}`)).toEqual([
    'invalid_transition /steps/b/on/fallback',
    'invalid_route_option /steps/b/options/0',
    'ai_disclosure_required /steps/c/line',
  ]);
});

test('validates a design that belongs to no conversation, but no edit', async () => {
  const given = design({ b: { kind: 'end' } });
  const { structuredContent } = await client.callTool({
    name: 'validate_design',
    arguments: { design: given },
  });
  expect(structuredContent).toMatchObject({ valid: true, problems: [] });
  const { error } = await failing('validate_design', { merge: {} });
  expect(error.details.issues).toEqual([
    { path: '/conversationId', message: 'Is required for patch and merge.' },
  ]);
});

const purpose = { projectId: 'p', webAgentId: 'w', conversationId: 'c', version: 1, mode: 'voice' } as const;

test('the assumed LiveKit server opens rooms only if it runs', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const address = listener.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const server = { url: `ws://127.0.0.1:${port}`, apiKey: 'devkey', apiSecret: 'secret', isAssumed: true };
  expect(await liveKitRooms(server).open(purpose, new Date())).toMatchObject({ roomUrl: server.url });
  await new Promise((resolve) => listener.close(resolve));
  await expect(liveKitRooms(server).open(purpose, new Date())).rejects.toMatchObject({
    status: 502,
    message: `No LiveKit server runs at ${server.url}, so voice sessions cannot start.`,
  });
  expect(await liveKitRooms({ ...server, isAssumed: false }).open(purpose, new Date())).toHaveProperty(
    'token',
  );
});

test('the hint names a model that is not configured, and the message does not', async () => {
  const input = { messages: [{ role: 'user', content: 'Hi' }], model: 'auto' };
  const { error, hint } = await failing('create_chat_completion', input);
  const message = 'Something went wrong on our side. It is safe to try again shortly.';
  expect(error).toMatchObject({ code: 'internal_error', message });
  expect(hint).toBe(
    'No model is configured for chat. The operator of this server sets OPENAI_API_KEY or PARLEY_MODELS.',
  );
  const { status, body } = await world.rest('POST', '/v1/chat/completions', { key: tenant.key, body: input });
  expect({ status, message: body.error.message }).toEqual({ status: 502, message });
});
