import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exchangeRaw, RawReader } from '../rest/raw-socket.ts';
import { openConnection, request, serve } from './raw-server.ts';

const limits = { stallTimeout: 300, connectionsCheckingInterval: 20 };
/** More than the kernel holds for one connection. */
const large = Buffer.alloc(24_000_000, 'x');

/** Sends a request, reads nothing, and resolves when the server has closed the connection. */
async function stall(port: number, responses: readonly ServerResponse[]): Promise<void> {
  const client = await openConnection(port);
  const count = responses.length;
  client.pause().write(request(0));
  while (responses.length === count)
    await exchangeRaw(port, ['GET /next HTTP/1.1\r\nHost: h\r\n\r\n'], { answers: 1 });
  const response = responses[count];
  if (response && !response.closed) await once(response, 'close');
}

test('closes a connection whose client accepts no data', async () => {
  const responses: ServerResponse[] = [];
  const { port, sockets } = await serve(({ url }, response) => {
    if (url === '/next') return response.end();
    responses.push(response);
    return response.end(large);
  }, limits);
  await stall(port, responses);
  expect(sockets[0]?.destroyed).toBe(true);
});

test('closes a connection whose client keeps sending but accepts no data', async () => {
  const { port, sockets } = await serve((_request, response) => response.end(large), limits);
  const client = await openConnection(port);
  client.pause().write(request(0));
  const sending = setInterval(() => client.write('x'), 50);
  await expect.poll(() => sockets[0]?.destroyed, { timeout: 5_000 }).toBe(true);
  clearInterval(sending);
});

test('ends a stream whose client accepts no data', async () => {
  const source = new Readable({
    read() {
      this.push(Buffer.alloc(65_536));
    },
  });
  const { port } = await serve((_request, response) => {
    response.once('close', () => source.destroy());
    source.pipe(response);
  }, limits);
  const client = await openConnection(port);
  client.pause().write(request(0));
  await once(source, 'close');
  expect(source.destroyed).toBe(true);
});

test('keeps a client that reads slowly, an idle connection, and a response that has not begun', async () => {
  const responses: ServerResponse[] = [];
  const late = Promise.withResolvers<void>();
  const { port } = await serve(async ({ url }, response) => {
    if (url === '/next' || url === '/1') return response.end('here');
    if (url === '/2') return late.promise.then(() => response.end('late'));
    if (url === '/0') responses.push(response);
    return response.end(large);
  }, limits);
  const idleSocket = await openConnection(port);
  const idleReader = new RawReader(idleSocket);
  const waiting = await openConnection(port);
  const waitingReader = new RawReader(waiting);
  idleSocket.write(request(1));
  waiting.write(request(2));
  const slow = await openConnection(port);
  const began = performance.now();
  let bytes = 0;
  slow.on('data', (piece: Buffer) => {
    bytes += piece.length;
    // 24 MB take about 1.2 s.
    slow.pause();
    void pause(3).then(() => slow.resume());
  });
  slow.write(request(3));
  await stall(port, responses);
  while (bytes < large.length && !slow.destroyed) await once(slow, 'data');
  expect(bytes).toBeGreaterThan(large.length);
  expect(performance.now() - began).toBeGreaterThan(2 * limits.stallTimeout);
  late.resolve();
  idleSocket.write(request(1));
  await expect.poll(() => [idleReader.answers.length, waitingReader.answers.length]).toEqual([2, 1]);
});

test('keeps less than a bound for clients that accept no data, however many there are', async () => {
  const mostUnsent = 2.5 * large.length;
  const { port, sockets } = await serve((_request, response) => response.end(large), {
    mostUnsent,
    connectionsCheckingInterval: 300,
  });
  const clients = await Promise.all([1, 2, 3, 4].map(() => openConnection(port)));
  for (const client of clients) client.pause().write(request(0));
  const unsent = () => sockets.reduce((sum, { writableLength }) => sum + writableLength, 0);
  await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length, { timeout: 5_000 }).toBe(2);
  expect(unsent()).toBeLessThan(mostUnsent);
  // Those that the server kept still get everything.
  const kept = clients.filter(({ destroyed }) => !destroyed);
  const sizes = await Promise.all(
    kept.map(async (client) => {
      let bytes = 0;
      client.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > large.length) client.end();
      });
      client.resume();
      await new Promise((resolve) => void client.once('close', resolve));
      return bytes;
    }),
  );
  expect(sizes.filter((bytes) => bytes > large.length)).toHaveLength(2);
});
