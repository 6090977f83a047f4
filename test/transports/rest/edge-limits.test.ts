import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edgeServer, flowHead, get, healthz, openSecondServer, type Sender } from './edge-server.ts';
import { exchangeRaw, RawReader } from './raw-socket.ts';

const server = edgeServer('limits and times');
const limit = 262_144;
/** Bytes that the parser, the stream and the kernel may read beyond the limit. */
const slack = 262_144;

let second: Awaited<ReturnType<typeof openSecondServer>>;
let impatient: Awaited<ReturnType<typeof openSecondServer>>;
beforeAll(async () => {
  second = await openSecondServer(server.world);
  const times = { headersTimeout: 300, bodyTimeout: 600, keepAliveTimeout: 300 };
  impatient = await openSecondServer(server.world, { ...times, connectionsCheckingInterval: 50 });
});
afterAll(() => {
  second?.close();
  impatient?.close();
});

const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, '['), Buffer.from('\r\n')]);
const endless: [name: string, status: number, read: number, head: (sender: Sender) => string][] = [
  ['chunks', 413, limit, (sender) => flowHead(sender, 'Transfer-Encoding: chunked\r\n')],
  [
    'chunks without a key',
    401,
    0,
    ({ projectId }) => flowHead({ projectId, key: 'x', flowId: '' }, 'Transfer-Encoding: chunked\r\n'),
  ],
  [
    'chunks to an unknown path',
    404,
    0,
    ({ key }) => get('/v1/nowhere', key, 'Transfer-Encoding: chunked\r\n', 'POST'),
  ],
  ['chunks to a GET', 200, 0, ({ key }) => get('/v1/projects', key, 'Transfer-Encoding: chunked\r\n')],
  ['bytes with a length', 413, 0, (sender) => flowHead(sender, 'Content-Length: 999999999999\r\n')],
  [
    'bytes with a length and an unknown Expect',
    400,
    0,
    (sender) => flowHead(sender, 'Content-Length: 999999999999\r\nExpect: x\r\n'),
  ],
  ['bytes after garbage', 404, 0, () => 'garbage\r\n\r\n'],
  ['bytes after CONNECT', 404, 0, () => 'CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n'],
];

test.each(endless)(
  'a client that sends endless %s gets %i and is disconnected',
  async (_name, status, read, head) => {
    const socket = connect({ port: second.port, host: '127.0.0.1', allowHalfOpen: true });
    const reader = new RawReader(socket);
    await once(socket, 'connect');
    const start = performance.now();
    const closed = new Promise((resolve) => void socket.once('close', resolve));
    const send = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', send);
    socket.write(head(server.sender), 'latin1');
    send();
    while (reader.answers.length === 0 && !reader.closed) await reader.more(1_000);
    const answered = performance.now() - start;
    await closed;
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(answered).toBeLessThan(1_000);
    expect(reader.answers.map((answer) => answer.status)).toEqual([status]);
    for (const answer of reader.answers) server.checkAnswer(answer);
    expect(second.sockets.at(-1)?.bytesRead).toBeLessThan(read + slack);
    await server.checkAlive(second.port);
  },
);

const slow: [name: string, statuses: number[], pieces: (sender: Sender) => string[]][] = [
  ['that sends nothing', [400], () => []],
  ['that drips a request line', [400], () => healthz.split('')],
  [
    'that drips headers',
    [400],
    () => ['GET /healthz HTTP/1.1\r\n', ...Array.from({ length: 40 }, () => 'X-A: b\r\n')],
  ],
  ['that stops after an HTTP/0.9 request line', [400], () => ['GET /healthz\r\n']],
  [
    'that drips a body',
    [400],
    (sender) => [flowHead(sender, 'Content-Length: 400\r\n'), ...'['.repeat(40).split('')],
  ],
  [
    'that drips chunks',
    [400],
    (sender) => [
      flowHead(sender, 'Transfer-Encoding: chunked\r\n'),
      ...Array.from({ length: 40 }, () => '1\r\n[\r\n'),
    ],
  ],
  ['that stops in a body', [400], (sender) => [`${flowHead(sender, 'Content-Length: 400\r\n')}{`]],
  ['that stops after a good request', [200], () => [healthz]],
  ['that drips a second request', [200, 400], () => [healthz, ...healthz.split('')]],
  [
    'that stops in an unread body',
    [404],
    ({ key }) => [get('/v1/nowhere', key, 'Content-Length: 400\r\n', 'POST')],
  ],
];

test.each(slow)('a client %s is disconnected in time', async (_name, statuses, pieces) => {
  const seen = await exchangeRaw(impatient.port, pieces(server.sender), { gap: 40 });
  for (const answer of seen.answers) server.checkAnswer(answer);
  expect(seen.answers.map(({ status }) => status)).toEqual(statuses);
  expect(seen.closed).toBe(true);
  expect(seen.rest).toHaveLength(0);
  expect(seen.ms).toBeLessThan(3_000);
  await server.checkAlive(impatient.port);
});

test('a half-open client still gets its response', async () => {
  const { answers } = await exchangeRaw(second.port, [healthz], { halfClose: true });
  expect(answers.map(({ status }) => status)).toEqual([200]);
});

test('a client that reads late still gets the error', async () => {
  const socket = connect({ port: second.port, host: '127.0.0.1', allowHalfOpen: true });
  const reader = new RawReader(socket);
  socket.pause();
  await once(socket, 'connect');
  socket.write(flowHead(server.sender, 'Content-Length: 999999999999\r\n'), 'latin1');
  for (let sent = 0; sent < 5; sent++) {
    socket.write(Buffer.alloc(4_000_000));
    await delay(10);
  }
  socket.resume();
  while (reader.answers.length === 0 && !reader.closed) await reader.more(1_000);
  socket.destroy();
  expect(reader.answers.map(({ status }) => status)).toEqual([413]);
});

test('fetch reads the error for a body that is much too long', async () => {
  for (let round = 0; round < 5; round++) {
    const answer = await server.world.rest('POST', `/v1/projects/${server.sender.projectId}/flows`, {
      key: server.sender.key,
      body: 'x'.repeat(20_000_000),
    });
    expect(answer).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } });
  }
});

test('ten thousand requests get ten thousand different ids', async () => {
  const nowhere = 'GET /v1/nowhere HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(500);
  const ids: (string | undefined)[] = [];
  // More at once would be a crowd, whose connections are cut.
  for (let round = 0; round < 5; round++) {
    const exchange = () => exchangeRaw(server.port, [nowhere], { answers: 500, deadline: 15_000 });
    for (const { answers } of await Promise.all(Array.from({ length: 4 }, exchange)))
      ids.push(...answers.map(({ headers }) => headers.get('x-request-id')?.[0]));
  }
  expect(ids).toHaveLength(10_000);
  expect(new Set(ids).size).toBe(10_000);
});
