import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chats, words } from '../../helpers/openai-wire.ts';
import { type LoggedWorld, openLoggedWorld } from './logged-world.ts';

let world: LoggedWorld;
beforeAll(async () => {
  world = await openLoggedWorld();
});
beforeEach(async () => {
  await world.renew();
  for (const upstream of [world.first, world.second]) upstream.reacts(chats({ pieces: words(2) }));
});
afterAll(() => world.close());

/** Sends a request, and returns the text that the upstream received. */
async function sent(text: string, upstream = world.first): Promise<string> {
  const reply = await world.chat(text);
  expect(reply.status, await reply.text()).toBe(200);
  return upstream.received.at(-1)?.bytes.toString() ?? expect.fail('nothing was received');
}

describe('the request to the upstream', () => {
  test('keeps the bytes of all members that Parley does not change', async () => {
    const text = ` {"messages" : [ {"role":"user", "content":"\\u00e9 \\"}{][" , "x":1.0} ],\n"seed": 1e2, "model":"small-1" } `;
    const small = text.replace('small-1', 'small');
    // The provider has another name for the model.
    expect(await sent(small)).toBe(
      '{"messages" : [ {"role":"user", "content":"\\u00e9 \\"}{][" , "x":1.0} ],"seed": 1e2,"model":"small-1"}',
    );
  });

  test.each<[name: string, members: string]>([
    ['an integer over 2^53', '"seed":9007199254740993,"logit_bias":{"1":-18446744073709551616}'],
    ['a number that no double holds', '"a":1e400,"b":0.1000000000000000000001,"c":-0'],
    ['NUL and lone surrogates', '"user":"a\\u0000b","metadata":{"\\u0000":"\\ud800","\\udc00x":[]}'],
    ['__proto__', '"__proto__":{"stream":true,"tier":7},"x":{"__proto__":[1],"constructor":{"prototype":2}}'],
    ['1,000 levels', `"x":${'[{"a":'.repeat(500)}1${'}]'.repeat(500)}`],
    ['60,000 levels', `"x":${'['.repeat(60_000)}${']'.repeat(60_000)}`],
  ])('passes on %s in members that Parley does not read', async (_, members) => {
    const text = `{"model":"small-1","messages":[{"role":"user","content":"x"}],${members}}`;
    expect(await sent(text.replace('small-1', 'small'))).toBe(text);
    // The same inside of a message.
    const inside = `{"model":"small-1","messages":[{"role":"u\\u0000","content":[{"text":"\\u0000",${members}}],${members}}]}`;
    expect(await sent(inside.replace('small-1', 'small'))).toBe(inside);
    const streamed = await sent(
      `{"model":"small","messages":[],"stream":true,"stream_options":{ ${members},"include_usage":false}}`,
    );
    expect(streamed).toBe(
      `{"model":"small-1","messages":[],"stream":true,"stream_options":{${members},"include_usage":true}}`,
    );
    expect((await world.chat(`{"model":"small","messages":[],"reasoning":{${members}}}`)).status).toBe(200);
  });

  test('omits the members that only Parley reads, however their names are escaped', async () => {
    const text = `{"tier":"batch", "reasoning":{"effort":"low","x":["}"]}, "model":"small","messages":[], "t\\u0069er":"x","rest":{"tier":"kept"}}`;
    expect(await sent(text)).toBe('{"model":"small-1","messages":[],"rest":{"tier":"kept"}}');
  });

  test('uses the last of repeated members', async () => {
    const text = `{"model":"large","messages":[{"role":"a"}],"model":"small","messages":[{"role":"b"}],"stream":true,"stream":false}`;
    expect(await sent(text)).toBe('{"model":"small-1","messages":[{"role":"b"}],"stream":false}');
  });

  test('keeps the stream options of the client and adds include_usage', async () => {
    const text =
      '{"model":"small","messages":[],"stream":true,"stream_options":{"include_obfuscation":false}}';
    expect(JSON.parse(await sent(text))).toStrictEqual({
      model: 'small-1',
      messages: [],
      stream: true,
      stream_options: { include_obfuscation: false, include_usage: true },
    });
  });

  test('can have 25 MiB, and one more byte returns 413', async () => {
    const around = '{"model":"small","messages":[{"role":"user","content":""}]}';
    const text = around.replace('""', `"${'x'.repeat(26_214_400 - around.length)}"`);
    expect(text).toHaveLength(26_214_400);
    expect((await sent(text)).length).toBe(text.length + '-1'.length);
    const tooLong = await world.chat(text.replace('x', 'xx'));
    expect([tooLong.status, await tooLong.json()]).toMatchObject([
      413,
      { error: { code: 'payload_too_large' } },
    ]);
  });
});

describe('the choice of a model', () => {
  test.each<[reasoning: unknown, tier: string | null | undefined, model: string]>([
    [undefined, undefined, 'small-1'],
    ['high', undefined, 'large-1'],
    [{ effort: 'xhigh' }, 'batch', 'large-1'],
    ['low', 'batch', 'small-1'],
    ['high', null, 'large-1'],
    ['immense', 'flex', 'small-1'],
    [7, 'default', 'small-1'],
    [null, undefined, 'small-1'],
  ])('for auto with reasoning %j and tier %s is %s', async (reasoning, tier, model) => {
    const reply = await world.chat({ model: 'auto', reasoning, tier });
    expect(await reply.json()).toMatchObject({ model });
    const [{ body } = expect.fail()] = [...world.first.received, ...world.second.received];
    expect(body).toStrictEqual({ messages: [{ role: 'user' }], model });
  });

  test('for auto includes the fallbacks of the chosen model', async () => {
    world.first.reacts((_, response) => void response.writeHead(500).end());
    const reply = await world.chat({ model: 'auto', tier: 'flex' });
    expect(await reply.json()).toMatchObject({ model: 'other-1' });
  });

  test('ignores reasoning if the request names a model', async () => {
    const reply = await world.chat({ model: 'small', reasoning: 'high' });
    expect(await reply.json()).toMatchObject({ model: 'small-1' });
  });
});

describe('returns 422 in the form of FastAPI for', () => {
  const user = { role: 'user', content: 'x' };
  test.each<[name: string, body: unknown, detail: unknown[]]>([
    [
      'no members',
      {},
      [
        { loc: ['body', 'model'], msg: 'Is required.', type: 'missing' },
        { loc: ['body', 'messages'], msg: 'Is required.', type: 'missing' },
      ],
    ],
    [
      'a role that is not a string',
      { model: 'auto', messages: [{ role: 7 }] },
      [{ loc: ['body', 'messages', 0, 'role'], msg: 'Expected string.', type: 'string_type' }],
    ],
    [
      'a message without a role, in the third place',
      { model: 'auto', messages: [user, user, { content: null }] },
      [{ loc: ['body', 'messages', 2, 'role'], msg: 'Is required.', type: 'missing' }],
    ],
    [
      'NUL in a member that Parley reads',
      { model: 'auto\0', messages: [user], tier: '\ud800' },
      [
        { loc: ['body', 'model'], msg: 'Holds the character NUL.', type: 'value_error' },
        { loc: ['body', 'tier'], msg: 'Holds half of a surrogate pair.', type: 'value_error' },
      ],
    ],
    [
      'messages that are not a list, a stream that is not a boolean, a tier that is not a string',
      { model: 'auto', messages: {}, stream: 'yes', tier: 7 },
      [
        { loc: ['body', 'messages'], msg: 'Expected Array.', type: 'list_type' },
        { loc: ['body', 'stream'], msg: 'Expected boolean.', type: 'bool_type' },
        { loc: ['body', 'tier'], msg: 'Expected string.', type: 'string_type' },
      ],
    ],
    [
      'a message that is not an object',
      { model: 'auto', messages: ['x'] },
      [{ loc: ['body', 'messages', 0], msg: 'Expected Object.', type: 'model_attributes_type' }],
    ],
    ['invalid JSON', '{"model":', [{ loc: ['body'], msg: 'Is not valid JSON.', type: 'json_invalid' }]],
    ['a list', '[]', [{ loc: ['body'], msg: 'Expected a JSON object.', type: 'value_error' }]],
  ])('%s', async (_, body, detail) => {
    const reply = await world.chat(typeof body === 'string' ? body : JSON.stringify(body));
    const response = (await reply.json()) as { detail: { loc: unknown[] }[] };
    const actual = response.detail.toSorted((a, b) => String(a.loc).length - String(b.loc).length);
    const expected = (detail as typeof response.detail).toSorted(
      (a, b) => String(a.loc).length - String(b.loc).length,
    );
    expect({ status: reply.status, detail: actual }).toStrictEqual({ status: 422, detail: expected });
    expect(world.first.received).toStrictEqual([]);
  });

  test('content that is neither a string nor a list of parts', async () => {
    for (const content of [7, {}, ['x'], true])
      expect((await world.chat({ model: 'auto', messages: [{ role: 'user', content }] })).status).toBe(422);
    for (const content of [null, '', [], [{}], undefined])
      expect((await world.chat({ model: 'auto', messages: [{ role: 'user', content }] })).status).toBe(200);
  });
});

test('a request with query parameters ignores them', async () => {
  const reply = await fetch(`${world.base}/v1/chat/completions?api-version=1&tier=batch`, {
    method: 'POST',
    headers: { 'x-api-key': world.tenant().key, 'content-type': 'application/json' },
    body: '{"model":"small","messages":[]}',
  });
  expect(reply.status).toBe(200);
});

test('a paused project returns 403 and calls no model', async () => {
  const { projectId, key } = world.tenant();
  await world.rest('PATCH', `/v1/projects/${projectId}`, { key, body: { status: 'paused' } });
  expect((await world.chat({ model: 'small' })).status).toBe(403);
  expect(world.first.received).toStrictEqual([]);
});

test('a revoked key returns 401 and calls no model', async () => {
  const { projectId } = world.tenant();
  const { key, keyId } = await world.key(projectId);
  const call = () =>
    world.rest('POST', '/v1/chat/completions', { key, body: { model: 'small', messages: [] } });
  expect((await call()).status).toBe(200);
  await world.rest('POST', `/v1/keys/${keyId}/revoke`, { key: world.tenant().key });
  expect((await call()).status).toBe(401);
  expect(world.first.received).toHaveLength(1);
});
