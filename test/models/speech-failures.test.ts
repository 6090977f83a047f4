import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { speaks } from '../helpers/openai-wire.ts';
import { answers, babbles, begins, hangs, type Reaction, resets, says } from '../helpers/upstream.ts';
import { upstreamKey } from '../helpers/world.ts';
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
  for (const upstream of [world.first, world.second]) upstream.reacts(speaks());
});

/** An error whose message quotes the key and the address of the upstream. */
const errorWithSecrets = () => ({
  error: { message: `Incorrect key ${upstreamKey} at ${world.first.baseUrl}` },
});
const mp3 = 'audio/mpeg';

/** The head of an answer, and then this. */
const headThen =
  (then: (response: Parameters<Reaction>[1]) => void): Reaction =>
  (_, response) => {
    response.writeHead(200, { 'content-type': mp3 }).flushHeaders();
    then(response);
  };

/** What an upstream does before the first byte has gone to the client, and what the log says of it. */
const early: Record<string, { reaction: () => Reaction; told: string; retryAfter?: string }> = {
  'never answers': { reaction: () => hangs, told: 'UND_ERR_HEADERS_TIMEOUT' },
  'promises sound and sends none': {
    reaction: () => headThen(() => undefined),
    told: 'UND_ERR_BODY_TIMEOUT',
  },
  'promises sound and ends the connection': {
    reaction: () => headThen((response) => setTimeout(() => response.socket?.resetAndDestroy(), 20)),
    told: 'did not respond',
  },
  'ends the connection': { reaction: () => resets, told: 'did not respond' },
  'speaks no HTTP': { reaction: () => babbles, told: 'HTTPParserError' },
  'answers a page': { reaction: () => speaks(Buffer.from('<html>'), 'text/html'), told: 'Content-Type' },
  'answers JSON': { reaction: () => says('{"audio":"c291bmQ="}'), told: 'Content-Type' },
  'answers events that nobody asked for': {
    reaction: () => speaks(Buffer.from('data: {}\n\n'), 'text/event-stream'),
    told: 'Content-Type',
  },
  'answers nothing': { reaction: () => speaks(Buffer.alloc(0)), told: 'no audio' },
  'answers 401': { reaction: () => answers(401, errorWithSecrets()), told: 'returned 401' },
  'answers 429': {
    reaction: () => answers(429, errorWithSecrets(), { 'retry-after': '7' }),
    told: 'returned 429',
    retryAfter: '7',
  },
  'answers 500': { reaction: () => answers(500, errorWithSecrets()), told: 'returned 500' },
  'quotes our key in a 400': { reaction: () => answers(400, errorWithSecrets()), told: '400 with our key' },
};

/** What was noted, once it was written. */
const noted = (expected: Record<string, number>) =>
  vi.waitFor(async () => expect(await world.recordedUsage()).toStrictEqual(expected), { timeout: 5_000 });
const once13 = { 'realtime requests': 1, 'realtime chars': 13 };

describe('an upstream that', () => {
  test.each(Object.entries(early))(
    '%s is a 502 that says nothing, and used nothing',
    async (_, { reaction, told, retryAfter }) => {
      world.first.reacts(reaction());
      const reply = await world.speak({ model: 'small' });
      const text = await reply.text();
      expect([reply.status, reply.headers.get('retry-after')]).toStrictEqual([502, retryAfter ?? null]);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'internal_error' } });
      expect(world.first.received).toHaveLength(1);
      expect(world.logged.join('')).toContain(told);
      world.expectNoSecrets(text);
      await vi.waitFor(() => expect(world.first.underWay()).toBe(0));
      world.first.reacts(speaks());
      await (await world.speak({ model: 'small' })).arrayBuffer();
      await noted(once13);
    },
  );

  test.each(Object.entries(early))('%s has its fallback speak', async (_, { reaction }) => {
    world.first.reacts(reaction());
    const reply = await world.speak({ model: 'safe', tier: 'flex' });
    expect([reply.status, (await reply.arrayBuffer()).byteLength]).toStrictEqual([200, 4_000]);
    expect(world.first.received[0]?.body.model).toBe('small-1');
    expect(world.second.received[0]?.body.model).toBe('other-1');
    await noted({ 'batch requests': 1, 'batch chars': 13 });
  });

  test.each([400, 404, 409, 413, 415, 422])(
    'answers %i says so to the client, byte for byte',
    async (status) => {
      const body = `{"error" : {"message":"Unsupported\\u002e", "n": 1.0}}\n`;
      world.first.reacts(says(body, status));
      const reply = await world.speak({ model: 'safe' });
      expect([reply.status, await reply.text()]).toStrictEqual([status, body]);
      expect(world.second.received).toStrictEqual([]);
    },
  );

  test.each<[name: string, reaction: Reaction]>([
    ['stops in the middle', begins('sound', mp3, 'hangs')],
    ['breaks off in the middle', begins('sound', mp3, 'resets')],
    [
      'promises more than it sends',
      (_, response) => {
        response.writeHead(200, { 'content-type': mp3, 'content-length': '1000' }).write('sound');
        setTimeout(() => response.socket?.end(), 20);
      },
    ],
    [
      'breaks off at once after the first bytes',
      (_, response) => {
        response.writeHead(200, { 'content-type': mp3, 'content-length': '1000' });
        response.write('sound', () => response.socket?.resetAndDestroy());
      },
    ],
  ])('%s cuts the connection, and no fallback speaks into it', async (name, reaction) => {
    world.first.reacts(reaction);
    const whole = world.speak({ model: 'safe' }).then((reply) => reply.arrayBuffer());
    // What is reset at once may be gone before the first bytes have been read: then the fallback may speak.
    if (name.includes('at once') && (await whole.catch(() => undefined))?.byteLength === 4_000) return;
    await expect(whole).rejects.toThrow(/terminated|other side closed|fetch failed/);
    expect(world.second.received).toStrictEqual([]);
    expect(world.logged.join('')).toContain('did not respond');
    world.expectNoSecrets('');
    await noted(once13);
  });
});

describe('usage', () => {
  test('counts characters as Unicode does, once for each call, under its tier', async () => {
    await (await world.speak({ model: 'small', input: 'é\u{1f600}e\u0301!' })).arrayBuffer();
    await (await world.speak({ model: 'small', input: 'x'.repeat(10_000), tier: 'batch' })).arrayBuffer();
    await (await world.speak({ model: 'small', input: 'xx', tier: 'flex' })).arrayBuffer();
    await noted({
      'realtime requests': 1,
      'realtime chars': 5,
      'batch requests': 2,
      'batch chars': 10_002,
    });
    const rows = await world.rows('select distinct service from usage_events where project_id = $1', [
      world.tenant().projectId,
    ]);
    expect(rows).toStrictEqual([{ service: 'tts' }]);
  });
});

/** A request whose answer is read as the test wants it. */
async function begun(): Promise<{ incoming: IncomingMessage; leave: () => void }> {
  const outgoing = httpRequest(`${world.base}/v1/audio/speech`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${world.tenant().key}`, 'content-type': 'application/json' },
  });
  outgoing.on('error', () => undefined);
  outgoing.end(JSON.stringify({ model: 'small', input: 'Good morning.' }));
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.on('error', () => undefined);
  return { incoming, leave: () => outgoing.destroy() };
}

describe('a client', () => {
  /** Pieces of sound, and how much of it has gone out. */
  function speaking(pieces: number, pace = 0) {
    const sound = { written: 0, length: pieces * 65_536 };
    const piece = Buffer.alloc(65_536, 's');
    world.first.reacts(async (_, response) => {
      response.writeHead(200, { 'content-type': mp3 });
      for (let count = 0; count < pieces && !response.destroyed; count++) {
        sound.written += piece.length;
        if (!response.write(piece)) await once(response, 'drain');
        if (pace > 0) await pause(pace);
      }
      response.end();
    });
    return sound;
  }

  test('that leaves takes the upstream along, and is counted once', async () => {
    speaking(1_000, 10);
    const open = await Promise.all(Array.from({ length: 10 }, begun));
    await Promise.all(open.map(({ incoming }) => once(incoming, 'data')));
    expect(world.first.underWay()).toBe(10);
    for (const { leave } of open) leave();
    await vi.waitFor(() => expect(world.first.underWay()).toBe(0), { timeout: 2_000, interval: 10 });
    await vi.waitFor(async () => expect(await world.first.connections()).toBe(0), { timeout: 10_000 });
    expect(world.logged.join('')).not.toContain('"level":50');
    await noted({ 'realtime requests': 10, 'realtime chars': 130 });
  });

  test('that leaves before there is an answer is counted too, and is no failure of ours', async () => {
    world.first.reacts(hangs);
    const leaving = new AbortController();
    const answer = world.speak({ model: 'small' }, { signal: leaving.signal });
    await vi.waitFor(() => expect(world.first.underWay()).toBe(1));
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(world.first.underWay()).toBe(0));
    expect(world.logged.join('')).not.toContain('"level":50');
    await noted(once13);
  });

  test('that stalls holds the upstream back, is waited for, and is not buffered for', async () => {
    const sound = speaking(2_000);
    const { incoming } = await begun();
    incoming.pause();
    let before = -1;
    while (before !== sound.written) {
      before = sound.written;
      await pause(500);
    }
    // What sockets hold on the way, and no more: of 131 MB.
    expect(sound.written).toBeLessThan(40_000_000);
    let read = 0;
    for await (const piece of incoming) read += (piece as Buffer).length;
    expect([read, incoming.complete]).toStrictEqual([sound.length, true]);
  });
});
