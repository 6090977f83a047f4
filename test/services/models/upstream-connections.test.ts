import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chats, speaks, transcribes, words } from '../../helpers/openai-wire.ts';
import type { Reaction } from '../../helpers/upstream.ts';
import { wav } from '../../helpers/wav.ts';
import { type LoggedWorld, openLoggedWorld } from './logged-world.ts';

let world: LoggedWorld;
beforeAll(async () => {
  world = await openLoggedWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

/** Closes the connection, like a server that closes an idle one while a request is on its way. */
const closes: Reaction = (_, response) => {
  response.socket?.end();
};

const recording = () => {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(wav())]), 'call.wav');
  form.set('model', 'small');
  return form;
};

describe('a kept connection that the upstream has closed', () => {
  const calls: Record<string, { react: Reaction; call: () => Promise<Response> }> = {
    'a chat': { react: chats({ pieces: words(2) }), call: () => world.chat({ model: 'small' }) },
    speech: { react: speaks(Buffer.alloc(9), 'audio/wav'), call: () => world.speak({ model: 'small' }) },
    'a transcription': { react: transcribes('Said.'), call: () => world.transcribe(recording()) },
  };
  test.each(Object.entries(calls))('is replaced: %s succeeds over a new one', async (_, { react, call }) => {
    world.first.reacts(react);
    const before = await (await call()).text();
    world.first.reactsNext(closes);
    const reply = await call();
    expect([reply.status, await reply.text()]).toEqual([200, before]);
    const [, lost, again, ...more] = world.first.received;
    expect(again?.bytes.length).toBe(lost?.bytes.length);
    expect(more).toEqual([]);
    expect(world.logged.join('')).not.toContain('"level":50');
  });

  test('counts as one failure if the new connection closes too', async () => {
    world.second.reacts(chats({ pieces: words(2) }));
    await (await world.chat({ model: 'large' })).text();
    world.second.reacts(closes);
    expect((await world.chat({ model: 'large' })).status).toBe(502);
    expect(world.second.received).toHaveLength(3);
    expect((await world.chat({ model: 'large' })).status).toBe(502);
    // Parley does not retry over a new connection.
    expect(world.second.received).toHaveLength(4);
  });
});

describe('the traceparent of a call', () => {
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const upstreamGets = async (traceparent: string) => {
    world.first.reacts(chats({ pieces: words(1) }));
    const headers = { authorization: `Bearer ${world.tenant().key}`, 'content-type': 'application/json' };
    const reply = await world.chat({ model: 'small' }, { headers: { ...headers, traceparent } });
    expect(reply.status).toBe(200);
    return world.first.received.at(-1)?.headers['traceparent'];
  };

  test('passes to the upstream', async () => {
    expect(await upstreamGets(trace)).toBe(trace);
    world.first.reacts(speaks(Buffer.alloc(9), 'audio/wav'));
    const headers = { authorization: `Bearer ${world.tenant().key}`, traceparent: trace };
    const json = { ...headers, 'content-type': 'application/json' };
    expect((await world.speak({ model: 'small' }, { headers: json })).status).toBe(200);
    world.first.reacts(transcribes('Said.'));
    expect((await world.transcribe(recording(), { headers })).status).toBe(200);
    expect(world.first.received.map((request) => request.headers['traceparent'])).toEqual([
      trace,
      trace,
      trace,
    ]);
  });

  test.each([
    '',
    'x',
    trace.toUpperCase(),
    trace.replace('00-', 'ff-'),
    `${trace}-00`,
    `${trace}, ${trace}`,
    trace.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
    trace.replace('b7ad6b7169203331', '0'.repeat(16)),
  ])('does not pass to the upstream if it is invalid: %j', async (traceparent) => {
    expect(await upstreamGets(traceparent)).toBeUndefined();
  });
});
