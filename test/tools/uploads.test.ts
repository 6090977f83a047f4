import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { purgeExpired } from '../../src/resources/trash/purge.ts';
import type { VoiceReference } from '../../src/resources/voices/store.ts';
import { openProject, type Project } from '../helpers/project.ts';
import { wav } from '../helpers/wav.ts';
import { type McpClient, openWorld, type World } from '../helpers/world.ts';

const mebibyte = 1_048_576;
const lines: string[] = [];
const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });

let world: World;
let project: Project;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld({ log });
});
beforeEach(async () => {
  project = await openProject(world);
  client = await world.mcp('modern http', project.key);
});
afterAll(() => world.close());

interface Made {
  uploadId: string;
  url: string;
}

const make = async (of = project): Promise<Made & { expiresAt: string; maxBytes: number }> => {
  const { status, body } = await of.call('POST', `/v1/projects/${of.projectId}/uploads`);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
const put = async (url: string, body: Uint8Array | FormData, headers: Record<string, string> = {}) => {
  const sent = body instanceof FormData ? body : new Uint8Array(body);
  const reply = await fetch(url, { method: 'PUT', body: sent, headers });
  return {
    status: reply.status,
    body: (await reply.json()) as { error?: { code: string; message: string } },
  };
};
const sent = async (file: Uint8Array, of = project): Promise<string> => {
  const { uploadId, url } = await make(of);
  expect(await put(url, file)).toEqual({ status: 200, body: { uploadId, bytes: file.length } });
  return uploadId;
};
const pieces = (uploadId: string) =>
  world.rows('select 1 from upload_pieces where upload_id = $1', [uploadId]);
const voice = { name: 'Ada', gender: 'female', referenceTranscript: 'Good morning.' };
const clone = (body: object, of = project) => of.call('POST', '/v1/voices', { ...voice, ...body });

async function call(name: string, input: Record<string, unknown>) {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: input });
  const text = content[0]?.text ?? '';
  return { value: structuredContent as Record<string, string>, isError, text };
}

async function newBase(): Promise<string> {
  const { body } = await project.call('POST', `/v1/projects/${project.projectId}/knowledge-bases`, {
    name: 'Help',
  });
  return body.id;
}

test('a voice is cloned over MCP from a file that went past the model, in under 300 tokens', async () => {
  const recording = wav(3 * mebibyte + 321);
  const { value } = await call('create_upload', {});
  expect(await put(value['url'] ?? '', recording)).toMatchObject({ status: 200 });
  const input = { ...voice, uploadId: value['uploadId'] };
  expect(JSON.stringify([value, input]).length).toBeLessThan(700);
  const { value: cloned, text } = await call('clone_voice', input);
  expect(cloned, text).toMatchObject({ name: 'Ada' });
  const id = cloned['id'] ?? '';
  const { sealedAudio } = (await world.stores(project.projectId).voices.reference(id)) as VoiceReference;
  const audio = await world.core.runtime.services.openFile(project, 'voices', id, sealedAudio);
  expect(audio.equals(recording)).toBe(true);
  expect(await pieces(value['uploadId'] ?? '')).toEqual([]);
});

test('a knowledge file comes as text, as an upload, or in base64, and as one of them only', async () => {
  const base = await newBase();
  const file = {
    type: 'file',
    name: 'Hours',
    fileName: 'hours.md',
    mimeType: 'text/markdown; charset=latin1',
  };
  const add = (more: object) => project.call('POST', `/v1/knowledge/${base}/sources`, { ...file, ...more });
  const text = '# Öffnungszeiten\n\nMontags geschlossen.';
  const contents = [
    { content: text },
    { uploadId: await sent(Buffer.from(text)) },
    { contentBase64: Buffer.from(text).toString('base64') },
  ];
  for (const content of contents) {
    const { status, body } = await add(content);
    expect(status, JSON.stringify(body)).toBe(201);
    const [row] = await world.rows('select sealed_content from knowledge_files where source_id = $1', [
      body.id,
    ]);
    const sealed = row?.['sealed_content'] as Buffer;
    expect(world.core.runtime.services.open(project, 'knowledge_files', body.id, sealed).toString()).toBe(
      text,
    );
  }
  const [asText] = await world.rows(`select mime_type from knowledge_sources where mime_type like '%utf-8'`);
  expect(asText).toEqual({ mime_type: 'text/markdown; charset=utf-8' });
  const two = await add({ content: text, contentBase64: 'aaaa' });
  expect(two.body.error.details.issues).toEqual([
    { in: 'body', path: '/contentBase64', message: 'Stands for content: leave one of them out.' },
  ]);
  const pdf = await add({ content: text, fileName: 'hours.pdf', mimeType: 'application/pdf' });
  expect(pdf.body.error.details.issues).toMatchObject([{ path: '/content' }]);
  expect((await add({ content: '' })).body.error.details.issues).toMatchObject([{ path: '/content' }]);
});

test('a recording of several pieces is transcribed from an upload, over MCP and as a form', async () => {
  const recording = wav(2 * mebibyte + 99);
  const uploadId = await sent(recording);
  world.upstream.received.length = 0;
  const { value, text } = await call('create_transcription', { uploadId, fileName: 'call.wav' });
  expect(value, text).toHaveProperty('text');
  expect(world.upstream.received[0]?.bytes.includes(recording)).toBe(true);
  expect(await pieces(uploadId)).toEqual([]);
  const form = new FormData();
  form.set('model', 'auto');
  form.set('uploadId', await sent(recording));
  expect((await project.call('POST', '/v1/audio/transcriptions', form)).status).toBe(200);
  const used = await project.call('POST', '/v1/audio/transcriptions', form);
  expect(used.body.error).toMatchObject({
    code: 'not_found',
    message: expect.stringMatching(/has been used/),
  });
});

test('a form with a part file is a file too', async () => {
  const { uploadId, url } = await make();
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(wav())]), 'voice.wav');
  expect(await put(url, form)).toMatchObject({ status: 200 });
  expect((await clone({ uploadId })).status).toBe(201);
});

describe('an upload', () => {
  test('serves one call, and a repetition with the same idempotency key', async () => {
    const uploadId = await sent(wav());
    const headers = { 'idempotency-key': randomUUID() };
    const body = { ...voice, uploadId };
    const first = await world.rest('POST', '/v1/voices', { key: project.key, body, headers });
    const again = await world.rest('POST', '/v1/voices', { key: project.key, body, headers });
    expect(again.body).toEqual(first.body);
    const { body: used } = await clone({ uploadId });
    expect(used.error).toMatchObject({ code: 'not_found', message: `The upload ${uploadId} has been used.` });
  });

  test('serves one of two calls at once', async () => {
    const uploadId = await sent(wav());
    const statuses = (await Promise.all([clone({ uploadId }), clone({ uploadId })])).map(
      ({ status }) => status,
    );
    expect(new Set(statuses)).toEqual(new Set([201, 404]));
  });

  test('stays if the call that would use it fails', async () => {
    const uploadId = await sent(wav());
    const failed = await clone({ uploadId, name: '' });
    expect(failed.status).toBe(422);
    const unknownBase = `/v1/knowledge/${newId('knowledgeBase')}/sources`;
    const file = { type: 'file', name: 'x', fileName: 'x.txt', mimeType: 'text/plain', uploadId };
    expect((await project.call('POST', unknownBase, file)).status).toBe(404);
    expect((await clone({ uploadId })).status).toBe(201);
  });

  test('cannot be used before its file was sent, by another project, or after 15 minutes', async () => {
    const { uploadId, url } = await make();
    const waiting = await call('clone_voice', { ...voice, uploadId });
    expect(waiting.text).toContain('has no file yet');
    expect(waiting.text).toContain('PUT the file');
    await put(url, wav());
    const other = await openProject(world);
    expect((await clone({ uploadId }, other)).body.error.message).toMatch(/There is no upload/);
    await world.rows(`update uploads set expires_at = now() where id = $1`, [uploadId]);
    const expired = await clone({ uploadId });
    expect(expired.body.error).toMatchObject({
      code: 'not_found',
      message: `The upload ${uploadId} has expired.`,
    });
    await purgeExpired(world.core.knex);
    expect(await world.rows('select 1 from uploads where id = $1', [uploadId])).toEqual([]);
    expect(await pieces(uploadId)).toEqual([]);
  });

  test('must be a WAV file for a voice, and stands in for base64', async () => {
    const wrong = await clone({ uploadId: await sent(Buffer.from('text')) });
    expect(wrong.body.detail).toMatchObject([{ loc: ['body', 'uploadId'] }]);
    const both = await clone({ uploadId: await sent(wav()), referenceAudioBase64: 'aaaa' });
    expect(both.body.detail).toMatchObject([{ loc: ['body', 'uploadId'] }]);
  });
});

describe('the address of an upload', () => {
  test('takes no file once its key has expired', async () => {
    const { url } = await make();
    await world.rows('update api_keys set expires_at = now() where id = $1', [project.keyId]);
    expect((await put(url, wav())).status).toBe(401);
  });

  test('takes one file, until it expires or its key is revoked', async () => {
    const { url } = await make();
    expect((await put(url, wav())).status).toBe(200);
    expect((await put(url, wav())).body.error).toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/has been used/),
    });
    const { url: late, uploadId } = await make();
    await world.rows(`update uploads set expires_at = now() where id = $1`, [uploadId]);
    expect((await put(late, wav())).body.error?.message).toMatch(/has expired/);
    const { url: revoked } = await make();
    await world.rows(`update api_keys set status = 'revoked' where id = $1`, [project.keyId]);
    expect((await put(revoked, wav())).status).toBe(401);
  });

  test('cannot be guessed, is stored as a hash, and its token reaches no log line', async () => {
    const { url, uploadId } = await make();
    const token = url.split('/').at(-1) ?? '';
    expect(token).toMatch(/^[\w-]{32}$/);
    for (const wrong of [uploadId, 'x'.repeat(32), `${token}x`, token.slice(1)])
      expect((await put(url.replace(token, wrong), wav())).status).toBe(404);
    expect((await put(url, wav())).status).toBe(200);
    const stored = await world.rows('select * from uploads');
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('\n')).toContain('/v1/uploads/{token}');
    expect(lines.join('\n')).not.toContain(token);
  });

  test('refuses an empty file, one that is encoded, and one over 25 MiB', async () => {
    const { url } = await make();
    expect((await put(url, Buffer.alloc(0))).status).toBe(400);
    expect((await put(url, wav(), { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await put(url, Buffer.alloc(25 * mebibyte + 1))).status).toBe(413);
    expect((await put(url, wav())).status).toBe(200);
  });
});

test('a key has half of the 20 uploads of its project that wait for their use, with all keys made from it', async () => {
  const { projectId } = project;
  const uploads = (key: string) => world.rest('POST', `/v1/projects/${projectId}/uploads`, { key });
  const restricted = async (key: string): Promise<string> => {
    const body = { name: 'Agent', access: ['draft'] };
    return (await world.rest('POST', `/v1/projects/${projectId}/restricted-keys`, { key, body })).body.key;
  };
  const refused = async (key: string, limit: number) => {
    const { status, body, headers } = await uploads(key);
    const { code, details } = body.error;
    expect({ status, code, details }).toEqual({
      status: 429,
      code: 'rate_limited',
      details: { resource: 'uploads', limit, retryAfter: 60 },
    });
    expect(headers.get('retry-after')).toBe('60');
  };
  const made = await restricted(project.key);
  const family = [project.key, made, await restricted(made), await restricted(project.key)];
  for (let count = 0; count < 10; count++)
    expect((await uploads(family[count % family.length] ?? '')).status).toBe(201);
  for (const key of family) await refused(key, 10);
  const { key: other } = await world.key(projectId);
  for (let count = 0; count < 10; count++) expect((await uploads(other)).status).toBe(201);
  await refused((await world.key(projectId)).key, 20);
});
