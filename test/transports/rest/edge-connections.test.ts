import { expect, test } from 'vitest';
import {
  type EdgeCase,
  edgeServer,
  flowHead,
  get,
  healthz,
  joined,
  post,
  postFlow,
  type Sender,
} from './edge-server.ts';

const server = edgeServer('connections');
const flow = '{"name":"Flow","flowSchema":{}}';
const json = 'Content-Type: application/json\r\n';
const tooLong = (length: number) => postFlow(`{"name":"${'a'.repeat(length - 11)}"}`);

const unread: EdgeCase[] = [
  {
    name: 'a body on GET',
    send: ({ key }) => `${get('/v1/projects', key, 'Content-Length: 7\r\n')}garbage`,
    statuses: [200],
  },
  {
    name: 'a chunked body on GET',
    send: ({ key }) => `${get('/v1/projects', key, 'Transfer-Encoding: chunked\r\n')}1\r\na\r\n0\r\n\r\n`,
    statuses: [200],
  },
  {
    name: 'a body on DELETE',
    send: ({ key }) => `${get('/v1/flows/cflaaaaaaaa', key, 'Content-Length: 2\r\n', 'DELETE')}{}`,
    statuses: [404],
  },
  { name: 'a body on an unknown path', send: ({ key }) => post('/v1/nowhere', key, flow), statuses: [404] },
  {
    name: 'a body on HEAD',
    send: ({ key }) => `${get('/v1/projects', key, 'Content-Length: 2\r\n', 'HEAD')}{}`,
    statuses: [200],
    options: { bodiless: true },
  },
];

const pipelined: EdgeCase[] = [
  {
    name: 'three good requests in one write',
    send: joined(healthz, healthz, healthz),
    statuses: [200, 200, 200],
  },
  { name: 'a slow request before a fast one', send: joined(postFlow(flow), healthz), statuses: [201, 200] },
  {
    name: 'a bad request after two good ones',
    send: joined(postFlow(flow), healthz, 'garbage\r\n\r\n'),
    statuses: [201, 200, 404],
    closes: true,
  },
  {
    name: 'a bad header after a good request',
    send: joined(postFlow(flow), 'GET / HTTP/1.1\r\nHost : h\r\n\r\n'),
    statuses: [201, 400],
    closes: true,
  },
  {
    name: 'a good request after a bad one',
    send: joined('garbage\r\n\r\n', healthz),
    statuses: [404],
    closes: true,
  },
  {
    name: 'CONNECT after a good request',
    send: joined(postFlow(flow), 'CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n'),
    statuses: [201, 404],
    closes: true,
  },
  {
    name: 'an unknown Expect after a good request',
    send: joined(postFlow(flow), 'GET / HTTP/1.1\r\nHost: h\r\nExpect: x\r\n\r\n'),
    statuses: [201, 400],
    closes: true,
  },
  {
    name: 'a good request after one that is too large',
    send: joined(tooLong(262_145), healthz),
    statuses: [413],
    closes: true,
  },
  {
    name: 'a request that is too large after a good one',
    send: joined(healthz, tooLong(262_145)),
    statuses: [200, 413],
    closes: true,
  },
  {
    name: 'a good request after one with Connection: close',
    send: joined('GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n', healthz),
    statuses: [200],
    closes: true,
  },
  {
    name: 'a refused request whose body is malformed too',
    send: (sender) => [
      joined((s) => flowHead({ ...s, key: 'x' }, 'Transfer-Encoding: chunked\r\n'), '5\r\n')(sender),
      'zz\r\nzz\r\n',
    ],
    statuses: [401],
    closes: true,
    options: { gap: 50 },
  },
  {
    name: 'garbage in pieces',
    send: () => ['gar', 'bage\r\n', 'more\r\n', 'and more\r\n\r\n'],
    statuses: [404],
    closes: true,
    options: { gap: 20 },
  },
];

const sizes: EdgeCase[] = [
  { name: 'a body of 262,144 bytes', send: tooLong(262_144), statuses: [400] },
  { name: 'a body of 262,145 bytes', send: tooLong(262_145), statuses: [413], closes: true },
  {
    name: 'chunks of 262,144 bytes',
    send: joined(
      (s) => flowHead(s, 'Transfer-Encoding: chunked\r\n'),
      `40000\r\n${'['.repeat(262_144)}\r\n0\r\n\r\n`,
    ),
    statuses: [400],
  },
  {
    name: 'chunks of 262,145 bytes',
    send: joined(
      (s) => flowHead(s, 'Transfer-Encoding: chunked\r\n'),
      `40001\r\n${'['.repeat(262_145)}\r\n0\r\n\r\n`,
    ),
    statuses: [413],
    closes: true,
  },
  {
    name: 'a body that is too long, with an invalid key',
    send: joined((s) => flowHead({ ...s, key: 'x' }, 'Content-Length: 999999999\r\n'), 'x'.repeat(300_000)),
    statuses: [401],
    closes: true,
  },
  {
    name: 'a body that is too long on an unknown path',
    send: joined(
      ({ key }) => get('/v1/nowhere', key, `${json}Content-Length: 999999999\r\n`, 'POST'),
      'x'.repeat(300_000),
    ),
    statuses: [404],
    closes: true,
  },
  {
    name: 'a body that is too long for a GET',
    send: joined(({ key }) => get('/healthz', key, 'Content-Length: 999999999\r\n'), 'x'.repeat(300_000)),
    statuses: [200],
    closes: true,
  },
];

test.each([...unread, ...pipelined, ...sizes])('returns the expected statuses for $name', async (edge) => {
  await expect(server.play(edge)).resolves.toBeDefined();
});

const heads = [
  ['a known path', '/healthz', 200],
  ['an unknown path', '/v1/nowhere', 404],
  ['a missing record', '/v1/flows/cflaaaaaaaa', 404],
  ['a malformed id', '/v1/flows/%00', 400],
] as const;

test.each(heads)('HEAD of %s returns the headers of GET without a body', async (name, path, status) => {
  const options = { bodiless: true };
  const seen = await server.play({
    name,
    send: ({ key }) => get(path, key, '', 'HEAD'),
    statuses: [status],
    options,
  });
  const like = await server.play({ name, send: ({ key }) => get(path, key), statuses: [status] });
  expect(seen.answers[0]?.headers.get('content-length')).toEqual(
    like.answers[0]?.headers.get('content-length'),
  );
});

const refusals = [
  ['400', ({ key }: Sender) => get('/v1/flows/%00', key), 400],
  ['400 for a body', postFlow('{'), 400],
  ['401', ({ key }: Sender) => get('/v1/projects', `${key}x`), 401],
  ['404', ({ key }: Sender) => get('/v1/nowhere', key), 404],
  ['422', postFlow('{"name":"F","flowSchema":1}'), 422],
  ['404 with an unread body', ({ key }: Sender) => post('/v1/nowhere', key, 'x'.repeat(20_000)), 404],
  ['400 for a Host', () => 'GET /healthz HTTP/1.1\r\n\r\n', 400],
] as const;

test.each(refusals)('a connection stays open after %s', async (name, send, status) => {
  const again = (sender: Sender) => [send(sender), healthz, send(sender), healthz];
  const statuses = [status, 200, status, 200];
  await expect(server.play({ name, send: again, statuses, options: { gap: 20 } })).resolves.toBeDefined();
});

test('garbage after a pending request is refused once, after that request has its response', async () => {
  const held = await Promise.all([1, 2, 3].map(() => server.world.core.knex.transaction()));
  setTimeout(() => held.forEach((trx) => void trx.rollback()), 150);
  const send = (sender: Sender) => [
    joined(postFlow(flow), 'garbage\r\n')(sender),
    'more\r\n',
    'more\r\n\r\n',
  ];
  const options = { gap: 30 };
  const statuses = [201, 404];
  await expect(server.play({ name: '', send, statuses, closes: true, options })).resolves.toBeDefined();
});
