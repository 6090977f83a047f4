import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { transcribes } from '../../helpers/openai-wire.ts';
import { wav } from '../../helpers/wav.ts';
import { type LoggedWorld, openLoggedWorld } from './logged-world.ts';
import { expectNoSpooledFiles, filePart, form, part } from './recordings.ts';

let world: LoggedWorld;
beforeAll(async () => {
  world = await openLoggedWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.renew();
  world.first.reacts(transcribes('Said.'));
});

const file = filePart(wav());
const model = part('model', 'small');
const limit = 26_214_400;

/** Sends a body piece by piece without its length. The response may come before the end of the body. */
function chunked(pieces: Iterable<Buffer>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${world.base}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.tenant().key}`,
        'content-type': 'multipart/form-data; boundary=limit',
      },
    });
    let responded = false;
    outgoing.on('error', (error) => (responded ? undefined : reject(error)));
    outgoing.on('response', (incoming: IncomingMessage) => {
      responded = true;
      let text = '';
      incoming.on('data', (piece: Buffer) => (text += piece.toString()));
      incoming.on('error', reject);
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
    });
    const rest = pieces[Symbol.iterator]();
    const send = () => {
      const { done, value } = rest.next();
      if (responded || outgoing.destroyed) return;
      if (done) outgoing.end();
      else outgoing.write(value, send);
    };
    send();
  });
}

describe('refuses a form, and calls no model, if it', () => {
  const wrong = (where: string[], msg: string, type = 'value_error') => [
    { loc: ['body', ...where], msg, type },
  ];

  test.each<[what: string, body: Buffer | string, detail: unknown]>([
    ['is empty', '', wrong([], 'Is not a valid form.')],
    ['has no parts', form(), wrong(['file'], 'Is required.', 'missing')],
    ['has no file', form(model), wrong(['file'], 'Is required.', 'missing')],
    ['has two files', form(file, file, model), wrong(['file'], 'Is given more than once.')],
    [
      'has an extra file',
      form(file, filePart('x', 'cover')),
      wrong(['cover'], 'Expected a text, not a file.'),
    ],
    [
      'has a tier that is a file',
      form(file, filePart('x', 'tier')),
      wrong(['tier'], 'Expected a text, not a file.'),
    ],
    ['has an empty file', form(filePart(''), model), wrong(['file'], 'Expected a file that is not empty.')],
    ['has two models', form(file, model, model), wrong(['model'], 'Expected string.', 'string_type')],
    ['has no end', form(file, model).subarray(0, -4), wrong([], 'Is not a valid form.')],
    ['ends in the file', form(file).subarray(0, 200), wrong([], 'Is not a valid form.')],
    ['ends in a header', Buffer.from('--limit\r\nContent-Disp'), wrong([], 'Is not a valid form.')],
    [
      'has another boundary',
      Buffer.from(form(file).toString('latin1').replaceAll('limit', 'other'), 'latin1'),
      wrong([], 'Is not a valid form.'),
    ],
    [
      'has a part without a name',
      form(file, Buffer.from('--limit\r\nContent-Disposition: form-data\r\n\r\nx\r\n')),
      wrong([], 'Has a part without a name.'),
    ],
    [
      'has a text that is not UTF-8',
      form(file, part('model', Buffer.of(0xff, 0x61))),
      wrong([], 'Is not valid UTF-8.'),
    ],
    ['has NUL in a text', form(file, part('model', 'a\0')), wrong(['model'], 'Holds the character NUL.')],
    ['has __proto__', form(file, part('__proto__', 'x')), wrong([], 'Has a member called __proto__.')],
    [
      'has 1,000 parts',
      form(file, ...Array.from({ length: 1_000 }, (_, n) => part(`f${n}`, 'x'))),
      wrong([], 'Expected at most 100 parts.'),
    ],
    [
      'has long texts',
      form(file, ...['a', 'b', 'c'].map((name) => part(name, 'x'.repeat(100_000)))),
      wrong([], 'Expected at most 262144 bytes of text.'),
    ],
  ])('%s', async (_, body, detail) => {
    const reply = await world.transcribe(body);
    expect([reply.status, await reply.json()]).toStrictEqual([422, { detail }]);
    expect(world.first.received).toStrictEqual([]);
  });

  test.each([
    ['application/json', 'Expected the Content-Type multipart/form-data.'],
    ['multipart/mixed; boundary=limit', 'Expected the Content-Type multipart/form-data.'],
    ['multipart/form-data', 'The Content-Type names no boundary.'],
    ['multipart/form-data; boundary=', 'Is not a valid form.'],
  ])('has the Content-Type %j', async (type, message) => {
    const headers = { authorization: `Bearer ${world.tenant().key}`, 'content-type': type };
    const reply = await world.transcribe(form(file), { headers });
    expect([reply.status, await reply.json()]).toStrictEqual([422, { detail: wrong([], message) }]);
  });
});

test('accepts a form with the maximum of parts and long texts', async () => {
  const parts = Array.from({ length: 98 }, (_, n) => part(`f${n}`, 'x'));
  expect((await world.transcribe(form(...parts, file, model))).status).toBe(200);
  expect((await world.transcribe(form(file, model, part('prompt', 'ä'.repeat(100_000))))).status).toBe(200);
});

test('reads a part with a very long header in linear time', async () => {
  const header = `Content-Disposition: form-data; name="x"${'; filename="'.repeat(90_000)}`;
  const start = performance.now();
  const reply = await world.transcribe(form(file, model, Buffer.from(`--limit\r\n${header}\r\n\r\nx\r\n`)));
  expect(reply.status).toBe(422);
  expect(performance.now() - start).toBeLessThan(2_000);
});

describe('forms of 25 MiB', () => {
  const around = form(filePart(''), model).length;
  const whole = (more: number) => form(filePart(Buffer.alloc(limit - around + more, 7)), model);

  test('are accepted, and one more byte returns 413', async () => {
    expect(whole(0)).toHaveLength(limit);
    expect((await world.transcribe(whole(0))).status).toBe(200);
    const reply = await world.transcribe(whole(1));
    expect([reply.status, await reply.json()]).toMatchObject([413, { error: { code: 'payload_too_large' } }]);
  });

  test('are accepted in chunks, and one more byte returns 413', async () => {
    const pieces = (bytes: Buffer) =>
      Array.from({ length: Math.ceil(bytes.length / 1e6) }, (_, n) => bytes.subarray(n * 1e6, (n + 1) * 1e6));
    expect((await chunked(pieces(whole(0)))).status).toBe(200);
    const { status, text } = await chunked(pieces(whole(1)));
    expect([status, JSON.parse(text)]).toMatchObject([413, { error: { code: 'payload_too_large' } }]);
    expect(world.first.received).toHaveLength(1);
    await expectNoSpooledFiles();
  });

  test('are the limit at which the server stops reading 10 GiB', async () => {
    let sent = 0;
    function* endless() {
      yield filePart('').subarray(0, -2);
      for (const piece = Buffer.alloc(1e6); sent < 10_737; sent++) yield piece;
    }
    expect((await chunked(endless())).status).toBe(413);
    expect(sent).toBeLessThan(60);
    await expectNoSpooledFiles();
  });
});

test('reads a form that arrives byte by byte', async () => {
  const bytes = form(part('language', 'en'), file, model);
  const { status, text } = await chunked([...bytes].map((byte) => Buffer.of(byte)));
  expect([status, text]).toStrictEqual([200, '{"text":"Said."}']);
  const { body } = world.first.received[0] ?? expect.fail('nothing was received');
  expect(Buffer.from(await body.file.arrayBuffer()).equals(wav())).toBe(true);
});

test('returns 200, 404 or 422 for any damaged form, and leaves no file', async () => {
  const whole = form(
    part('language', 'en'),
    filePart(Buffer.concat([randomBytes(3_000), Buffer.from('\r\n--limi\r\n--')])),
    model,
    part('timestamp_granularities[]', 'word'),
  );
  const pieces = [
    '\r\n',
    '--limit',
    '--limit--',
    '\r\n\r\n',
    'name=',
    'filename="',
    '"',
    ';',
    '\0',
    '\xff',
    '',
  ];
  const damage = fc.record({
    at: fc.nat(whole.length),
    drop: fc.oneof(fc.nat(20), fc.nat(whole.length)),
    put: fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 30 })),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), fc.boolean(), async (damages, cut) => {
      let bytes = whole;
      for (const { at, drop, put } of damages)
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(put, 'latin1'), bytes.subarray(at + drop)]);
      const half = bytes.length >> 1;
      const { status } = await chunked(cut ? [bytes.subarray(0, half), bytes.subarray(half)] : [bytes]);
      expect([200, 404, 422]).toContain(status);
    }),
    { numRuns: 300 },
  );
  expect(world.logged.join('')).not.toContain('"level":50');
  await expectNoSpooledFiles();
  // Tests that run in parallel have a named file for a moment.
  await vi.waitFor(() =>
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('parley-upload'))).toStrictEqual([]),
  );
});
