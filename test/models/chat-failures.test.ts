import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '../command/parley.ts';
import { chats, eventOf, speaks, streams, words } from '../helpers/openai-wire.ts';
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
} from '../helpers/upstream.ts';
import { openWorld, upstreamKey } from '../helpers/world.ts';
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

/** What an upstream does before the first byte has gone to the client, and what the log says of it. */
const early: Record<string, { reaction: () => Reaction; told: string; retryAfter?: string }> = {
  'never answers': { reaction: () => hangs, told: 'UND_ERR_HEADERS_TIMEOUT' },
  'begins JSON and never ends it': { reaction: () => stalls, told: 'UND_ERR_BODY_TIMEOUT' },
  'ends the connection': { reaction: () => resets, told: 'did not respond' },
  'ends the connection in the middle of JSON': { reaction: () => breaksOff, told: 'did not respond' },
  'speaks no HTTP': { reaction: () => babbles, told: 'HTTPParserError' },
  'answers a page': {
    reaction: () => speaks(Buffer.from('<html>'), 'text/html'),
    told: 'a Content-Type that was not requested',
  },
  'answers nothing': { reaction: () => says(''), told: 'something other than a JSON object' },
  'answers garbage': { reaction: () => says('<html>'), told: 'something other than a JSON object' },
  'answers 301': {
    reaction: () => answers(301, errorWithSecrets(), { location: '/' }),
    told: 'returned 301',
  },
  'answers 401': { reaction: () => answers(401, errorWithSecrets()), told: 'returned 401' },
  'answers 401 without our key': { reaction: () => answers(401, { error: {} }), told: 'returned 401' },
  'answers 403': { reaction: () => answers(403, errorWithSecrets()), told: 'returned 403' },
  'answers 408': { reaction: () => answers(408, errorWithSecrets()), told: 'returned 408' },
  'answers 429': { reaction: () => answers(429, errorWithSecrets()), told: 'returned 429', retryAfter: '1' },
  'answers 429 and when to come again': {
    reaction: () => answers(429, errorWithSecrets(), { 'retry-after': '7' }),
    told: 'returned 429',
    retryAfter: '7',
  },
  'answers 500': { reaction: () => answers(500, errorWithSecrets()), told: 'returned 500' },
  'answers 503 without JSON': { reaction: () => says('<html>', 503), told: 'returned 503' },
  'quotes our key in a 400': { reaction: () => answers(400, errorWithSecrets()), told: '400 with our key' },
};

describe('an upstream that', () => {
  test.each(Object.entries(early))(
    '%s is a 502 that says nothing',
    async (_, { reaction, told, retryAfter }) => {
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
      expect(world.logged.join('')).toContain(told);
      world.expectNoSecrets(text);
      await vi.waitFor(() => expect(world.first.underWay()).toBe(0));
    },
  );

  test.each(Object.entries(early))('%s has its fallback answer', async (_, { reaction }) => {
    world.first.reacts(reaction());
    const reply = await world.chat({ model: 'safe' });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ model: 'other-1' });
    expect(world.first.received[0]?.body.model).toBe('small-1');
    expect(world.second.received).toHaveLength(1);
  });

  test('cannot be reached is no more than that', async () => {
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

test('no upstream at all is a 502, and the log says why', async () => {
  const other = await openWorld({ models: undefined });
  const { key } = await other.tenant();
  const body = { model: 'auto', messages: [] };
  expect((await other.rest('POST', '/v1/chat/completions', { key, body })).status).toBe(502);
  await other.close();
});

test('a model that there is not is 404', async () => {
  const reply = await world.chat({ model: 'none' });
  expect(reply.status).toBe(404);
  expect(await reply.json()).toMatchObject({ error: { code: 'not_found' } });
  expect(world.first.received).toStrictEqual([]);
});

describe('what an upstream says of the request itself', () => {
  test.each([400, 404, 409, 413, 415, 422])(
    '%i is passed on byte for byte, and no fallback is asked',
    async (status) => {
      const body = `{"error" : {"message":"Unsupported\\u002e", "n": 1.0}}\n`;
      world.first.reacts(says(body, status));
      const reply = await world.chat({ model: 'safe' });
      expect([reply.status, await reply.text()]).toStrictEqual([status, body]);
      expect(world.second.received).toStrictEqual([]);
    },
  );
});

describe('a stream that', () => {
  const first = eventOf({ choices: [{ index: 0, delta: { content: 'Hello' } }] });
  const sse = 'text/event-stream';

  test.each<[name: string, reaction: Reaction, told: string]>([
    ['stalls', begins(first, sse, 'hangs'), 'UND_ERR_BODY_TIMEOUT'],
    ['breaks off', begins(first, sse, 'resets'), 'did not respond'],
    ['breaks off in the middle of an event', begins(`${first}data: {"cho`, sse, 'resets'), 'did not respond'],
    ['ends before it is done', begins(first, sse, 'ends'), 'before it was done'],
    ['says [DONE] in its text only', streams(first.replace('Hello', '[DONE]')), 'before it was done'],
  ])('%s gets an error as its last event, and no [DONE]', async (_, reaction, told) => {
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
    expect(world.logged.join('')).toContain(told);
    world.expectNoSecrets(text);
  });

  test('is JSON instead is a failure before the first byte', async () => {
    world.first.reacts(answers(200, { choices: [] }));
    expect((await world.chat({ model: 'small', stream: true })).status).toBe(502);
  });
});

test('an upstream that fails too often is left alone, and tried again by one call', async () => {
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

test('JSON that is too long to be waited for and then breaks off ends the connection', async () => {
  world.first.reacts(begins(`{"choices": "${'x'.repeat(2_000_000)}`, 'application/json', 'resets'));
  const reply = await world.chat({ model: 'safe' });
  expect(reply.status).toBe(200);
  await expect(reply.text()).rejects.toThrow(/terminated|other side closed/);
  world.expectNoSecrets('');
});
