import { randomBytes } from 'node:crypto';
import OpenAI from 'openai';
import type { SpeechCreateParams } from 'openai/resources/audio/speech';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventOf, speaks, streams } from '../../helpers/openai-wire.ts';
import { answers } from '../../helpers/upstream.ts';
import { openWorld, upstreamKey, type World } from '../../helpers/world.ts';

let world: World;
let client: OpenAI;
beforeAll(async () => {
  world = await openWorld();
  const { key } = await world.tenant();
  client = new OpenAI({ apiKey: key, baseURL: `${world.base}/v1`, maxRetries: 0 });
});
afterAll(() => world.close());
beforeEach(() => {
  world.upstream.received.length = 0;
  world.upstream.reacts(speaks());
});

const received = () => world.upstream.received[0] ?? expect.fail('nothing was received');
const validBody = { model: 'auto', input: 'Good morning.', voice: 'alloy' } satisfies SpeechCreateParams;

const contentTypes = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg; codecs=opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'application/octet-stream',
} as const;

test('passes on the members that Parley does not read, and a voice that it does not know, as they were sent', async () => {
  const { key } = await world.tenant();
  const rest =
    '"seed":9007199254740993,"x":[1e400,"\\u0000\\ud800",{"__proto__":1,"constructor":-0}],' +
    `"deep":${'['.repeat(1000)}${']'.repeat(1000)}`;
  const voice = '{ "id":"theirs", "n":9007199254740993, "deep":[[["\\u0000"]]] }';
  const body = `{"input":"\\u0000 \\ud800","model":"speech",${rest},"voice":VOICE}`;
  const sent = async (asked: string) => {
    const answer = await world.rest('POST', '/v1/audio/speech', { key, body: body.replace('VOICE', asked) });
    return [answer.status, world.upstream.received.at(-1)?.bytes.toString(), answer.body.detail?.[0]?.loc];
  };
  for (const asked of ['"theirs"', voice])
    expect(await sent(asked)).toEqual([200, body.replace('VOICE', asked), undefined]);
  // The name of a voice is looked up, so it is checked.
  world.upstream.received.length = 0;
  expect(await sent('"\\u0000"')).toEqual([422, undefined, ['body', 'voice']]);
  expect(await sent('{"id":"\\ud800"}')).toEqual([422, undefined, ['body', 'voice', 'id']]);
});

describe("OpenAI's client", () => {
  test.each(Object.entries(contentTypes) as [keyof typeof contentTypes, string][])(
    'receives speech as %s byte for byte',
    async (format, contentType) => {
      const sound = randomBytes(10_000);
      world.upstream.reacts(speaks(sound, contentType));
      const reply = await client.audio.speech.create({ ...validBody, response_format: format, speed: 1.25 });
      expect(Buffer.from(await reply.arrayBuffer()).equals(sound)).toBe(true);
      expect(reply.headers.get('content-type')).toBe(contentType);
      expect(received().path).toBe('/v1/audio/speech');
      expect(received().headers.authorization).toBe(`Bearer ${upstreamKey}`);
      expect(received().body).toStrictEqual({
        ...validBody,
        model: 'speech',
        response_format: format,
        speed: 1.25,
      });
    },
  );

  test('reads speech while the upstream still sends it', async () => {
    const beginning = Buffer.alloc(3_000, 'a');
    let finish: () => void = () => expect.fail('the upstream has not begun');
    world.upstream.reacts(async (_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(beginning);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      response.end('the end');
    });
    const { body, headers } = await client.audio.speech.create({ ...validBody, stream_format: 'audio' });
    expect(headers.get('content-length')).toBe(null);
    const reader = body?.getReader() ?? expect.fail();
    const first = (await reader.read()) as { value: Uint8Array };
    expect(Buffer.from(first.value).equals(beginning)).toBe(true);
    finish();
    expect(Buffer.from(((await reader.read()) as { value: Uint8Array }).value).toString()).toBe('the end');
    expect((await reader.read()).done).toBe(true);
  });

  test('reads speech as events', async () => {
    const events = [
      eventOf({ type: 'speech.audio.delta', audio: 'c291bmQ=' }),
      eventOf({ type: 'speech.audio.done', usage: { input_tokens: 3, output_tokens: 9, total_tokens: 12 } }),
    ];
    world.upstream.reacts(streams(...events));
    const reply = await client.audio.speech.create({ ...validBody, stream_format: 'sse' });
    expect(await reply.text()).toBe(events.join(''));
    expect(reply.headers.get('content-type')).toBe('text/event-stream');
    expect(received().body.stream_format).toBe('sse');
  });

  test.each([1, 65_536, 1_048_576, 8_000_001])('receives all of %i bytes', async (length) => {
    const sound = randomBytes(length);
    world.upstream.reacts(speaks(sound));
    const reply = await client.audio.speech.create(validBody);
    expect(Buffer.from(await reply.arrayBuffer()).equals(sound)).toBe(true);
  });

  test('receives the Content-Length that the upstream sends', async () => {
    world.upstream.reacts((_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': '5' }).end('sound');
    });
    const reply = await client.audio.speech.create(validBody);
    expect([await reply.text(), reply.headers.get('content-length')]).toStrictEqual(['sound', '5']);
  });

  test('sends unknown members to the upstream, but not those of Parley', async () => {
    const more = { tier: 'playground', stream: true, seed: 7 };
    await client.audio.speech.create({ ...validBody, ...more, instructions: 'Softly.' });
    expect(received().body).toStrictEqual({
      ...validBody,
      model: 'speech',
      instructions: 'Softly.',
      stream: true,
      seed: 7,
    });
  });

  test('throws its own errors', async () => {
    const error = { message: 'Too long', type: 'invalid_request_error', param: 'input', code: 'long' };
    world.upstream.reacts(answers(400, { error }));
    await expect(client.audio.speech.create(validBody)).rejects.toMatchObject({ status: 400, error });
    world.upstream.reacts(answers(500, {}));
    await expect(client.audio.speech.create(validBody)).rejects.toThrow(OpenAI.InternalServerError);
    const empty = client.audio.speech.create({ ...validBody, input: '' });
    await expect(empty).rejects.toThrow(OpenAI.UnprocessableEntityError);
  });
});

describe('a request', () => {
  const call = async (body: unknown) => {
    const { key } = await world.tenant();
    return world.rest('POST', '/v1/audio/speech', { key, body });
  };

  test('needs only an input', async () => {
    expect((await call({ input: 'x' })).status).toBe(200);
    expect((await call('{"input":"x","voice":null,"speed":null,"response_format":null}')).status).toBe(200);
    const [first, second] = world.upstream.received;
    expect(first?.body).toStrictEqual({ input: 'x', model: 'speech', voice: 'alloy' });
    expect(second?.bytes.toString()).toBe(
      '{"input":"x","voice":"alloy","speed":null,"response_format":null,"model":"speech"}',
    );
  });

  test('passes to the upstream as it was written', async () => {
    const written =
      '{ "input" : "\\u00e9 \\"}{" , "speed": 1e0,"model":"auto", "voice":"ash","tier":"batch"}';
    expect((await call(written)).status).toBe(200);
    expect(received().bytes.toString()).toBe(
      '{"input" : "\\u00e9 \\"}{","speed": 1e0,"model":"speech","voice":"ash"}',
    );
  });

  test.each<[name: string, body: unknown, detail: unknown[]]>([
    ['no members', {}, [{ loc: ['body', 'input'], msg: 'Is required.', type: 'missing' }]],
    [
      'an empty input',
      { input: '' },
      [
        {
          loc: ['body', 'input'],
          msg: 'Expected at least 1 character.',
          type: 'string_too_short',
          ctx: { min_length: 1 },
        },
      ],
    ],
    [
      'a speed that is a string and a format that is a number',
      { input: 'x', speed: '1', response_format: 3 },
      [
        { loc: ['body', 'response_format'], msg: 'Expected string.', type: 'string_type' },
        { loc: ['body', 'speed'], msg: 'Expected number.', type: 'float_type' },
      ],
    ],
    [
      'a voice without an id',
      { input: 'x', voice: { name: 'Ada' } },
      [{ loc: ['body', 'voice', 'id'], msg: 'Expected string.', type: 'value_error' }],
    ],
    ['invalid JSON', '{', [{ loc: ['body'], msg: 'Is not valid JSON.', type: 'json_invalid' }]],
  ])('with %s returns 422 in the form of FastAPI', async (_, body, detail) => {
    const answer = await call(body);
    expect([answer.status, answer.body]).toStrictEqual([422, { detail }]);
    expect(world.upstream.received).toStrictEqual([]);
  });

  test('can have 256 KiB, and one more byte returns 413', async () => {
    const around = '{"input":""}';
    const text = (length: number) => around.replace('""', `"${'x'.repeat(length - around.length)}"`);
    expect((await call(text(262_144))).status).toBe(200);
    const tooLong = await call(text(262_145));
    expect([tooLong.status, tooLong.body.error.code]).toStrictEqual([413, 'payload_too_large']);
  });

  test('returns 403 for a key that may not run models and for a paused project', async () => {
    const { projectId, key } = await world.tenant();
    const reading = await world.key(projectId, { access: ['read'] });
    const options = { key: reading.key, body: { input: 'x', voice: 'Ada' } };
    expect((await world.rest('POST', '/v1/audio/speech', options)).status).toBe(403);
    await world.rest('PATCH', `/v1/projects/${projectId}`, { key, body: { status: 'paused' } });
    for (const voice of ['alloy', 'cvo00000000000000000000000000'])
      expect(
        (await world.rest('POST', '/v1/audio/speech', { key, body: { input: 'x', voice } })).status,
      ).toBe(403);
    expect(world.upstream.received).toStrictEqual([]);
  });

  test('returns 401 for a revoked key and reaches no upstream', async () => {
    const { projectId, key } = await world.tenant();
    const { key: other, keyId } = await world.key(projectId);
    const speak = (voice?: string) =>
      world.rest('POST', '/v1/audio/speech', { key: other, body: { input: 'x', voice } });
    expect((await speak()).status).toBe(200);
    await world.rest('POST', `/v1/keys/${keyId}/revoke`, { key });
    for (const voice of [undefined, 'alloy', 'Ada', 'cvo00000000000000000000000000'])
      expect((await speak(voice)).status).toBe(401);
    expect(world.upstream.received).toHaveLength(1);
  });
});

test('speech returns 502 if no upstream is configured', async () => {
  const other = await openWorld({ models: undefined });
  const { key } = await other.tenant();
  const answer = await other.rest('POST', '/v1/audio/speech', { key, body: { input: 'x' } });
  await other.close();
  expect([answer.status, answer.body.error.code]).toStrictEqual([502, 'internal_error']);
});
