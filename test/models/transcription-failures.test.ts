import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { httpServer } from '../../src/http/server.ts';
import { restApp } from '../../src/rest/app.ts';
import { toolsets } from '../../tools/index.ts';
import { speaks, transcribes } from '../helpers/openai-wire.ts';
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
import { wav } from '../helpers/wav.ts';
import { openWorld, upstreamKey } from '../helpers/world.ts';
import { type LoggedWorld, openLoggedWorld } from './logged-world.ts';
import { filePart, form, nothingSpooled, part, spooledFiles } from './recordings.ts';

const soon = { firstByte: 400, idle: 400, breaker: { failures: 1_000, within: 30_000, closedAfter: 5_000 } };
/** Longer than what stays in memory. */
const sound = wav(6_000_000);
const callOf = (model: string, ...more: Buffer[]) => form(filePart(sound), part('model', model), ...more);

let world: LoggedWorld;
beforeAll(async () => {
  world = await openLoggedWorld(soon);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.renew();
  for (const upstream of [world.first, world.second]) upstream.reacts(transcribes('Said.'));
});

const betraying = () => ({ error: { message: `Incorrect key ${upstreamKey} at ${world.first.baseUrl}` } });

/** What an upstream does, and what the log says of it. */
const failing: Record<string, { reaction: () => Reaction; told: string }> = {
  'never answers': { reaction: () => hangs, told: 'UND_ERR_HEADERS_TIMEOUT' },
  'begins an answer and never ends it': { reaction: () => stalls, told: 'UND_ERR_BODY_TIMEOUT' },
  'ends the connection': { reaction: () => resets, told: 'did not respond' },
  'ends the connection in the middle of its answer': { reaction: () => breaksOff, told: 'did not respond' },
  'speaks no HTTP': { reaction: () => babbles, told: 'HTTPParserError' },
  'answers a page': {
    reaction: () => speaks(Buffer.from('x'), 'text/html'),
    told: 'a Content-Type that was not requested',
  },
  'answers a stream': {
    reaction: () => speaks(Buffer.from('data: x\n\n'), 'text/event-stream'),
    told: 'a Content-Type that was not requested',
  },
  'answers garbage': { reaction: () => says('<html>'), told: 'something other than a transcript' },
  'answers another object': {
    reaction: () => answers(200, { texts: [] }),
    told: 'something other than a transcript',
  },
  'answers 401': { reaction: () => answers(401, betraying()), told: 'returned 401' },
  'answers 429': { reaction: () => answers(429, betraying(), { 'retry-after': '7' }), told: 'returned 429' },
  'answers 500': { reaction: () => answers(500, betraying()), told: 'returned 500' },
};

describe('an upstream that', () => {
  test.each(Object.entries(failing))('%s is a 502 that says nothing', async (_, { reaction, told }) => {
    world.first.reacts(reaction());
    const reply = await world.transcribe(callOf('small'));
    const text = await reply.text();
    expect([reply.status, reply.headers.get('retry-after')]).toStrictEqual([
      502,
      told === 'returned 429' ? '7' : null,
    ]);
    expect(JSON.parse(text).error.code).toBe('internal_error');
    expect(world.first.received).toHaveLength(1);
    expect(world.logged.join('')).toContain(told);
    world.expectNothingBetrayed(text);
    await vi.waitFor(() => expect(world.first.underWay()).toBe(0));
    await nothingSpooled();
  });

  test.each(Object.entries(failing))('%s has its fallback hear it all', async (_, { reaction }) => {
    world.first.reacts(reaction());
    const reply = await world.transcribe(callOf('safe'));
    expect([reply.status, await reply.json()]).toStrictEqual([200, { text: 'Said.' }]);
    const { body } = world.second.received[0] ?? expect.fail('nothing was received');
    expect(body.model).toBe('other-1');
    expect(Buffer.from(await body.file.arrayBuffer()).equals(sound)).toBe(true);
  });

  test('says what is wrong with the request is passed on byte for byte', async () => {
    world.first.reacts(says('{"error" : {"message":"Too short\\u002e"}}\n', 422));
    const reply = await world.transcribe(callOf('safe'));
    expect([reply.status, await reply.text()]).toStrictEqual([
      422,
      '{"error" : {"message":"Too short\\u002e"}}\n',
    ]);
    expect(world.second.received).toStrictEqual([]);
  });

  test('breaks off a stream breaks it off for the client', async () => {
    world.first.reacts(begins('data: {"type":"transcript.text.delta"}\n\n', 'text/event-stream', 'resets'));
    const reply = await world.transcribe(callOf('small', part('stream', 'true')));
    await expect(reply.text()).rejects.toThrow(/terminated|other side closed/);
    world.expectNothingBetrayed('');
  });

  const raw: Record<string, (socket: Socket) => void> = {
    'reads nothing': (socket) => void socket.pause(),
    'answers 413 before it has read': (socket) => {
      socket.once('data', () =>
        socket.end('HTTP/1.1 413 Too Large\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'),
      );
    },
    'answers 500 and leaves': (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'));
    },
  };
  test.each(Object.entries(raw))('%s does not keep anybody', async (name, serve) => {
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
    const other = await openWorld({ models, upstreamLimits: soon });
    const { key } = await other.tenant();
    const body = new FormData();
    body.append('file', new File([new Uint8Array(24_000_000)], 'call.wav'));
    const { status } = await other.rest('POST', '/v1/audio/transcriptions', { key, body });
    expect(name.includes('413') ? [413, 502] : [502]).toContain(status);
    await nothingSpooled();
    await other.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

describe('a client that leaves', () => {
  test('while it sends leaves nothing, and no model hears of it', async () => {
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
    await vi.waitFor(() => expect(spooledFiles()).toHaveLength(1), { timeout: 10_000 });
    expect(spooledFiles()[0]).toContain('(deleted)');
    outgoing.destroy();
    await nothingSpooled();
    expect(world.first.received).toStrictEqual([]);
    expect(await world.used()).toStrictEqual({});
  });

  test('or sends too slowly is cut off, and leaves nothing', async () => {
    const slow = await openWorld();
    const { key } = await slow.tenant();
    const { runtime, authenticate } = slow.core;
    const log = pino({ level: 'silent' });
    const app = restApp({ toolsets, runtime, authenticate, log });
    const times = { requestTimeout: 500, headersTimeout: 400, connectionsCheckingInterval: 50 };
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
    await nothingSpooled();
    outgoing.destroy();
    server.closeAllConnections();
    server.close();
    await slow.close();
  });

  test('while it waits ends the call, which is counted once', async () => {
    world.first.reacts(hangs);
    const leaving = new AbortController();
    const answer = world.transcribe(callOf('small'), { signal: leaving.signal });
    await vi.waitFor(() => expect(world.first.received).toHaveLength(1));
    leaving.abort();
    await expect(answer).rejects.toThrow('abort');
    await vi.waitFor(() => expect(world.first.underWay()).toBe(0));
    await nothingSpooled();
    await vi.waitFor(
      async () =>
        expect(await world.used()).toStrictEqual({
          'realtime requests': 1,
          'realtime seconds estimated': 187.5,
        }),
      3_000,
    );
  });
});

describe('a call counts', () => {
  const used = (expected: Record<string, number>) =>
    vi.waitFor(async () => expect(await world.used()).toStrictEqual(expected), 3_000);

  test.each<[what: string, answer: unknown, expected: Record<string, number>]>([
    ['the duration that the model tells', { text: 'x', duration: 12.25 }, { 'realtime seconds': 12.25 }],
    ['one that is told as a text', { text: 'x', duration: '3.5' }, { 'realtime seconds': 3.5 }],
    [
      'what the model bills',
      { text: 'x', usage: { type: 'duration', seconds: 9 } },
      { 'realtime seconds': 9 },
    ],
    ['the length that its header says', { text: 'x' }, { 'realtime seconds estimated': 187.5 }],
    [
      'no nonsense',
      { text: 'x', duration: -1, usage: { seconds: 1e300 } },
      { 'realtime seconds estimated': 187.5 },
    ],
  ])('%s', async (_, answer, expected) => {
    world.first.reacts(answers(200, answer));
    expect((await world.transcribe(callOf('small'))).status).toBe(200);
    await used({ 'realtime requests': 1, ...expected });
  });

  test('in the mode of its tier, and nothing where neither tells', async () => {
    const body = form(part('tier', 'batch'), filePart('sound'), part('model', 'large'));
    expect((await world.transcribe(body)).status).toBe(200);
    await used({ 'batch requests': 1 });
    // A request that was counted twice would be counted before the next one.
    expect((await world.transcribe(body)).status).toBe(200);
    await used({ 'batch requests': 2 });
  });
});
