import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { chats, eventOf, speaks, streams, words } from '../../helpers/openai-wire.ts';
import { freePort } from '../../helpers/parley.ts';
import {
  answers,
  babbles,
  begins,
  breaksOff,
  hangs,
  type Reaction,
  resets,
  says,
  stalls,
} from '../../helpers/upstream.ts';
import { openWorld, upstreamKey } from '../../helpers/world.ts';
import { type LoggedWorld, openLoggedWorld } from './logged-world.ts';

const shortLimits = {
  firstByte: 300,
  idle: 300,
  breaker: { failures: 1_000, within: 30_000, closedAfter: 5_000 },
};

let world: LoggedWorld;
beforeAll(async () => {
  world = await openLoggedWorld(shortLimits);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.renew();
  for (const upstream of [world.first, world.second]) upstream.reacts(chats({ pieces: words(3) }));
});

/** An error whose message quotes the key and the address of the upstream. */
const errorWithSecrets = () => ({
  error: { message: `Incorrect key ${upstreamKey} at ${world.first.baseUrl}` },
});

/** How an upstream fails before the client has received a byte, and what the log then contains. */
const failures: Record<string, { reaction: () => Reaction; log: string; retryAfter?: string }> = {
  'never responds': { reaction: () => hangs, log: 'UND_ERR_HEADERS_TIMEOUT' },
  'begins JSON and never ends it': { reaction: () => stalls, log: 'UND_ERR_BODY_TIMEOUT' },
  'closes the connection': { reaction: () => resets, log: 'did not respond' },
  'closes the connection within its JSON': { reaction: () => breaksOff, log: 'did not respond' },
  'does not send HTTP': { reaction: () => babbles, log: 'HTTPParserError' },
  'returns HTML': {
    reaction: () => speaks(Buffer.from('<html>'), 'text/html'),
    log: 'a Content-Type that was not requested',
  },
  'returns an empty body': { reaction: () => says(''), log: 'something other than a JSON object' },
  'returns garbage': { reaction: () => says('<html>'), log: 'something other than a JSON object' },
  'returns 301': {
    reaction: () => answers(301, errorWithSecrets(), { location: '/' }),
    log: 'returned 301',
  },
  'returns 401': { reaction: () => answers(401, errorWithSecrets()), log: 'returned 401' },
  'returns 401 without the key': { reaction: () => answers(401, { error: {} }), log: 'returned 401' },
  'returns 403': { reaction: () => answers(403, errorWithSecrets()), log: 'returned 403' },
  'returns 408': { reaction: () => answers(408, errorWithSecrets()), log: 'returned 408' },
  'returns 429': { reaction: () => answers(429, errorWithSecrets()), log: 'returned 429', retryAfter: '1' },
  'returns 429 with Retry-After': {
    reaction: () => answers(429, errorWithSecrets(), { 'retry-after': '7' }),
    log: 'returned 429',
    retryAfter: '7',
  },
  'returns 500': { reaction: () => answers(500, errorWithSecrets()), log: 'returned 500' },
  'returns 503 without JSON': { reaction: () => says('<html>', 503), log: 'returned 503' },
  'quotes the key in a 400': { reaction: () => answers(400, errorWithSecrets()), log: '400 with our key' },
};

describe('a chat completion', () => {
  test.each(Object.entries(failures))(
    'returns 502 without details if the upstream %s',
    async (_, { reaction, log, retryAfter }) => {
      world.first.reacts(reaction());
      const reply = await world.chat({ model: 'small' });
      const text = await reply.text();
      expect({ status: reply.status, retryAfter: reply.headers.get('retry-after') }).toStrictEqual({
        status: 502,
        retryAfter: retryAfter ?? null,
      });
      expect(JSON.parse(text)).toStrictEqual({
        error: {
          code: 'internal_error',
          message: 'Something went wrong on our side. It is safe to try again shortly.',
          requestId: reply.headers.get('x-request-id'),
        },
      });
      expect(world.first.received).toHaveLength(1);
      expect(world.logged.join('')).toContain(log);
      world.expectNoSecrets(text);
      await vi.waitFor(() => expect(world.first.underWay()).toBe(0));
    },
  );

  test.each(Object.entries(failures))(
    'comes from the fallback if the upstream %s',
    async (_, { reaction }) => {
      world.first.reacts(reaction());
      const reply = await world.chat({ model: 'safe' });
      expect(reply.status).toBe(200);
      expect(await reply.json()).toMatchObject({ model: 'other-1' });
      expect(world.first.received[0]?.body.model).toBe('small-1');
      expect(world.second.received).toHaveLength(1);
    },
  );

  test('returns 502 without the address if the upstream cannot be reached', async () => {
    const provider = { name: 'gone', baseUrl: `http://127.0.0.1:${await freePort()}/v1`, key: 'k-gone' };
    const choice = [{ reasoning: undefined, tier: undefined, model: 'x' }];
    const service = { models: new Map(), auto: choice, others: provider };
    const models = { chat: service, speech: service, transcription: service };
    const other = await openWorld({ models });
    const { key } = await other.tenant();
    const { status, body } = await other.rest('POST', '/v1/chat/completions', {
      key,
      body: { model: 'auto', messages: [] },
    });
    await other.close();
    expect({ status, code: body.error.code }).toStrictEqual({ status: 502, code: 'internal_error' });
    expect(JSON.stringify(body)).not.toContain(provider.baseUrl);
  });
});

test('a chat completion returns 502 if no upstream is configured', async () => {
  const other = await openWorld({ models: undefined });
  const { key } = await other.tenant();
  const body = { model: 'auto', messages: [] };
  expect((await other.rest('POST', '/v1/chat/completions', { key, body })).status).toBe(502);
  await other.close();
});

test('a chat completion returns 404 for an unknown model', async () => {
  const reply = await world.chat({ model: 'none' });
  expect(reply.status).toBe(404);
  expect(await reply.json()).toMatchObject({ error: { code: 'not_found' } });
  expect(world.first.received).toStrictEqual([]);
});

describe('an error of the upstream about the request', () => {
  test.each([400, 404, 409, 413, 415, 422])(
    'passes to the client byte for byte, and no fallback is called: %i',
    async (status) => {
      const body = `{"error" : {"message":"Unsupported\\u002e", "n": 1.0}}\n`;
      world.first.reacts(says(body, status));
      const reply = await world.chat({ model: 'safe' });
      expect([reply.status, await reply.text()]).toStrictEqual([status, body]);
      expect(world.second.received).toStrictEqual([]);
    },
  );
});

describe('a stream', () => {
  const first = eventOf({ choices: [{ index: 0, delta: { content: 'Hello' } }] });
  const sse = 'text/event-stream';

  test.each<[name: string, reaction: Reaction, log: string]>([
    ['stalls', begins(first, sse, 'hangs'), 'UND_ERR_BODY_TIMEOUT'],
    ['closes the connection', begins(first, sse, 'resets'), 'did not respond'],
    [
      'closes the connection within an event',
      begins(`${first}data: {"cho`, sse, 'resets'),
      'did not respond',
    ],
    ['ends without [DONE]', begins(first, sse, 'ends'), 'before it was done'],
    ['sends [DONE] only within its content', streams(first.replace('Hello', '[DONE]')), 'before it was done'],
  ])('ends with an error event and without [DONE] if the upstream %s', async (_, reaction, log) => {
    world.first.reacts(reaction);
    const reply = await world.chat({ model: 'safe', stream: true });
    const text = await reply.text();
    expect(reply.status).toBe(200);
    const [event, failure, ...more] = text.split('\n\n').filter(Boolean);
    expect(event).toMatch(/^data: \{"choices"/);
    expect(more).toStrictEqual([]);
    expect(failure).toMatch(/^event: error\ndata: \{"error"/);
    expect(JSON.parse(failure?.split('data: ')[1] ?? '').error).toStrictEqual({
      code: 'internal_error',
      message: expect.stringMatching(/\S/),
      requestId: reply.headers.get('x-request-id'),
    });
    expect(world.second.received).toStrictEqual([]);
    expect(world.logged.join('')).toContain(log);
    world.expectNoSecrets(text);
  });

  test('returns 502 if the upstream returns JSON', async () => {
    world.first.reacts(answers(200, { choices: [] }));
    expect((await world.chat({ model: 'small', stream: true })).status).toBe(502);
  });
});

test('an upstream that fails too often receives no calls, and then one trial call', async () => {
  const other = await openLoggedWorld({ breaker: { failures: 3, within: 30_000, closedAfter: 700 } });
  const { first } = other;
  const status = async () => (await other.chat({ model: 'small' })).status;
  first.reacts(answers(500, {}));
  for (let call = 0; call < 5; call++) expect(await status()).toBe(502);
  expect(first.received).toHaveLength(3);
  expect(other.logged.join('')).toContain('first was not called because it failed too often');
  other.second.reacts(chats({ pieces: words(1) }));
  expect((await other.chat({ model: 'safe' })).status).toBe(200);
  expect(first.received).toHaveLength(3);
  first.reacts(chats({ pieces: words(1) }));
  await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 5_000, interval: 100 });
  expect(first.received).toHaveLength(4);
  await other.close();
});

test('JSON too long to buffer closes the connection if it breaks off', async () => {
  let upstreamResponse: ServerResponse | undefined;
  world.first.reacts((_, response) => {
    upstreamResponse = response;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`{"choices": "${'x'.repeat(2_000_000)}`);
  });
  const reply = await world.chat({ model: 'safe' });
  expect(reply.status).toBe(200);
  // The status arrives once more is there than is buffered, so the break comes after that.
  upstreamResponse?.destroy();
  await expect(reply.text()).rejects.toThrow(/terminated|other side closed/);
  world.expectNoSecrets('');
});
