import { createHash, randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transcribes } from '../../helpers/openai-wire.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';

let world: World;
let tenant: Tenant;
let base: string;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
  const route = `/v1/projects/${tenant.projectId}/knowledge-bases`;
  base = (await world.rest('POST', route, { key: tenant.key, body: { name: 'A' } })).body.id;
});
afterAll(() => world?.close());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Sends a body in HTTP chunks of these sizes in turn, and returns the response. */
async function send(path: string, body: Buffer, sizes: readonly number[]) {
  const outgoing = request(world.base + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tenant.key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    },
  });
  const responding = once(outgoing, 'response');
  for (let at = 0, turn = 0; at < body.length; turn++) {
    const end = at + (sizes[turn % sizes.length] ?? 1);
    if (!outgoing.write(body.subarray(at, end))) await once(outgoing, 'drain');
    at = end;
  }
  outgoing.end();
  const [response] = (await responding) as [IncomingMessage];
  const answer = await text(response);
  // MCP may respond with an event stream.
  const value: unknown = JSON.parse(/^data: (.*)$/m.exec(answer)?.[1] ?? answer);
  return { status: response.statusCode, body: value };
}

const call = (name: string, input: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
});

/** The SHA-256 of the stored file of the newest source. */
async function storedHash(): Promise<string> {
  const [row] = await world.rows(
    'select source_id as id, sealed_content as sealed from knowledge_files order by source_id desc limit 1',
  );
  const { id, sealed } = row as { id: string; sealed: Buffer };
  return sha256(world.core.runtime.services.open(tenant, 'knowledge_files', id, sealed));
}

/** Escapes of JSON for characters that need none. */
const escaped = (text: string) =>
  text
    .replaceAll('/', String.raw`\/`)
    .replaceAll('Q', String.raw`\u0051`)
    .replaceAll('==', String.raw`=\u003D`);

describe.each([
  ['as it is', (text: string) => text],
  ['with escapes', escaped],
])('a file of 1.5 MB, whose base64 is sent %s,', (_, written) => {
  const bytes = randomBytes(1_500_001);
  const source = { type: 'file', name: 'A', fileName: 'a.txt', mimeType: 'text/plain', indexing: 'deferred' };
  const contentBase64 = bytes.toString('base64');
  const written64 = (body: object) => Buffer.from(JSON.stringify(body).replace(contentBase64, written));

  test.each([
    ['65,536', [65_536]],
    ['1 to 65,537', [1, 65_537, 2, 3, 8_191, 5, 4_097, 7]],
  ])('arrives byte for byte over REST and MCP in chunks of %s bytes', async (_sizes, sizes) => {
    const rest = written64({ ...source, contentBase64 });
    const added = await send(`/v1/knowledge/${base}/sources`, rest, sizes);
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    expect(await storedHash()).toBe(sha256(bytes));

    const message = written64(
      call('add_knowledge_source', { ...source, contentBase64, knowledgeBaseId: base }),
    );
    const called = await send('/mcp', message, sizes);
    expect(called.body).toMatchObject({ result: { structuredContent: { name: 'A' } } });
    expect(await storedHash()).toBe(sha256(bytes));
  });

  test('reaches the upstream of a transcription byte for byte over MCP', async () => {
    world.upstream.received.length = 0;
    world.upstream.reacts(transcribes('What was said.'));
    const message = written64(call('create_transcription', { file: contentBase64 }));
    const called = await send('/mcp', message, [1, 65_537, 2, 8_191]);
    expect(called.body).toMatchObject({ result: { structuredContent: { text: 'What was said.' } } });
    const { headers, bytes: received } =
      world.upstream.received.at(-1) ?? expect.fail('nothing was received');
    const form = await new Response(new Uint8Array(received), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData();
    const file = form.get('file') as File;
    expect(sha256(new Uint8Array(await file.arrayBuffer()))).toBe(sha256(bytes));
  });
});

/** Sends a body in several requests at once, and reports their statuses. In a thread, so that it does not wait for the server. */
const sender = `
  const { request } = require('node:http');
  const { parentPort, workerData: { url, headers, body, count } } = require('node:worker_threads');
  const send = () => new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).on('error', reject).end(body);
  });
  Promise.all(Array.from({ length: count }, send)).then((statuses) => parentPort.postMessage(statuses));`;

test('reads at most two pieces of each body in an iteration of the event loop, however much has arrived', async () => {
  const starts = new Map<Socket, number>();
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    starts.set(socket, socket.bytesRead);
  };
  subscribe('http.server.request.start', watch);
  const total = () => [...starts].reduce((sum, [{ bytesRead }, start]) => sum + bytesRead - start, 0);
  let [before, most, isWatching] = [0, 0, true];
  const look = () => {
    most = Math.max(most, total() - before);
    before = total();
    if (isWatching) setImmediate(look);
  };
  look();
  const contentBase64 = randomBytes(6_000_000).toString('base64');
  const file = { type: 'file', name: 'A', fileName: 'a.txt', mimeType: 'text/plain', indexing: 'deferred' };
  const thread = new Worker(sender, {
    eval: true,
    workerData: {
      url: `${world.base}/v1/knowledge/${base}/sources`,
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...file, contentBase64 }),
      count: 3,
    },
  });
  const [statuses] = (await once(thread, 'message')) as [number[]];
  isWatching = false;
  unsubscribe('http.server.request.start', watch);
  expect(statuses).toEqual([201, 201, 201]);
  expect(total()).toBeGreaterThan(23_500_000);
  expect(most).toBeLessThanOrEqual(3 * 2 * 65_536);
});
