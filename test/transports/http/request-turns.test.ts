import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exchangeRaw, RawReader } from '../rest/raw-socket.ts';
import { openConnection, request, serve } from './raw-server.ts';

const padding = `X-Padding: ${'x'.repeat(1_000)}\r\n`;

function requests(count: number, headers = ''): string {
  return Array.from({ length: count }, (_, number) => request(number, headers)).join('');
}

test('runs the requests of a connection one after another, and answers all of them in order', async () => {
  let running = 0;
  let mostRunning = 0;
  const { port } = await serve(async ({ url = '' }, response) => {
    mostRunning = Math.max(mostRunning, ++running);
    await nextRound();
    response.once('close', () => running--).end(url.slice(1));
  });
  const { answers } = await exchangeRaw(port, [requests(300)], { answers: 300 });
  expect(answers.map(({ body }) => Number(body))).toEqual(answers.map((_, number) => number));
  expect(answers).toHaveLength(300);
  expect(mostRunning).toBe(1);
});

test('stops reading from a connection while its requests wait, and then reads on', async () => {
  const first = Promise.withResolvers<void>();
  const { port, sockets } = await serve(async ({ url }, response) => {
    if (url === '/0') await first.promise;
    response.end();
  });
  const count = 4_000;
  const client = await openConnection(port);
  const reader = new RawReader(client);
  client.write(requests(count, padding));
  for (let round = 0; round < 50; round++) {
    const { answers } = await exchangeRaw(port, [request(1)], { answers: 1 });
    expect(answers).toHaveLength(1);
  }
  expect(sockets[0]?.bytesRead).toBeLessThan(200_000);
  first.resolve();
  while (reader.answers.length < count && !reader.closed) await reader.more(1_000);
  expect(reader.answers).toHaveLength(count);
  client.write(request(1));
  await expect.poll(() => reader.answers.length).toBe(count + 1);
});

test('reads the body of a request that waited', async () => {
  const first = Promise.withResolvers<void>();
  const { port } = await serve(async (incoming, response) => {
    if (incoming.url === '/0') await first.promise;
    let bytes = 0;
    for await (const piece of incoming) bytes += (piece as Buffer).length;
    response.end(String(bytes));
  });
  const client = await openConnection(port);
  const reader = new RawReader(client);
  const body = 'x'.repeat(3_000_000);
  client.write(`${request(0)}POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  client.write(request(2));
  await exchangeRaw(port, [request(1)], { answers: 1 });
  first.resolve();
  while (reader.answers.length < 3 && !reader.closed) await reader.more(1_000);
  expect(reader.answers.map(({ body: text }) => text.toString())).toEqual(['0', '3000000', '0']);
});

test('answers another connection between two requests of one connection', async () => {
  let served = 0;
  const { port } = await serve(({ url }, response) => {
    if (url !== '/other') served++;
    response.end(String(served));
  });
  const count = 2_000;
  const client = await openConnection(port);
  const reader = new RawReader(client);
  client.write(requests(count));
  while (reader.answers.length === 0) await reader.more(1_000);
  const { answers } = await exchangeRaw(port, ['GET /other HTTP/1.1\r\nHost: h\r\n\r\n'], { answers: 1 });
  expect(Number(answers[0]?.body)).toBeLessThan(count);
});

test('starts no request behind a response that closes the connection', async () => {
  const started: string[] = [];
  const { port } = await serve(({ url = '' }, response) => {
    started.push(url);
    response.setHeader('connection', 'close').end();
  });
  const { answers, closed } = await exchangeRaw(port, [requests(3)]);
  expect(answers).toHaveLength(1);
  expect(closed).toBe(true);
  expect(started).toEqual(['/0']);
});

test('reads few requests of each connection while many wait on all of them together', async () => {
  const first = Promise.withResolvers<void>();
  const { port } = await serve(
    async ({ url }, response) => {
      if (url === '/0') await first.promise;
      response.end();
    },
    { waiting: { most: 1_000, crowd: 100, mostInCrowd: 5 } },
  );
  const open = async (count: number) => {
    const client = await openConnection(port);
    const reader = new RawReader(client);
    client.write(requests(count));
    await exchangeRaw(port, [request(1)], { answers: 1 });
    return reader;
  };
  const crowd = await open(100);
  const modest = await open(5);
  const cut = await open(90);
  first.resolve();
  while (!cut.closed && cut.answers.length < 90) await cut.more(50);
  while (crowd.answers.length < 100 && !crowd.closed) await crowd.more(50);
  while (modest.answers.length < 5 && !modest.closed) await modest.more(50);
  expect([crowd.answers.length, crowd.closed]).toEqual([100, false]);
  expect([modest.answers.length, modest.closed]).toEqual([5, false]);
  expect(cut.answers.length).toBe(6);
});

test('closes a connection after its responses if too many requests wait on all connections together', async () => {
  const first = Promise.withResolvers<void>();
  const { port } = await serve(
    async ({ url }, response) => {
      if (url === '/0') await first.promise;
      response.end();
    },
    { waiting: { most: 100, crowd: 100, mostInCrowd: 100 } },
  );
  const open = async () => {
    const client = await openConnection(port);
    const reader = new RawReader(client);
    client.write(requests(90));
    return reader;
  };
  const patient = await open();
  await exchangeRaw(port, [request(1)], { answers: 1 });
  const cut = await open();
  // Others are served, and the server has read what came before.
  const single = await exchangeRaw(port, [request(1)], { answers: 1 });
  expect(single.answers).toHaveLength(1);
  first.resolve();
  while (!cut.closed || patient.answers.length < 90) await Promise.race([cut.more(50), patient.more(50)]);
  expect(cut.answers.length).toBe(12);
  expect([patient.answers.length, patient.closed]).toEqual([90, false]);
  // The requests of the closed connection no longer count.
  const again = await open();
  while (again.answers.length < 90 && !again.closed) await again.more(50);
  expect(again.answers).toHaveLength(90);
});
