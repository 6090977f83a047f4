import { expect, test } from 'vitest';
import { type EdgeCase, edgeServer, get, healthz } from './edge-server.ts';

const server = edgeServer('request lines');
const host = 'Host: h\r\n\r\n';

const cases: EdgeCase[] = [
  { name: 'garbage', send: () => 'garbage\r\n\r\n', statuses: [404], closes: true },
  {
    name: 'binary garbage, such as TLS',
    send: () => Buffer.from('160301020001', 'hex'),
    statuses: [404],
    closes: true,
  },
  { name: 'a request line without a version', send: () => `GET /healthz\r\n${host}`, statuses: [400] },
  { name: 'HTTP/0.9', send: () => 'GET /healthz\r\n\r\n', statuses: [400] },
  {
    name: 'a version that does not exist',
    send: () => `GET /healthz HTTP/1.7\r\n${host}`,
    statuses: [400],
    closes: true,
  },
  {
    name: 'a version in lower case',
    send: () => `GET /healthz http/1.1\r\n${host}`,
    statuses: [400],
    closes: true,
  },
  { name: 'HTTP/2.0 in a request line', send: () => `GET /healthz HTTP/2.0\r\n${host}`, statuses: [400] },
  {
    name: 'the preface of HTTP/2',
    send: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    statuses: [400],
    closes: true,
  },
  { name: 'two spaces before the target', send: () => `GET  /healthz HTTP/1.1\r\n${host}`, statuses: [200] },
  {
    name: 'a space inside the target',
    send: () => `GET /heal thz HTTP/1.1\r\n${host}`,
    statuses: [400],
    closes: true,
  },
  {
    name: 'a space before the method',
    send: () => ` GET /healthz HTTP/1.1\r\n${host}`,
    statuses: [404],
    closes: true,
  },
  {
    name: 'a tab instead of a space',
    send: () => `GET\t/healthz\tHTTP/1.1\r\n${host}`,
    statuses: [404],
    closes: true,
  },
  { name: 'no target', send: () => `GET HTTP/1.1\r\n${host}`, statuses: [400], closes: true },
  { name: 'empty lines before the request line', send: () => `\r\n\r\n${healthz}`, statuses: [200] },
  {
    name: 'a target of 15,000 characters',
    send: () => `GET /${'a'.repeat(15_000)} HTTP/1.1\r\n${host}`,
    statuses: [404],
  },
  {
    name: 'a target of 20,000 characters',
    send: () => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}`,
    statuses: [400],
    closes: true,
  },
  { name: 'absolute-form', send: () => `GET http://h/healthz HTTP/1.1\r\n${host}`, statuses: [200] },
  {
    name: 'absolute-form with user information',
    send: () => `GET http://u:p@h/healthz HTTP/1.1\r\n${host}`,
    statuses: [200],
  },
  {
    name: 'absolute-form of another scheme',
    send: () => `GET ftp://h/healthz HTTP/1.1\r\n${host}`,
    statuses: [400],
  },
  { name: 'malformed absolute-form', send: () => `GET http://[::1/ HTTP/1.1\r\n${host}`, statuses: [400] },
  {
    name: 'absolute-form with a port out of range',
    send: () => `GET http://h:99999/healthz HTTP/1.1\r\n${host}`,
    statuses: [400],
  },
  {
    name: 'absolute-form with a port that is not a number',
    send: () => `GET http://h:x/healthz HTTP/1.1\r\n${host}`,
    statuses: [400],
  },
  {
    name: 'absolute-form with an escape in the host',
    send: () => `GET http://%00/healthz HTTP/1.1\r\n${host}`,
    statuses: [400],
  },
  {
    name: 'malformed absolute-form on the MCP endpoint',
    send: () => `POST http://[/mcp HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n`,
    statuses: [400],
  },
  { name: 'authority-form with GET', send: () => `GET h:80 HTTP/1.1\r\n${host}`, statuses: [400] },
  { name: 'asterisk-form with OPTIONS', send: () => `OPTIONS * HTTP/1.1\r\n${host}`, statuses: [404] },
  { name: 'asterisk-form with GET', send: () => `GET * HTTP/1.1\r\n${host}`, statuses: [404] },
  {
    name: 'a target that starts with a backslash',
    send: () => `GET \\healthz HTTP/1.1\r\n${host}`,
    statuses: [400],
    closes: true,
  },
  { name: 'CONNECT', send: () => `CONNECT h:443 HTTP/1.1\r\n${host}`, statuses: [404], closes: true },
  {
    name: 'CONNECT without Host',
    send: () => 'CONNECT h:443 HTTP/1.1\r\n\r\n',
    statuses: [404],
    closes: true,
  },
  { name: 'TRACE', send: () => `TRACE /healthz HTTP/1.1\r\n${host}`, statuses: [404] },
  { name: 'OPTIONS', send: () => `OPTIONS /healthz HTTP/1.1\r\n${host}`, statuses: [404] },
  {
    name: 'an unknown method',
    send: () => `BREW /healthz HTTP/1.1\r\n${host}`,
    statuses: [404],
    closes: true,
  },
  {
    name: 'a method in lower case',
    send: () => `get /healthz HTTP/1.1\r\n${host}`,
    statuses: [404],
    closes: true,
  },
  { name: 'a method of WebDAV', send: () => `PROPFIND /healthz HTTP/1.1\r\n${host}`, statuses: [404] },
  {
    name: 'a wrong method on a known path',
    send: ({ key }) => get('/v1/projects', key, '', 'PUT'),
    statuses: [404],
  },
  {
    name: 'HTTP/1.0 without Host',
    send: () => 'GET /healthz HTTP/1.0\r\n\r\n',
    statuses: [200],
    closes: true,
  },
  {
    name: 'HTTP/1.0 with keep-alive',
    send: () => 'GET /nowhere HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    statuses: [404],
  },
];

test.each(cases)('returns the expected statuses for $name', async (edge) => {
  await expect(server.play(edge)).resolves.toBeDefined();
});
