import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { chats, eventOf, streams, words } from '../../helpers/openai-wire.ts';
import { begins } from '../../helpers/upstream.ts';
import { type LoggedWorld, openLoggedWorld } from './logged-world.ts';

let world: LoggedWorld;
let client: Client;
beforeAll(async () => {
  world = await openLoggedWorld();
});
beforeEach(async () => {
  await world.renew();
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { authorization: `Bearer ${world.tenant().key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${world.base}/mcp`), { requestInit }));
});
afterAll(() => world.close());

const call = (
  input: Record<string, unknown>,
  options: Parameters<Client['callTool']>[1] = {},
): ReturnType<Client['callTool']> =>
  client.callTool(
    { name: 'create_chat_completion', arguments: { model: 'small', messages: [{ role: 'user' }], ...input } },
    options,
  );

test('a stream reports the text of each piece as progress and returns the whole completion', async () => {
  world.first.reacts(chats({ pieces: words(4), pace: 10 }));
  const progress: (string | undefined)[] = [];
  const { structuredContent, content } = await call(
    { stream: true },
    { onprogress: ({ message }) => void progress.push(message) },
  );
  expect(structuredContent).toStrictEqual({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'small-1',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'word0 word1 word2 word3 ', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
  });
  expect(content).toStrictEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  expect(progress.filter(Boolean)).toStrictEqual(words(4));
});

test('a stream joins the pieces of tool calls', async () => {
  const delta = (...calls: unknown[]) =>
    eventOf({ choices: [{ index: 0, delta: { tool_calls: calls } }], ['__proto__']: {} });
  world.first.reacts(
    streams(
      delta({ index: 0, id: 'a', type: 'function', function: { name: 'one', arguments: '' } }),
      delta({ index: 0, function: { arguments: '{"x"' } }, { index: 1, id: 'b', function: { name: 'two' } }),
      delta({ index: 4_000_000_000, id: 'c' }, { index: 0, function: { arguments: ':1}' } }),
      'data: [DONE]\n\n',
    ),
  );
  const { structuredContent } = await call({ stream: true });
  expect(structuredContent).toMatchObject({
    choices: [
      {
        message: {
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'one', arguments: '{"x":1}' } },
            { id: 'b', function: { name: 'two' } },
            { id: 'c' },
          ],
        },
      },
    ],
  });
});

test('a stream that breaks off returns an error without partial content', async () => {
  world.first.reacts(
    begins(eventOf({ choices: [{ index: 0, delta: { content: 'a' } }] }), 'text/event-stream', 'resets'),
  );
  const { isError, content } = await call({ stream: true });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain('internal_error');
  world.expectNoSecrets(JSON.stringify(content));
});

test('a stream of garbage returns an error and ends the upstream call', async () => {
  world.first.reacts(begins('data: garbage\n\n', 'text/event-stream', 'hangs'));
  expect((await call({ stream: true })).isError).toBe(true);
  await vi.waitFor(() => expect(world.first.underWay()).toBe(0), { timeout: 5_000 });
});

test('a response that is not a completion returns an error', async () => {
  world.first.reacts((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":7}');
  });
  const { isError, content } = await call({});
  expect([isError, JSON.stringify(content)]).toStrictEqual([true, expect.stringContaining('internal_error')]);
});

test('a request that the upstream refuses returns its reason', async () => {
  world.first.reacts((_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"Too warm"}}');
  });
  const { isError, content } = await call({ temperature: 9 });
  expect([isError, JSON.stringify(content)]).toStrictEqual([true, expect.stringContaining('Too warm')]);
});

test('a client that aborts ends the upstream call', async () => {
  world.first.reacts(chats({ pieces: words(1_000), pace: 20 }));
  const leaving = new AbortController();
  const answer = call({ stream: true }, { signal: leaving.signal });
  await vi.waitFor(() => expect(world.first.received[0]?.produced).toBeGreaterThan(2));
  leaving.abort();
  await expect(answer).rejects.toThrow(/abort/i);
  await vi.waitFor(() => expect(world.first.underWay()).toBe(0), { timeout: 5_000 });
  await vi.waitFor(async () => expect(await world.recordedUsage()).toHaveProperty('realtime tokens_out'), {
    timeout: 5_000,
  });
});
