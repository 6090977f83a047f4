import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { httpServer } from '../../../src/transports/http/server.ts';
import { restApp } from '../../../src/transports/rest/app.ts';
import { toolsets } from '../../../tools/index.ts';
import { speaks, transcribes } from '../../helpers/openai-wire.ts';
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
import { wav } from '../../helpers/wav.ts';
import { openWorld, upstreamKey } from '../../helpers/world.ts';
import { type LoggedWorld, openLoggedWorld } from './logged-world.ts';
import { expectNoSpooledFiles, filePart, form, part, spooledFiles } from './recordings.ts';

const shortLimits = {
  firstByte: 400,
  idle: 400,
  breaker: { failures: 1_000, within: 30_000, closedAfter: 5_000 },
};
/** More bytes than a spool keeps in memory. */
const sound = wav(6_000_000);
const callOf = (model: string, ...more: Buffer[]) => form(filePart(sound), part('model', model), ...more);

let world: LoggedWorld;
beforeAll(async () => {
  world = await openLoggedWorld(shortLimits);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.renew();
  for (const upstream of [world.first, world.second]) upstream.reacts(transcribes('Said.'));
});

const errorWithSecrets = () => ({
  error: { message: `Incorrect key ${upstreamKey} at ${world.first.baseUrl}` },
});

/** How an upstream fails, and what the log then contains. */
const failures: Record<string, { reaction: () => Reaction; log: string }> = {
  'never responds': { reaction: () => hangs, log: 'UND_ERR_HEADERS_TIMEOUT' },
  'begins a response and never ends it': { reaction: () => stalls, log: 'UND_ERR_BODY_TIMEOUT' },
  'closes the connection': { reaction: () => resets, log: 'did not respond' },
  'closes the connection within its response': { reaction: () => breaksOff, log: 'did not respond' },
  'does not send HTTP': { reaction: () => babbles, log: 'HTTPParserError' },
  'returns HTML': {
    reaction: () => speaks(Buffer.from('x'), 'text/html'),
    log: 'a Content-Type that was not requested',
  },
  'returns a stream': {
    reaction: () => speaks(Buffer.from('data: x\n\n'), 'text/event-stream'),
    log: 'a Content-Type that was not requested',
  },
  'returns garbage': { reaction: () => says('<html>'), log: 'something other than a transcript' },
  'returns an object without a transcript': {
    reaction: () => answers(200, { texts: [] }),
    log: 'something other than a transcript',
  },
  'returns 401': { reaction: () => answers(401, errorWithSecrets()), log: 'returned 401' },
  'returns 429': {
    reaction: () => answers(429, errorWithSecrets(), { 'retry-after': '7' }),
    log: 'returned 429',
  },
  'returns 500': { reaction: () => answers(500, errorWithSecrets()), log: 'returned 500' },
};

describe('a transcription', () => {
  test.each(Object.entries(failures))(
    'returns 502 without details if the upstream %s',
    async (_, { reaction, log }) => {
      world.first.reacts(reaction());
      const reply = await world.transcribe(callOf('small'));
      const text = await reply.text();
      expect([reply.status, reply.headers.get('retry-after')]).toStrictEqual([
        502,
        log === 'returned 429' ? '7' : null,
      ]);
      expect(JSON.parse(text).error.code).toBe('internal_error');
      expect(world.first.received).toHaveLength(1);
      expect(world.logged.join('')).toContain(log);
      world.expectNoSecrets(text);
      await vi.waitFor(() => expect(world.first.underWay()).toBe(0));
      await expectNoSpooledFiles();
    },
  );

  test.each(Object.entries(failures))(
    'comes from the fallback, which receives the whole form, if the upstream %s',
    async (_, { reaction }) => {
      world.first.reacts(reaction());
      const reply = await world.transcribe(callOf('safe'));
      expect([reply.status, await reply.json()]).toStrictEqual([200, { text: 'Said.' }]);
      const { body } = world.second.received[0] ?? expect.fail('nothing was received');
      expect(body.model).toBe('other-1');
      expect(Buffer.from(await body.file.arrayBuffer()).equals(sound)).toBe(true);
    },
  );

  test('returns 422 of the upstream byte for byte and calls no fallback', async () => {
    world.first.reacts(says('{"error" : {"message":"Too short\\u002e"}}\n', 422));
    const reply = await world.transcribe(callOf('safe'));
    expect([reply.status, await reply.text()]).toStrictEqual([
      422,
      '{"error" : {"message":"Too short\\u002e"}}\n',
    ]);
    expect(world.second.received).toStrictEqual([]);
  });

  test('closes the connection if the upstream breaks off a stream', async () => {
    world.first.reacts(begins('data: {"type":"transcript.text.delta"}\n\n', 'text/event-stream', 'resets'));
    const reply = await world.transcribe(callOf('small', part('stream', 'true')));
    await expect(reply.text()).rejects.toThrow(/terminated|other side closed/);
    world.expectNoSecrets('');
  });

  const raw: Record<string, (socket: Socket) => void> = {
    'reads nothing': (socket) => void socket.pause(),
    'returns 413 before it has read': (socket) => {
      socket.once('data', () =>
        socket.end('HTTP/1.1 413 Too Large\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'),
      );
    },
    'returns 500 and closes the connection': (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'));
    },
  };
  test.each(Object.entries(raw))('returns an error promptly if the upstream %s', async (name, serve) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      serve(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const provider = {
      name: 'raw',
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      key: undefined,
    };
    const choice = [{ reasoning: undefined, tier: undefined, model: 'x' }];
    const service = { models: new Map(), auto: choice, others: provider };
    const models = { chat: service, speech: service, transcription: service };
    const other = await openWorld({ models, upstreamLimits: shortLimits });
    const { key } = await other.tenant();
    const body = new FormData();
    body.append('file', new File([new Uint8Array(24_000_000)], 'call.wav'));
    const { status } = await other.rest('POST', '/v1/audio/transcriptions', { key, body });
    expect(name.includes('413') ? [413, 502] : [502]).toContain(status);
    await expectNoSpooledFiles();
    await other.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

describe('a client', () => {
  test('that leaves while it sends leaves no file, and no model is called', async () => {
    const outgoing = httpRequest(`${world.base}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.tenant().key}`,
        'content-type': 'multipart/form-data; boundary=limit',
        'content-length': 20_000_000,
      },
    });
    outgoing.on('error', () => undefined);
    outgoing.write(filePart(sound));
    try {
      // The file has its name for a moment between its opening and its deletion.
      const unlinked = [expect.stringContaining('(deleted)')];
      await vi.waitFor(() => expect(spooledFiles()).toEqual(unlinked), { timeout: 10_000 });
    } finally {
      outgoing.destroy();
    }
    await expectNoSpooledFiles();
    expect(world.first.received).toStrictEqual([]);
    expect(await world.recordedUsage()).toStrictEqual({});
  });

  test('that sends too slowly receives 400 and leaves no file', async () => {
    const slow = await openWorld();
    const { key } = await slow.tenant();
    const { runtime, authenticate } = slow.core;
    const log = pino({ level: 'silent' });
    const app = restApp({ toolsets, runtime, authenticate, log });
    const times = { bodyTimeout: 500, headersTimeout: 400, connectionsCheckingInterval: 50 };
    const server = httpServer(app.callback(), log, times).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const outgoing = httpRequest({
      port: (server.address() as AddressInfo).port,
      path: '/v1/audio/transcriptions',
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'multipart/form-data; boundary=limit',
        'content-length': 20_000_000,
      },
    });
    outgoing.on('error', () => undefined);
    outgoing.write(filePart(sound));
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(incoming.statusCode).toBe(400);
    await expectNoSpooledFiles();
    outgoing.destroy();
    server.closeAllConnections();
    server.close();
    await slow.close();
  });

  test('that leaves while it waits ends the upstream call, which counts once', async () => {
    world.first.reacts(hangs);
    const leaving = new AbortController();
    const response = world.transcribe(callOf('small'), { signal: leaving.signal });
    await vi.waitFor(() => expect(world.first.received).toHaveLength(1), { timeout: 10_000 });
    leaving.abort();
    await expect(response).rejects.toThrow('abort');
    await vi.waitFor(() => expect(world.first.underWay()).toBe(0));
    await expectNoSpooledFiles();
    await vi.waitFor(
      async () =>
        expect(await world.recordedUsage()).toStrictEqual({
          'realtime requests': 1,
          'realtime seconds estimated': 187.5,
        }),
      3_000,
    );
  });
});

describe('the usage of a call', () => {
  const expectUsage = (expected: Record<string, number>) =>
    vi.waitFor(async () => expect(await world.recordedUsage()).toStrictEqual(expected), 3_000);

  test.each<[source: string, response: unknown, expected: Record<string, number>]>([
    ['the duration that the upstream reports', { text: 'x', duration: 12.25 }, { 'realtime seconds': 12.25 }],
    [
      'a duration that the upstream reports as a string',
      { text: 'x', duration: '3.5' },
      { 'realtime seconds': 3.5 },
    ],
    [
      'the seconds that the upstream bills',
      { text: 'x', usage: { type: 'duration', seconds: 9 } },
      { 'realtime seconds': 9 },
    ],
    ['the length in the header of the recording', { text: 'x' }, { 'realtime seconds estimated': 187.5 }],
    [
      'that length if the upstream reports nonsense',
      { text: 'x', duration: -1, usage: { seconds: 1e300 } },
      { 'realtime seconds estimated': 187.5 },
    ],
  ])('is %s', async (_, response, expected) => {
    world.first.reacts(answers(200, response));
    expect((await world.transcribe(callOf('small'))).status).toBe(200);
    await expectUsage({ 'realtime requests': 1, ...expected });
  });

  test('has the mode of its tier, and no seconds if their number is unknown', async () => {
    const body = form(part('tier', 'batch'), filePart('sound'), part('model', 'large'));
    expect((await world.transcribe(body)).status).toBe(200);
    await expectUsage({ 'batch requests': 1 });
    // If a request counted twice, the second count would arrive before the next request.
    expect((await world.transcribe(body)).status).toBe(200);
    await expectUsage({ 'batch requests': 2 });
  });
});
