import { randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { transcribes } from '../../helpers/openai-wire.ts';
import { answers, hangs } from '../../helpers/upstream.ts';
import { wav } from '../../helpers/wav.ts';
import { type McpClient, mcpTransports, openWorld, upstreamKey, type World } from '../../helpers/world.ts';

let world: World;
let client: OpenAI;
let key: string;
const folder = mkdtempSync(path.join(tmpdir(), 'parley-recordings-'));
const recording = path.join(folder, 'call.wav');
const sound = wav(3_000_000);

beforeAll(async () => {
  writeFileSync(recording, sound);
  world = await openWorld();
  ({ key } = await world.tenant());
  client = new OpenAI({ apiKey: key, baseURL: `${world.base}/v1`, maxRetries: 0 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});
beforeEach(() => {
  world.upstream.received.length = 0;
  world.upstream.reacts(transcribes('What was said.', { language: 'en', duration: 1.5, segments: [] }));
});

/** Returns the texts and the file of the last request that the upstream received. */
async function sent() {
  const { headers, bytes } = world.upstream.received.at(-1) ?? expect.fail('nothing was received');
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();
  const entries = [...form];
  const [, file] = entries.find(([name]) => name === 'file') ?? expect.fail('no file was received');
  if (typeof file === 'string') throw new Error('the file is a text');
  return {
    headers,
    texts: entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
    name: file.name,
    type: file.type,
    bytes: Buffer.from(await file.arrayBuffer()),
  };
}

describe("OpenAI's client", () => {
  test('transcribes a file', async () => {
    const file = createReadStream(recording);
    const transcript = await client.audio.transcriptions.create({ file, model: 'auto', language: 'en' });
    expect(transcript).toStrictEqual({ text: 'What was said.' });
    const { headers, texts, name, bytes } = await sent();
    expect(texts).toStrictEqual([
      ['model', 'transcription'],
      ['language', 'en'],
    ]);
    expect(name).toBe('call.wav');
    expect(bytes.equals(sound)).toBe(true);
    expect(headers.authorization).toBe(`Bearer ${upstreamKey}`);
    expect(Number(headers['content-length'])).toBeGreaterThan(sound.length);
  });

  test('receives a verbose transcript, and its options reach the upstream', async () => {
    const transcript = await client.audio.transcriptions.create({
      file: await toFile(Buffer.from('sound'), 'an "odd"\nñame.mp3', { type: 'audio/mpeg' }),
      model: 'whisper-1',
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
      temperature: 0.5,
      prompt: 'Größe\r\nline',
    });
    expect(transcript).toMatchObject({ text: 'What was said.', duration: 1.5, language: 'en', segments: [] });
    const { texts, name, type } = await sent();
    expect(texts.toSorted(([a = ''], [b = '']) => a.localeCompare(b))).toStrictEqual([
      ['model', 'whisper-1'],
      ['prompt', 'Größe\r\nline'],
      ['response_format', 'verbose_json'],
      ['temperature', '0.5'],
      ['timestamp_granularities[]', 'word'],
      ['timestamp_granularities[]', 'segment'],
    ]);
    expect(type).toBe('audio/mpeg');
    expect(name).toMatch(/ñame\.mp3$/);
  });

  test.each(['text', 'srt', 'vtt'] as const)('receives %s unchanged', async (format) => {
    const subtitles = '1\n00:00:00,000 --> 00:00:01,500\nWhat was said.\n';
    world.upstream.reacts((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(subtitles);
    });
    const file = createReadStream(recording);
    const reply = await client.audio.transcriptions
      .create({ file, model: 'auto', response_format: format })
      .asResponse();
    expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await reply.text()).toBe(subtitles);
  });

  test('reads a stream', async () => {
    const events = ['delta', 'done'].map(
      (kind) => `data: ${JSON.stringify({ type: `transcript.text.${kind}`, text: 'What was said.' })}\n\n`,
    );
    world.upstream.reacts((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
    });
    const file = createReadStream(recording);
    const stream = await client.audio.transcriptions.create({ file, model: 'auto', stream: true });
    const kinds = [];
    for await (const event of stream) kinds.push(event.type);
    expect(kinds).toStrictEqual(['transcript.text.delta', 'transcript.text.done']);
  });

  test('throws its own errors', async () => {
    const create = (apiKey: string, file: Buffer = sound) =>
      toFile(file, 'call.wav').then((whole) =>
        new OpenAI({ apiKey, baseURL: `${world.base}/v1`, maxRetries: 0 }).audio.transcriptions.create({
          file: whole,
          model: 'auto',
        }),
      );
    await expect(create('wrong', wav())).rejects.toThrow(OpenAI.AuthenticationError);
    await expect(create(key, Buffer.alloc(0))).rejects.toThrow(OpenAI.UnprocessableEntityError);
    world.upstream.reacts(answers(400, { error: { message: 'What is that?', code: 'bad' } }));
    await expect(create(key)).rejects.toMatchObject({ status: 400, code: 'bad' });
    world.upstream.reacts(answers(500, {}));
    await expect(create(key)).rejects.toThrow(OpenAI.InternalServerError);
  });

  test('ends the upstream call if it aborts', async () => {
    world.upstream.reacts(hangs);
    const leaving = new AbortController();
    const { signal } = leaving;
    const answer = client.audio.transcriptions.create(
      { file: createReadStream(recording), model: 'auto' },
      { signal },
    );
    const leave = async () => {
      await vi.waitFor(() => expect(world.upstream.underWay()).toBe(1), { timeout: 10_000 });
      leaving.abort();
    };
    await Promise.all([expect(answer).rejects.toThrow(OpenAI.APIUserAbortError), leave()]);
    await vi.waitFor(() => expect(world.upstream.underWay()).toBe(0));
  });
});

test.each([4_194_000, 9_000_000, 25_000_000])(
  'a recording of %i bytes reaches the upstream byte for byte',
  async (size) => {
    const bytes = randomBytes(size);
    const form = new FormData();
    form.append('tier', 'batch');
    form.append('file', new File([bytes], 'call.mp3', { type: 'audio/mpeg' }));
    // Many clients send the model after the file.
    form.append('model', 'large');
    const { status, body } = await world.rest('POST', '/v1/audio/transcriptions', { key, body: form });
    expect([status, body]).toStrictEqual([200, { text: 'What was said.' }]);
    const received = await sent();
    expect(received.texts).toStrictEqual([['model', 'large']]);
    expect(received.bytes.equals(bytes)).toBe(true);
  },
);

describe.each(mcpTransports)('create_transcription over %s', (transport) => {
  let mcp: McpClient;
  beforeAll(async () => {
    mcp = await world.mcp(transport, key);
    await mcp.listTools();
  });

  test('accepts a recording in base64, and passes the other arguments to the upstream', async () => {
    const result = await mcp.callTool({
      name: 'create_transcription',
      arguments: {
        file: sound.toString('base64'),
        fileName: 'call.wav',
        model: 'whisper-1',
        tier: 'batch',
        response_format: 'verbose_json',
        timestamp_granularities: ['word'],
        chunking_strategy: { type: 'server_vad', threshold: 0.5 },
        temperature: 0,
        stream: null,
      },
    });
    expect(result.structuredContent).toMatchObject({ text: 'What was said.', duration: 1.5 });
    const { texts, name, bytes } = await sent();
    expect(texts).toStrictEqual([
      ['model', 'whisper-1'],
      ['response_format', 'verbose_json'],
      ['timestamp_granularities[]', 'word'],
      ['chunking_strategy[type]', 'server_vad'],
      ['chunking_strategy[threshold]', '0.5'],
      ['temperature', '0'],
    ]);
    expect([name, bytes.equals(sound)]).toStrictEqual(['call.wav', true]);
  });

  test.each([
    ['not base64!', 'Expected standard base64 (RFC 4648 section 4).'],
    ['', 'Expected a file that is not empty.'],
    [7, 'Expected a file.'],
    [{ size: 1 }, 'Expected a file.'],
    [undefined, 'Is required.'],
  ])('refuses %j as a recording', async (file, message) => {
    const { content, isError } = await mcp.callTool({ name: 'create_transcription', arguments: { file } });
    expect(isError).toBe(true);
    const { issues } = JSON.parse(content[0]?.text ?? '').error.details;
    expect(issues).toStrictEqual([{ path: '/file', message }]);
  });

  test('returns plain text and events as a transcript', async () => {
    const call = (more: Record<string, unknown>) =>
      mcp.callTool({ name: 'create_transcription', arguments: { file: 'AAAA', ...more } });
    world.upstream.reactsNext((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('Said.');
    });
    expect((await call({ response_format: 'text' })).structuredContent).toStrictEqual({ text: 'Said.' });
    world.upstream.reactsNext((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end('data: {"type":"transcript.text.done","text":"Said."}\n\n');
    });
    expect((await call({ stream: true })).structuredContent).toMatchObject({ text: 'Said.' });
  });
});
