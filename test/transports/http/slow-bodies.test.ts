import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RawReader } from '../rest/raw-socket.ts';
import { openConnection, serve } from './raw-server.ts';

const times = { bodyTimeout: 400, connectionsCheckingInterval: 20 };
const limits = { ...times, slowestBody: 1000 };
const head = (length: number) => `POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n`;

/** A server that returns the length of each body, and a connection to it that has sent the head of one. */
async function begin(length: number, options: Parameters<typeof serve>[1] = limits) {
  const { port } = await serve(async (request, response) => {
    let bytes = 0;
    try {
      for await (const piece of request) bytes += (piece as Buffer).length;
    } catch {
      return;
    }
    response.end(String(bytes));
  }, options);
  const client = await openConnection(port);
  const reader = new RawReader(client);
  client.write(head(length));
  return { client, reader };
}

/** Sends pieces until all are sent, or until the server closes the connection. Returns how many it has sent. */
async function send(client: Awaited<ReturnType<typeof begin>>['client'], pieces: number, bytes: number) {
  let sent = 0;
  for (; sent < pieces && !client.destroyed && !client.readableEnded; sent++) {
    client.write('x'.repeat(bytes));
    await pause(50);
  }
  return sent;
}

const reason = (reader: RawReader) => String(reader.answers[0]?.body);

async function statusOf(reader: RawReader): Promise<number | undefined> {
  await expect.poll(() => reader.answers.length, { timeout: 10_000 }).toBe(1);
  return reader.answers[0]?.status;
}

test('takes a body that keeps arriving, however long it takes', async () => {
  const { client, reader } = await begin(30_000);
  expect(await send(client, 30, 1000)).toBe(30);
  expect(await statusOf(reader)).toBe(200);
});

test('takes a body as slow as a mobile line of the second generation', async () => {
  const { client, reader } = await begin(4000, times);
  // 2,000 bytes a second.
  expect(await send(client, 40, 100)).toBe(40);
  expect(await statusOf(reader)).toBe(200);
});

test('refuses a body that makes no progress', async () => {
  const { client, reader } = await begin(1_000_000);
  // More than the average needs for long.
  client.write('x'.repeat(500_000));
  expect(await statusOf(reader)).toBe(400);
  expect(reason(reader)).toContain('must not stop for 0.4 s');
});

test('refuses a body that arrives more slowly than the least average', async () => {
  const { client, reader } = await begin(200);
  expect(await send(client, 200, 1)).toBeLessThan(200);
  expect(await statusOf(reader)).toBe(400);
  expect(reason(reader)).toContain('1000 bytes a second on average');
});
