import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { expect, test } from 'vitest';
import { httpServer } from '../../../src/transports/http/server.ts';
import { edgeServer, flowHead, healthz, joined, postFlow, type Sender } from './edge-server.ts';
import { exchangeRaw } from './raw-socket.ts';

const server = edgeServer('clients that leave');
const flow = '{"name":"Flow","flowSchema":{}}';

const departures: [name: string, send: (sender: Sender) => string | Buffer, reset: boolean][] = [
  ['in a request line', () => 'GET /hea', true],
  ['in a header', () => 'GET /healthz HTTP/1.1\r\nHo', true],
  ['in a body', (sender) => `${flowHead(sender, 'Content-Length: 400\r\n')}{`, true],
  ['in a chunk', (sender) => `${flowHead(sender, 'Transfer-Encoding: chunked\r\n')}ff\r\n{`, true],
  ['before its response', (sender) => postFlow(flow)(sender), true],
  ['before the responses to many requests', () => healthz.repeat(500), true],
  ['after CONNECT', () => 'CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n', true],
  [
    'after CONNECT that follows a slow request',
    joined(postFlow(flow), 'CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n'),
    true,
  ],
  ['after garbage', () => 'garbage\r\n\r\n', true],
  ['at once', () => '', true],
  ['in a body, without a reset', (sender) => `${flowHead(sender, 'Content-Length: 400\r\n')}{`, false],
];

test.each(departures)('the server goes on after a client leaves %s', async (_name, send, reset) => {
  for (let round = 0; round < 10; round++) {
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const bytes = send(server.sender);
    if (bytes.length > 0) socket.write(bytes);
    await delay(round % 3);
    if (reset) socket.resetAndDestroy();
    else socket.destroy();
  }
  await expect(server.checkAlive(server.port)).resolves.toBeUndefined();
});

test('a malformed body gets no second response after its response has begun', async () => {
  const log = pino({ level: 'silent' });
  const half = httpServer((_request, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('half ');
  }, log).listen(0, '127.0.0.1');
  await once(half, 'listening');
  const { port } = half.address() as AddressInfo;
  const pieces = [`${flowHead(server.sender, 'Transfer-Encoding: chunked\r\n')}1\r\n`, 'zz\r\nzz\r\n'];
  const { answers, rest, closed } = await exchangeRaw(port, pieces, { gap: 30 });
  half.close();
  expect({ answers, closed }).toEqual({ answers: [], closed: true });
  expect(rest.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^{]*\r\n\r\nhalf $/);
});
