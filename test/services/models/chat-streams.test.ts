import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { chats, eventOf, streams, words } from '../../helpers/openai-wire.ts';
import { answers, begins, hangs } from '../../helpers/upstream.ts';
import { type LoggedWorld, openLoggedWorld } from './logged-world.ts';

let world: LoggedWorld;
beforeAll(async () => {
  world = await openLoggedWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const done = 'data: [DONE]\n\n';
const chunk = (content: string) => eventOf({ choices: [{ index: 0, delta: { content } }], usage: null });
const usage = { prompt_tokens: 11, completion_tokens: 22, total_tokens: 33 };
const usageAlone = eventOf({ choices: [], usage });
const streamed = async (...pieces: (string | Uint8Array)[]) => {
  world.first.reacts(streams(...pieces));
  return (await world.chat({ model: 'small', stream: true })).text();
};

/** Sends a request, and returns its response unread. */
async function openRequest(
  input: Record<string, unknown>,
): Promise<{ incoming: IncomingMessage; leave: () => void }> {
  const outgoing = httpRequest(`${world.base}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${world.tenant().key}`, 'content-type': 'application/json' },
  });
  outgoing.on('error', () => undefined);
  outgoing.end(
    JSON.stringify({ model: 'small', messages: [{ role: 'user', content: 'Hello!!!' }], ...input }),
  );
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.on('error', () => undefined);
  return { incoming, leave: () => outgoing.destroy() };
}

describe('a stream', () => {
  test('passes byte for byte, without the usage that only Parley requested', async () => {
    const events = [
      ': a comment\n\n',
      'event: ping\nid: 7\nretry: 100\ndata: {"choices": [ ]}\n\n',
      chunk('{"usage":{"prompt_tokens":1}}'),
      chunk('héllo \u{1f600} \\ "quoted" data: [DONE]\n\n'),
      'data: no JSON, "usage": {\n\n',
      eventOf({ choices: [{ index: 0, delta: {} }], usage }),
      'data:{"choices":[]}\r\n\r\n',
    ];
    expect(await streamed(...events, usageAlone, done)).toBe([...events, done].join(''));
    expect(await streamed([...events, usageAlone, done].join(''))).toBe([...events, done].join(''));
  });

  test('passes byte for byte wherever the upstream splits it', async () => {
    const whole = Buffer.from(chunk('héllo \u{1f600}') + chunk('x') + usageAlone + done);
    for (let at = 1; at < whole.length; at += 7) {
      const text = await streamed(whole.subarray(0, at), whole.subarray(at));
      expect(text).toBe(chunk('héllo \u{1f600}') + chunk('x') + done);
    }
  });

  test('may have other line breaks and spaces', async () => {
    const spaced = `data: {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}`;
    expect(await streamed(`data: {}\r\n\r\n${spaced}\r\n\r\n`, 'data: [DONE]\r\n\r\n')).toBe(
      'data: {}\r\n\r\ndata: [DONE]\r\n\r\n',
    );
  });

  test('may end without a line break', async () => {
    expect(await streamed(chunk('x'), 'data: [DONE]')).toBe(`${chunk('x')}data: [DONE]`);
  });

  test('includes the usage if the client requests it', async () => {
    world.first.reacts(streams(chunk('x'), usageAlone, done));
    const options = { stream_options: { include_usage: true, include_obfuscation: false } };
    const reply = await world.chat({ model: 'small', stream: true, ...options });
    expect(await reply.text()).toBe(chunk('x') + usageAlone + done);
    expect(world.first.received[0]?.body).toMatchObject(options);
    expect(reply.headers.get('content-type')).toBe('text/event-stream');
    expect(reply.headers.get('x-accel-buffering')).toBe('no');
  });

  test('passes each event as soon as it arrives', async () => {
    world.first.reacts(begins(chunk('first'), 'text/event-stream', 'hangs'));
    const { incoming, leave } = await openRequest({ stream: true });
    const [piece] = (await once(incoming, 'data')) as [Buffer];
    expect(piece.toString()).toBe(chunk('first'));
    leave();
  });
});

test('a JSON response passes byte for byte', async () => {
  const body = '{ "id":"x", "choices":[],\n "n": 1.0, "e": "\\u00e9" }\n';
  world.first.reacts((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.write(body.slice(0, 9));
    setTimeout(() => response.end(body.slice(9)), 20);
  });
  const reply = await world.chat({ model: 'small' });
  expect(await reply.text()).toBe(body);
  expect(reply.headers.get('content-length')).toBe(String(body.length));
  const long = `{"choices":[{"message":{"content":"${'x'.repeat(3_000_000)}"}}]}`;
  world.first.reacts(answers(200, JSON.parse(long)));
  expect(await (await world.chat({ model: 'small' })).text()).toBe(long);
});

describe('the usage of a chat completion', () => {
  const expectUsage = async (expected: Record<string, number>) =>
    vi.waitFor(async () => expect(await world.recordedUsage()).toStrictEqual(expected), { timeout: 5_000 });

  test('is what the upstream reports, once per call, in the mode of its tier', async () => {
    world.first.reacts(chats({ pieces: words(5) }));
    await (await world.chat({ model: 'small' })).text();
    await (await world.chat({ model: 'small', stream: true, tier: 'playground' })).text();
    await (await world.chat({ model: 'small', stream: true, tier: 'priority' })).text();
    await expectUsage({
      'realtime requests': 2,
      'realtime tokens_in': 14,
      'realtime tokens_out': 10,
      'playground requests': 1,
      'playground tokens_in': 7,
      'playground tokens_out': 5,
    });
  });

  test('counts the tokens received and estimates the input if the client leaves a stream', async () => {
    world.first.reacts(chats({ pieces: words(50), pace: 200 }));
    const { incoming, leave } = await openRequest({ stream: true });
    let text = '';
    for await (const piece of incoming) {
      text += String(piece);
      if (text.includes('word6 ')) break;
    }
    leave();
    await vi.waitFor(() => expect(world.first.underWay()).toBe(0), { timeout: 1_000 });
    const { produced } = world.first.received[0] ?? expect.fail();
    expect(produced).toBe(7);
    await expectUsage({
      'realtime requests': 1,
      'realtime tokens_in estimated': 6,
      'realtime tokens_out': 7,
    });
  });

  test('counts the tokens received if a stream breaks off', async () => {
    world.first.reacts(begins(chunk('a') + chunk('b'), 'text/event-stream', 'resets'));
    await (await world.chat({ model: 'small', stream: true })).text();
    await expectUsage({
      'realtime requests': 1,
      'realtime tokens_in estimated': 4,
      'realtime tokens_out': 2,
    });
  });

  test('is estimated if the upstream reports none', async () => {
    world.first.reacts(answers(200, { choices: [{}] }));
    await (await world.chat({ model: 'small' })).text();
    await expectUsage({
      'realtime requests': 1,
      'realtime tokens_in estimated': 4,
      'realtime tokens_out estimated': 1,
    });
  });

  test('is not recorded if the call fails', async () => {
    for (const status of [400, 401, 500]) {
      world.first.reacts(answers(status, {}));
      await (await world.chat({ model: 'small' })).text();
    }
    world.first.reacts(chats({ pieces: words(1) }));
    await (await world.chat({ model: 'small' })).text();
    await expectUsage({ 'realtime requests': 1, 'realtime tokens_in': 7, 'realtime tokens_out': 1 });
  });
});

describe('a client', () => {
  test('that leaves ends the upstream call and leaves no connection open', async () => {
    const leaving = 20;
    world.first.reacts(chats({ pieces: words(1_000), pace: 20 }));
    const open = await Promise.all(Array.from({ length: leaving }, () => openRequest({ stream: true })));
    await Promise.all(open.map(({ incoming }) => once(incoming, 'data')));
    expect(world.first.underWay()).toBe(leaving);
    for (const { leave } of open) leave();
    await vi.waitFor(() => expect(world.first.underWay()).toBe(0), { timeout: 2_000, interval: 10 });
    await vi.waitFor(async () => expect(await world.first.connections()).toBe(0), { timeout: 10_000 });
    expect(world.logged.join('')).not.toContain('"level":50');
  });

  test('that leaves before the response logs no error', async () => {
    world.first.reacts(hangs);
    const leaving = new AbortController();
    const response = world.chat({ model: 'small' }, { signal: leaving.signal });
    await vi.waitFor(() => expect(world.first.underWay()).toBe(1), { timeout: 10_000 });
    leaving.abort();
    await expect(response).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(world.first.underWay()).toBe(0));
    expect(world.logged.join('')).not.toContain('"level":50');
  });

  test('that stalls slows the upstream down and fills no buffer', async () => {
    const event = Buffer.from(chunk('x'.repeat(65_000)));
    let written = 0;
    world.first.reacts(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let count = 0; count < 3_000 && !response.destroyed; count++) {
        written += event.length;
        if (!response.write(event)) await once(response, 'drain');
      }
      response.end(done);
    });
    const { incoming, leave } = await openRequest({ stream: true });
    incoming.pause();
    let before = -1;
    while (before !== written) {
      before = written;
      await pause(500);
    }
    // Of 195 MB, the sockets hold no more than this.
    expect(written).toBeLessThan(40_000_000);
    leave();
    await vi.waitFor(() => expect(world.first.underWay()).toBe(0));
  });
});
