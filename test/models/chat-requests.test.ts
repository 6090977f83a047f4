import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chats, words } from '../helpers/openai-wire.ts';
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

/** The text that reached an upstream. */
async function sent(text: string, upstream = world.first): Promise<string> {
  const reply = await world.chat(text);
  expect(reply.status, await reply.text()).toBe(200);
  return upstream.received.at(-1)?.bytes.toString() ?? expect.fail('nothing was received');
}

describe('the request goes upstream', () => {
  test('byte for byte, where nothing has to be changed', async () => {
    const text = ` {"messages" : [ {"role":"user", "content":"\\u00e9 \\"}{][" , "x":1.0} ],\n"seed": 1e2, "model":"small-1" } `;
    const small = text.replace('small-1', 'small');
    // The name at the provider is another one.
    expect(await sent(small)).toBe(
      '{"messages" : [ {"role":"user", "content":"\\u00e9 \\"}{][" , "x":1.0} ],"seed": 1e2,"model":"small-1"}',
    );
  });

  test('without what is ours alone, however it is written', async () => {
    const text = `{"tier":"batch", "reasoning":{"effort":"low","x":["}"]}, "model":"small","messages":[], "t\\u0069er":"x","rest":{"tier":"kept"}}`;
    expect(await sent(text)).toBe('{"model":"small-1","messages":[],"rest":{"tier":"kept"}}');
  });

  test('with the last of the members that stand there twice', async () => {
    const text = `{"model":"large","messages":[{"role":"a"}],"model":"small","messages":[{"role":"b"}],"stream":true,"stream":false}`;
    expect(await sent(text)).toBe('{"model":"small-1","messages":[{"role":"b"}],"stream":false}');
  });

  test('with other stream options beside the one that we need', async () => {
    const text =
      '{"model":"small","messages":[],"stream":true,"stream_options":{"include_obfuscation":false}}';
    expect(JSON.parse(await sent(text))).toStrictEqual({
      model: 'small-1',
      messages: [],
      stream: true,
      stream_options: { include_obfuscation: false, include_usage: true },
    });
  });

  test('up to 25 MiB', async () => {
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

describe('auto', () => {
  test.each<[reasoning: unknown, tier: string | undefined, model: string]>([
    [undefined, undefined, 'small-1'],
    ['high', undefined, 'large-1'],
    [{ effort: 'xhigh' }, 'batch', 'large-1'],
    ['low', 'batch', 'small-1'],
    ['immense', 'flex', 'small-1'],
    [7, 'default', 'small-1'],
    [null, undefined, 'small-1'],
  ])('with reasoning %j and tier %s is %s', async (reasoning, tier, model) => {
    const reply = await world.chat({ model: 'auto', reasoning, tier });
    expect(await reply.json()).toMatchObject({ model });
    const [{ body } = expect.fail()] = [...world.first.received, ...world.second.received];
    expect(body).toStrictEqual({ messages: [{ role: 'user' }], model });
  });

  test('takes what has a fallback from the tier', async () => {
    world.first.reacts((_, response) => void response.writeHead(500).end());
    const reply = await world.chat({ model: 'auto', tier: 'flex' });
    expect(await reply.json()).toMatchObject({ model: 'other-1' });
  });

  test('alone reads reasoning', async () => {
    const reply = await world.chat({ model: 'small', reasoning: 'high' });
    expect(await reply.json()).toMatchObject({ model: 'small-1' });
  });
});

describe('what does not fit is told as FastAPI tells it, with 422', () => {
  const user = { role: 'user', content: 'x' };
  test.each<[name: string, body: unknown, detail: unknown[]]>([
    [
      'nothing there',
      {},
      [
        { loc: ['body', 'model'], msg: 'Is required.', type: 'missing' },
        { loc: ['body', 'messages'], msg: 'Is required.', type: 'missing' },
      ],
    ],
    [
      'a role that is none',
      { model: 'auto', messages: [{ role: 7 }] },
      [{ loc: ['body', 'messages', 0, 'role'], msg: 'Expected string.', type: 'string_type' }],
    ],
    [
      'a message without a role, in the third place',
      { model: 'auto', messages: [user, user, { content: null }] },
      [{ loc: ['body', 'messages', 2, 'role'], msg: 'Is required.', type: 'missing' }],
    ],
    [
      'a member that is a number in its name',
      { model: 'auto', messages: [{ ...user, 0: '\u0000' }] },
      [{ loc: ['body', 'messages', 0, '0'], msg: 'Holds the character NUL.', type: 'value_error' }],
    ],
    [
      'messages that are no list, a stream that is no boolean, a tier that is no text',
      { model: 'auto', messages: {}, stream: 'yes', tier: 7 },
      [
        { loc: ['body', 'messages'], msg: 'Expected Array.', type: 'list_type' },
        { loc: ['body', 'stream'], msg: 'Expected boolean.', type: 'bool_type' },
        { loc: ['body', 'tier'], msg: 'Expected string.', type: 'string_type' },
      ],
    ],
    [
      'a message that is none',
      { model: 'auto', messages: ['x'] },
      [{ loc: ['body', 'messages', 0], msg: 'Expected Object.', type: 'model_attributes_type' }],
    ],
    ['no JSON', '{"model":', [{ loc: ['body'], msg: 'Is not valid JSON.', type: 'json_invalid' }]],
    ['a list', '[]', [{ loc: ['body'], msg: 'Expected a JSON object.', type: 'value_error' }]],
  ])('%s', async (_, body, detail) => {
    const reply = await world.chat(typeof body === 'string' ? body : JSON.stringify(body));
    const told = (await reply.json()) as { detail: { loc: unknown[] }[] };
    const inOrder = told.detail.toSorted((a, b) => String(a.loc).length - String(b.loc).length);
    const wanted = (detail as typeof told.detail).toSorted(
      (a, b) => String(a.loc).length - String(b.loc).length,
    );
    expect({ status: reply.status, detail: inOrder }).toStrictEqual({ status: 422, detail: wanted });
    expect(world.first.received).toStrictEqual([]);
  });

  test('__proto__ at any level', async () => {
    for (const text of [
      '{"model":"auto","messages":[],"__proto__":{"stream":true}}',
      '{"model":"auto","messages":[{"role":"user","__proto__":{}}]}',
    ])
      expect((await world.chat(text)).status).toBe(422);
  });

  test('content that is neither a text nor a list of parts', async () => {
    for (const content of [7, {}, ['x'], true])
      expect((await world.chat({ model: 'auto', messages: [{ role: 'user', content }] })).status).toBe(422);
    for (const content of [null, '', [], [{}], undefined])
      expect((await world.chat({ model: 'auto', messages: [{ role: 'user', content }] })).status).toBe(200);
  });
});

test('query parameters are not looked at', async () => {
  const reply = await fetch(`${world.base}/v1/chat/completions?api-version=1&tier=batch`, {
    method: 'POST',
    headers: { 'x-api-key': world.tenant().key, 'content-type': 'application/json' },
    body: '{"model":"small","messages":[]}',
  });
  expect(reply.status).toBe(200);
});

test('a paused project is refused', async () => {
  const { projectId, key } = world.tenant();
  await world.rest('PATCH', `/v1/projects/${projectId}`, { key, body: { status: 'paused' } });
  expect((await world.chat({ model: 'small' })).status).toBe(403);
  expect(world.first.received).toStrictEqual([]);
});

test('a key that is revoked calls no model', async () => {
  const { projectId } = world.tenant();
  const { key, keyId } = await world.key(projectId);
  const call = () =>
    world.rest('POST', '/v1/chat/completions', { key, body: { model: 'small', messages: [] } });
  expect((await call()).status).toBe(200);
  await world.rest('POST', `/v1/keys/${keyId}/revoke`, { key: world.tenant().key });
  expect((await call()).status).toBe(401);
  expect(world.first.received).toHaveLength(1);
});
