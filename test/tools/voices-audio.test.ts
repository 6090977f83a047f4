import fc from 'fast-check';
import { parseBuffer } from 'music-metadata';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWave } from '../../src/resources/voices/reference-audio.ts';
import { openVoiceProject, recording, type VoiceProject, validVoice } from '../helpers/voice-project.ts';
import { chunk, format, riff, wav } from '../helpers/wav.ts';
import { openWorld, type RestAnswer, type World } from '../helpers/world.ts';

let world: World;
let project: VoiceProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openVoiceProject(world);
});
afterAll(() => world.close());

const clone = (referenceAudioBase64: string) => project.clone({ referenceAudioBase64 });
const sound = Buffer.alloc(101, 1);
const plain = [chunk('fmt ', format()), chunk('data', sound)];
const whole = riff(plain);

/** Expects a 422 whose only problem is the recording. */
function expectRefused({ status, body }: RestAnswer, message: string | RegExp): void {
  expect(status).toBe(422);
  expect(body.detail).toHaveLength(1);
  expect(body.detail[0].loc).toEqual(['body', 'referenceAudioBase64']);
  expect(body.detail[0].msg).toMatch(message);
}

describe('a WAV file', () => {
  test.each<[string, Buffer]>([
    ['in the usual form', whole],
    ['with a longer format chunk', riff([chunk('fmt ', format(18)), chunk('data', sound)])],
    ['of WAVE_FORMAT_EXTENSIBLE', riff([chunk('fmt ', format(40)), chunk('data', sound)])],
    [
      'with other chunks around it, one of an odd length',
      riff([chunk('JUNK', sound), ...plain, chunk('id3 ', sound)]),
    ],
    ['with a broken comment', riff([chunk('LIST', Buffer.from('INFOabc')), ...plain])],
    ['with a fact chunk', riff([chunk('fact', Buffer.alloc(4)), ...plain])],
    ['written to a pipe', Buffer.from(riff([plain[0] ?? sound, chunk('data', sound, 0xff_ff_ff_ff)]))],
    ['with a size of zero', Buffer.concat([whole.subarray(0, 4), Buffer.alloc(4), whole.subarray(8)])],
    ['with its data first', riff(plain.toReversed())],
    ['without samples', riff([chunk('fmt ', format()), chunk('data', Buffer.alloc(0))])],
    ['that ends within its samples', whole.subarray(0, 60)],
  ])('%s is accepted', async (_, bytes) => {
    expect((await clone(bytes.toString('base64'))).status).toBe(201);
  });

  test.each<[string, Buffer]>([
    ['a single byte', Buffer.alloc(1)],
    ['text', Buffer.from('RIFF and WAVE and fmt and data')],
    ['an MP3', Buffer.from('ID3\u0004\u0000\u0000\u0000\u0000\u0000\u0000', 'latin1')],
    ['an AVI', riff(plain, { type: 'AVI ' })],
    ['RF64', riff([chunk('ds64', Buffer.alloc(28)), ...plain], { id: 'RF64' })],
    ['RIFX', riff(plain, { id: 'RIFX' })],
    ['a header without chunks', riff([])],
    ['samples without a format', riff([chunk('data', sound)])],
    ['a format without samples', riff([chunk('fmt ', format())])],
    ['a format and a fact chunk', riff([chunk('fmt ', format()), chunk('fact', Buffer.alloc(4))])],
    ['a format that is too short', riff([chunk('fmt ', format().subarray(0, 14)), chunk('data', sound)])],
    ['a file that ends within its format', whole.subarray(0, 30)],
    ['a file with its data first that ends within its format', riff(plain.toReversed()).subarray(0, -4)],
    ['a file that ends before its samples', whole.subarray(0, 40)],
    ['a format chunk of 4 GiB', riff([chunk('fmt ', format(), 0xff_ff_ff_f0), chunk('data', sound)])],
    ['chunks in upper case', riff([chunk('FMT ', format()), chunk('DATA', sound)])],
    ['chunks inside a list', riff([chunk('LIST', Buffer.concat(plain))])],
  ])('cannot be %s', async (_, bytes) => {
    expectRefused(await clone(bytes.toString('base64')), 'Expected a RIFF/WAVE file');
  });
});

describe('base64', () => {
  const padded = recording.toString('base64');
  const encoded = Buffer.concat([recording, Buffer.alloc(2)]).toString('base64');

  test.each([
    ['with padding', padded],
    ['without padding', padded.replace(/=+$/, '')],
    ['in MIME lines', padded.replaceAll(/.{76}/g, '$&\r\n')],
    ['in PEM lines', `${encoded.replaceAll(/.{64}/g, '$&\n')}\n`],
  ])('%s is accepted', async (_, text) => {
    expect((await clone(text)).status).toBe(201);
  });

  const at = (index: number, text: string) => encoded.slice(0, index) + text + encoded.slice(index + 1);
  test.each([
    ['that is URL-safe', encoded.replaceAll('+', '-').replaceAll('/', '_')],
    ['with a space instead of a plus', at(80, ' ')],
    ['with a tab', at(80, '\t')],
    ['with a form feed', at(80, '\f')],
    ['with a hyphen', at(80, '-')],
    ['with an underscore', at(80, '_')],
    ['with padding in the middle', at(80, '=')],
    ['with padding at the start', `=${encoded}`],
    ['with too much padding', `${padded}=`],
    ['with padding that it does not need', `${encoded.slice(0, -4)}QUJD=`],
    ['with half of its padding', padded.replace(/==$/, '=')],
    ['whose last character is less than a byte', encoded.slice(0, -3)],
    ['with a Cyrillic letter', at(80, 'А')],
    ['with a Latin letter beyond ASCII', at(80, 'ı')],
    ['with a byte order mark', `\ufeff${encoded}`],
    ['in a data URL', `data:audio/wav;base64,${encoded}`],
    ['in hexadecimal with a prefix', `0x${recording.toString('hex')}-`],
    ['that is a line break', '\n'],
  ])('%s is refused', async (_, text) => {
    expectRefused(await clone(text), /^Expected (?:standard base64|a RIFF)/);
  });

  test('has a plus or slash and padding in the samples above', () => {
    expect(encoded).toMatch(/[+/].*[^=]$/);
    expect(padded).toMatch(/[^=]==$/);
  });
});

/** Computes the expected result in another way: collects all chunks first, then checks them. */
function chunksOf(bytes: Buffer): { name: string; size: number; available: number }[] {
  if (bytes.length < 20) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const word = (at: number) =>
    String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
  if (`${word(0)}${word(8)}` !== 'RIFFWAVE') return [];
  const chunks = [];
  for (let at = 12; at <= bytes.length - 8; ) {
    const size = view.getUint32(at + 4, true);
    chunks.push({ name: word(at), size, available: bytes.length - at - 8 });
    at += 8 + size + (size & 1);
  }
  return chunks;
}

const expectedOf = (bytes: Buffer) => {
  const chunks = chunksOf(bytes);
  const hasFormat = chunks.some(
    ({ name, size, available }) => name === 'fmt ' && size >= 16 && size <= available,
  );
  return hasFormat && chunks.some(({ name }) => name === 'data');
};

/** Files with a few changed bytes, most of them in the headers. Some files are truncated. */
const damaged = fc
  .record({
    file: fc.constantFrom(whole, riff([chunk('JUNK', Buffer.alloc(3)), ...plain, chunk('LIST', sound)])),
    changes: fc.array(
      fc.record({
        at: fc.nat(63),
        to: fc.oneof(fc.constantFrom(0, 1, 0x10, 0x20, 0x61, 0x7f, 0xff), fc.nat(255)),
      }),
      { maxLength: 4 },
    ),
    length: fc.option(fc.nat(70)),
  })
  .map(({ file, changes, length }) => {
    const bytes = Buffer.from(file);
    for (const { at, to } of changes) bytes[at] = to;
    return bytes.subarray(0, length ?? bytes.length);
  });

test('a damaged file is accepted if and only if its chunks are present', () => {
  let accepted = 0;
  fc.assert(
    fc.property(damaged, (bytes) => {
      const expected = expectedOf(bytes);
      if (expected) accepted += 1;
      expect(isWave(bytes)).toBe(expected);
    }),
    { numRuns: 20_000 },
  );
  expect(accepted).toBeGreaterThan(1000);
});

test('a damaged file returns 201 or 422 over REST', async () => {
  await fc.assert(
    fc.asyncProperty(damaged, async (bytes) => {
      const { status } = await clone(bytes.toString('base64'));
      expect(status).toBe(expectedOf(bytes) ? 201 : 422);
    }),
    { numRuns: 60 },
  );
});

test('a file is accepted if music-metadata finds a format and a duration in it', async () => {
  await fc.assert(
    fc.asyncProperty(damaged, async (bytes) => {
      const read = await parseBuffer(bytes, { mimeType: 'audio/wav' }).catch(() => undefined);
      if (read?.format.codec !== undefined && read.format.duration) expect(isWave(bytes)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

describe('a request of 25 MiB', () => {
  const limit = 26_214_400;
  /** A body of this many bytes: the recording fills it, and spaces pad it. */
  const bodyOf = (bytes: number) => {
    const room = bytes - JSON.stringify({ ...validVoice, referenceAudioBase64: '' }).length;
    const audio = wav(Math.floor(room / 4) * 3 - 44).toString('base64');
    return JSON.stringify({ ...validVoice, referenceAudioBase64: audio }).padEnd(bytes);
  };
  /** Arguments of this many bytes. The transcript pads them, because spaces do not survive. */
  const argumentsOf = (bytes: number) => {
    const body = JSON.parse(bodyOf(bytes));
    return { ...body, referenceTranscript: 'x'.repeat(13 + bytes - JSON.stringify(body).length) };
  };

  test('is accepted over REST, and one more byte returns 413', async () => {
    const largest = await project.call('POST', '/v1/voices', bodyOf(limit));
    expect(largest.status, JSON.stringify(largest.body)).toBe(201);
    const { status, body } = await project.call('POST', '/v1/voices', bodyOf(limit + 1));
    expect([status, body.error.code]).toEqual([413, 'payload_too_large']);
    const [stored] = await world.rows(
      'select length(sealed_audio) as bytes from voice_references where voice_id = $1',
      [largest.body.id],
    );
    expect(stored?.['bytes']).toBeGreaterThan(limit * 0.74);
    expect((await project.remove(largest.body.id)).status).toBe(200);
  });

  test('is accepted over MCP, and one more byte returns payload_too_large', async () => {
    const client = await world.mcp('modern http', project.key);
    const call = (bytes: number) => client.callTool({ name: 'clone_voice', arguments: argumentsOf(bytes) });
    const largest = await call(limit);
    expect(largest.isError, largest.content[0]?.text).toBeUndefined();
    expect(largest.structuredContent).toMatchObject({ name: 'Ada', isCustom: true });
    const refused = await call(limit + 1);
    expect(JSON.parse(refused.content[0]?.text ?? '').error.code).toBe('payload_too_large');
  });
});

test('an invalid recording is reported at its input over MCP', async () => {
  const client = await world.mcp('legacy http', project.key);
  for (const referenceAudioBase64 of ['?', 'AAAA']) {
    const answer = await client.callTool({
      name: 'clone_voice',
      arguments: { ...validVoice, referenceAudioBase64 },
    });
    const { error } = JSON.parse(answer.content[0]?.text ?? '');
    expect(error).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: '/referenceAudioBase64' }] },
    });
  }
});
