import { expect, test } from 'vitest';
import { type EdgeCase, edgeServer, get, postFlow } from './edge-server.ts';

const server = edgeServer('headers');
const line = 'GET /healthz HTTP/1.1\r\n';
const health = (headers: string) => () => `${line}${headers}\r\n`;
const projects = (headers: string) => () => `GET /v1/projects HTTP/1.1\r\nHost: h\r\n${headers}\r\n`;

const cases: EdgeCase[] = [
  { name: 'no headers at all', send: health(''), statuses: [400] },
  { name: 'no Host', send: health('Accept: */*\r\n'), statuses: [400] },
  { name: 'two Hosts', send: health('Host: a\r\nHost: b\r\n'), statuses: [400] },
  { name: 'two equal Hosts', send: health('Host: a\r\nhost: a\r\n'), statuses: [400] },
  {
    name: 'two Hosts on HTTP/1.0',
    send: () => 'GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n',
    statuses: [400],
  },
  { name: 'an empty Host, which RFC 9110 allows', send: health('Host:\r\n'), statuses: [200] },
  { name: 'a Host with a port', send: health('Host: h:8080\r\n'), statuses: [200] },
  { name: 'a Host that is an IPv6 address', send: health('Host: [::1]:80\r\n'), statuses: [200] },
  { name: 'a Host with user information', send: health('Host: a@b\r\n'), statuses: [400] },
  { name: 'a Host with a path', send: health('Host: a/b\r\n'), statuses: [400] },
  { name: 'a Host with a space', send: health('Host: a b\r\n'), statuses: [400] },
  { name: 'a Host with a broken IPv6 address', send: health('Host: [::1\r\n'), statuses: [400] },
  { name: 'a Host with a port out of range', send: health('Host: h:99999\r\n'), statuses: [400] },
  { name: 'a folded header', send: health('Host: h\r\nX-A: a\r\n b\r\n'), statuses: [400], closes: true },
  { name: 'a folded first header', send: health(' Host: h\r\n'), statuses: [400], closes: true },
  {
    name: 'bare LF for every line end',
    send: () => 'GET /healthz HTTP/1.1\nHost: h\n\n',
    statuses: [400],
    closes: true,
  },
  {
    name: 'a bare LF in a header',
    send: health('Host: h\r\nX-A: a\nX-B: b\r\n'),
    statuses: [400],
    closes: true,
  },
  { name: 'a bare CR in a header', send: health('Host: h\r\nX-A: a\rb\r\n'), statuses: [400], closes: true },
  { name: 'NUL in a value', send: health('Host: h\r\nX-A: a\0b\r\n'), statuses: [400], closes: true },
  { name: 'NUL in a name', send: health('Host: h\r\nX\0A: b\r\n'), statuses: [400], closes: true },
  {
    name: 'a control character in a value',
    send: health('Host: h\r\nX-A: \x01\r\n'),
    statuses: [400],
    closes: true,
  },
  { name: 'a name with a space', send: health('Host: h\r\nX A: b\r\n'), statuses: [400], closes: true },
  { name: 'a space before the colon', send: health('Host : h\r\n'), statuses: [400], closes: true },
  { name: 'an empty name', send: health('Host: h\r\n: b\r\n'), statuses: [400], closes: true },
  { name: 'a missing colon', send: health('Host: h\r\nX-A\r\n'), statuses: [400], closes: true },
  { name: 'non-ASCII bytes in a value', send: health('Host: h\r\nX-A: \xe4\xff\r\n'), statuses: [200] },
  {
    name: 'non-ASCII bytes in a name',
    send: health('Host: h\r\nX-\xe4: a\r\n'),
    statuses: [400],
    closes: true,
  },
  {
    name: 'a header of 1 MB',
    send: health(`Host: h\r\nX-A: ${'a'.repeat(1e6)}\r\n`),
    statuses: [400],
    closes: true,
  },
  {
    name: 'a header name of 20,000 characters',
    send: health(`Host: h\r\n${'a'.repeat(20_000)}: b\r\n`),
    statuses: [400],
    closes: true,
  },
  { name: '2,000 headers', send: health(`Host: h\r\n${'x: y\r\n'.repeat(2_000)}`), statuses: [200] },
  {
    name: '20,000 headers',
    send: health(`Host: h\r\n${'x: y\r\n'.repeat(20_000)}`),
    statuses: [400],
    closes: true,
  },
  {
    name: 'a Host after 2,400 headers',
    send: health(`${'x: y\r\n'.repeat(2_400)}Host: h\r\n`),
    statuses: [200],
  },
  {
    name: 'a second Host after 2,400 headers',
    send: health(`Host: h\r\n${'x: y\r\n'.repeat(2_400)}Host: h\r\n`),
    statuses: [400],
  },
  {
    name: 'a second credential after 2,400 headers',
    send: ({ key }) => get('/v1/projects', key, `${'x: y\r\n'.repeat(2_400)}x-api-key: other\r\n`),
    statuses: [401],
  },
  { name: 'no credential', send: projects(''), statuses: [401] },
  { name: 'an empty Authorization', send: projects('Authorization:\r\n'), statuses: [401] },
  {
    name: 'another Authorization scheme',
    send: projects('Authorization: Basic YTpi\r\n'),
    statuses: [401],
  },
  {
    name: 'a repeated Authorization',
    send: ({ key }) => get('/v1/projects', key, 'Authorization: Bearer other\r\n'),
    statuses: [401],
  },
  {
    name: 'a repeated equal Authorization',
    send: ({ key }) => get('/v1/projects', key, `authorization: bearer ${key}\r\n`),
    statuses: [200],
  },
  {
    name: 'different keys in Authorization and x-api-key',
    send: ({ key }) => get('/v1/projects', key, 'x-api-key: other\r\n'),
    statuses: [401],
  },
  {
    name: 'the same key in Authorization and x-api-key',
    send: ({ key }) => get('/v1/projects', key, `X-API-Key: ${key}\r\n`),
    statuses: [200],
  },
  {
    name: 'two keys in one x-api-key',
    send: ({ key }) => projects(`x-api-key: ${key}, ${key}\r\n`)(),
    statuses: [401],
  },
  {
    name: 'a key with non-ASCII bytes',
    send: projects('x-api-key: parley_sk_\xe4\xff\r\n'),
    statuses: [401],
  },
  {
    name: 'an unknown Expect',
    send: health('Host: h\r\nExpect: nonsense\r\n'),
    statuses: [400],
    closes: true,
  },
  {
    name: 'an unknown Expect before a body',
    send: ({ key }) => get('/v1/projects', key, 'Expect: 200-ok\r\nContent-Length: 9\r\n', 'POST'),
    statuses: [400],
    closes: true,
  },
  {
    name: 'Upgrade to a WebSocket',
    send: health('Host: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'),
    statuses: [200],
  },
  {
    name: 'Upgrade to h2c',
    send: health(
      'Host: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n',
    ),
    statuses: [200],
  },
  {
    name: 'Connection: close',
    send: health('Host: h\r\nConnection: close\r\n'),
    statuses: [200],
    closes: true,
  },
  {
    name: 'an x-request-id from the client',
    send: health('Host: h\r\nX-Request-Id: mine\r\n'),
    statuses: [200],
  },
  {
    name: 'an Idempotency-Key with non-ASCII bytes',
    send: postFlow(
      '{"name":"F","flowSchema":{}}',
      'Content-Type: application/json\r\nIdempotency-Key: \xe4\r\n',
    ),
    statuses: [400],
  },
  {
    name: 'two Idempotency-Keys',
    send: postFlow(
      '{"name":"F","flowSchema":{}}',
      'Content-Type: application/json\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\n',
    ),
    statuses: [400],
  },
  {
    name: 'X-HTTP-Method-Override, which is ignored',
    send: health('Host: h\r\nX-HTTP-Method-Override: DELETE\r\n'),
    statuses: [200],
  },
];

test.each(cases)('returns the expected statuses for $name', async (edge) => {
  await expect(server.play(edge)).resolves.toBeDefined();
});

test('Expect: 100-continue gets one 100 Continue and one response', async () => {
  const body = '{"name":"F","flowSchema":{}}';
  const headers = `Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n`;
  const { interim } = await server.play({
    name: 'Expect: 100-continue',
    send: ({ key, projectId }) => [get(`/v1/projects/${projectId}/flows`, key, headers, 'POST'), body],
    statuses: [201],
    options: { gap: 30 },
  });
  expect(interim).toEqual([100]);
});
