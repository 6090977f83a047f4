import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { speaks } from '../../helpers/openai-wire.ts';
import { answers, babbles, begins, hangs, type Reaction, resets, says } from '../../helpers/upstream.ts';
import { upstreamKey } from '../../helpers/world.ts';
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

/** Sends the head of a response, and then calls `then`. */
const headThen =
  (then: (response: Parameters<Reaction>[1]) => void): Reaction =>
  (_, response) => {
    response.writeHead(200, { 'content-type': mp3 }).flushHeaders();
    then(response);
  };

/** How an upstream fails before the client has received a byte, and what the log then contains. */
const failures: Record<string, { reaction: () => Reaction; log: string; retryAfter?: string }> = {
  'never responds': { reaction: () => hangs, log: 'UND_ERR_HEADERS_TIMEOUT' },
  'sends a header but no audio': {
    reaction: () => headThen(() => undefined),
    log: 'UND_ERR_BODY_TIMEOUT',
  },
  'sends a header and closes the connection': {
    reaction: () => headThen((response) => setTimeout(() => response.socket?.resetAndDestroy(), 20)),
    log: 'did not respond',
  },
  'closes the connection': { reaction: () => resets, log: 'did not respond' },
  'does not send HTTP': { reaction: () => babbles, log: 'HTTPParserError' },
  'returns HTML': { reaction: () => speaks(Buffer.from('<html>'), 'text/html'), log: 'Content-Type' },
  'returns JSON': { reaction: () => says('{"audio":"c291bmQ="}'), log: 'Content-Type' },
  'returns events that were not requested': {
    reaction: () => speaks(Buffer.from('data: {}\n\n'), 'text/event-stream'),
    log: 'Content-Type',
  },
  'returns an empty body': { reaction: () => speaks(Buffer.alloc(0)), log: 'no audio' },
  'returns 401': { reaction: () => answers(401, errorWithSecrets()), log: 'returned 401' },
  'returns 429': {
    reaction: () => answers(429, errorWithSecrets(), { 'retry-after': '7' }),
    log: 'returned 429',
    retryAfter: '7',
  },
  'returns 500': { reaction: () => answers(500, errorWithSecrets()), log: 'returned 500' },
  'quotes the key in a 400': { reaction: () => answers(400, errorWithSecrets()), log: '400 with our key' },
};

/** Waits until the recorded usage is as expected. */
const expectUsage = (expected: Record<string, number>) =>
  vi.waitFor(async () => expect(await world.recordedUsage()).toStrictEqual(expected), { timeout: 5_000 });
const oneCallOf13Characters = { 'realtime requests': 1, 'realtime chars': 13 };

describe('speech', () => {
  test.each(Object.entries(failures))(
    'returns 502 without details and records no usage if the upstream %s',
    async (_, { reaction, log, retryAfter }) => {
      world.first.reacts(reaction());
      const reply = await world.speak({ model: 'small' });
      const text = await reply.text();
      expect([reply.status, reply.headers.get('retry-after')]).toStrictEqual([502, retryAfter ?? null]);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'internal_error' } });
      expect(world.first.received).toHaveLength(1);
      expect(world.logged.join('')).toContain(log);
      world.expectNoSecrets(text);
      await vi.waitFor(() => expect(world.first.underWay()).toBe(0));
      world.first.reacts(speaks());
      await (await world.speak({ model: 'small' })).arrayBuffer();
      await expectUsage(oneCallOf13Characters);
    },
  );

  test.each(Object.entries(failures))(
    'comes from the fallback if the upstream %s',
    async (_, { reaction }) => {
      world.first.reacts(reaction());
      const reply = await world.speak({ model: 'safe', tier: 'flex' });
      expect([reply.status, (await reply.arrayBuffer()).byteLength]).toStrictEqual([200, 4_000]);
      expect(world.first.received[0]?.body.model).toBe('small-1');
      expect(world.second.received[0]?.body.model).toBe('other-1');
      await expectUsage({ 'batch requests': 1, 'batch chars': 13 });
    },
  );

  test.each([400, 404, 409, 413, 415, 422])(
    'returns %i of the upstream byte for byte and calls no fallback',
    async (status) => {
      const body = `{"error" : {"message":"Unsupported\\u002e", "n": 1.0}}\n`;
      world.first.reacts(says(body, status));
      const reply = await world.speak({ model: 'safe' });
      expect([reply.status, await reply.text()]).toStrictEqual([status, body]);
      expect(world.second.received).toStrictEqual([]);
    },
  );

  test.each<[name: string, reaction: Reaction]>([
    ['stops sending in the middle', begins('sound', mp3, 'hangs')],
    ['closes the connection in the middle', begins('sound', mp3, 'resets')],
    [
      'sends less than its Content-Length',
      (_, response) => {
        response.writeHead(200, { 'content-type': mp3, 'content-length': '1000' }).write('sound');
        setTimeout(() => response.socket?.end(), 20);
      },
    ],
    [
      'resets the connection right after the first bytes',
      (_, response) => {
        response.writeHead(200, { 'content-type': mp3, 'content-length': '1000' });
        response.write('sound', () => response.socket?.resetAndDestroy());
      },
    ],
  ])('closes the connection and calls no fallback if the upstream %s', async (name, reaction) => {
    world.first.reacts(reaction);
    const whole = world.speak({ model: 'safe' }).then((reply) => reply.arrayBuffer());
    // The reset may discard the first bytes before Parley reads them. Then the fallback may respond.
    if (name.startsWith('resets') && (await whole.catch(() => undefined))?.byteLength === 4_000) return;
    await expect(whole).rejects.toThrow(/terminated|other side closed|fetch failed/);
    expect(world.second.received).toStrictEqual([]);
    expect(world.logged.join('')).toContain('did not respond');
    world.expectNoSecrets('');
    await expectUsage(oneCallOf13Characters);
  });
});

describe('the usage of speech', () => {
  test('counts Unicode characters once per call, in the mode of its tier', async () => {
    await (await world.speak({ model: 'small', input: 'é\u{1f600}e\u0301!' })).arrayBuffer();
    await (await world.speak({ model: 'small', input: 'x'.repeat(10_000), tier: 'batch' })).arrayBuffer();
    await (await world.speak({ model: 'small', input: 'xx', tier: 'flex' })).arrayBuffer();
    await expectUsage({
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

/** Sends a request, and returns its response unread. */
async function openRequest(): Promise<{ incoming: IncomingMessage; leave: () => void }> {
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
  /** Makes the upstream send pieces of audio, and returns how many bytes it has written. */
  function sendPieces(pieces: number, pace = 0) {
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

  test('that leaves ends the upstream call, which counts once', async () => {
    sendPieces(1_000, 10);
    const open = await Promise.all(Array.from({ length: 10 }, openRequest));
    await Promise.all(open.map(({ incoming }) => once(incoming, 'data')));
    expect(world.first.underWay()).toBe(10);
    for (const { leave } of open) leave();
    await vi.waitFor(() => expect(world.first.underWay()).toBe(0), { timeout: 2_000, interval: 10 });
    await vi.waitFor(async () => expect(await world.first.connections()).toBe(0), { timeout: 10_000 });
    expect(world.logged.join('')).not.toContain('"level":50');
    await expectUsage({ 'realtime requests': 10, 'realtime chars': 130 });
  });

  test('that leaves before the response counts too, and logs no error', async () => {
    world.first.reacts(hangs);
    const leaving = new AbortController();
    const answer = world.speak({ model: 'small' }, { signal: leaving.signal });
    await vi.waitFor(() => expect(world.first.underWay()).toBe(1), { timeout: 10_000 });
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(world.first.underWay()).toBe(0));
    expect(world.logged.join('')).not.toContain('"level":50');
    await expectUsage(oneCallOf13Characters);
  });

  test('that stalls slows the upstream down, fills no buffer, and receives everything in the end', async () => {
    const sound = sendPieces(2_000);
    const { incoming } = await openRequest();
    incoming.pause();
    let before = -1;
    while (before !== sound.written) {
      before = sound.written;
      await pause(500);
    }
    // Of 131 MB, the sockets hold no more than this.
    expect(sound.written).toBeLessThan(40_000_000);
    let read = 0;
    for await (const piece of incoming) read += (piece as Buffer).length;
    expect([read, incoming.complete]).toStrictEqual([sound.length, true]);
  });
});
