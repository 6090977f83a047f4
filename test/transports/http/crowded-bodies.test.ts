import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { BodyMemory } from '../../../src/transports/http/body-memory.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';
import { RawReader } from '../rest/raw-socket.ts';

/** One project may take 600,000 bytes with large bodies, and two of its bodies may wait. */
const bounds = { small: 300_000, large: 900_000, patience: 60_000, mostWaiting: 2 };

let world: World;
let tenant: Tenant;
const sockets: Socket[] = [];
beforeAll(async () => {
  world = await openWorld({ bodies: new BodyMemory(bounds) });
});
beforeEach(async () => {
  tenant = await world.tenant();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => world?.close());

/** A chat completion with a body of this many bytes. */
function bodyOf(bytes: number): string {
  const body = { model: 'auto', messages: [{ role: 'user', content: '' }] };
  const content = 'x'.repeat(bytes - JSON.stringify(body).length);
  return JSON.stringify({ ...body, messages: [{ role: 'user', content }] });
}

/** Sends a request, with all of its body or with one byte of it. Resolves once the server has seen it. */
async function begin(bytes: number, part: 'all' | 'start') {
  const socket = connect({ port: Number(new URL(world.base).port), host: '127.0.0.1' });
  sockets.push(socket);
  const reader = new RawReader(socket);
  await once(socket, 'connect');
  const headers = [
    'Host: localhost',
    `Authorization: Bearer ${tenant.key}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
  ];
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  socket.write(bodyOf(bytes).slice(0, part === 'all' ? undefined : 1));
  await seen();
  return {
    socket,
    hasAnswer: () => reader.answers.length > 0,
    async status(): Promise<number | undefined> {
      while (reader.answers.length === 0 && !reader.closed) await reader.more(1_000);
      return reader.answers[0]?.status;
    },
  };
}

/** Resolves when the server has served later requests, and so has seen all earlier ones. */
async function seen(): Promise<void> {
  for (let round = 0; round < 5; round++) await world.rest('GET', '/v1/projects', { key: tenant.key });
}

test('a large body waits until another one of its project has ended', async () => {
  const { socket } = await begin(500_000, 'start');
  const waiting = await begin(400_000, 'all');
  expect(waiting.hasAnswer()).toBe(false);
  socket.destroy();
  expect(await waiting.status()).toBe(200);
});

test('no large body overtakes one of its project that waits', async () => {
  const [large, small] = [await begin(300_000, 'start'), await begin(270_000, 'start')];
  const first = await begin(500_000, 'all');
  const second = await begin(300_000, 'all');
  expect([first.hasAnswer(), second.hasAnswer()]).toEqual([false, false]);
  // Now there is room for the second one alone.
  small.socket.destroy();
  await seen();
  expect([first.hasAnswer(), second.hasAnswer()]).toEqual([false, false]);
  large.socket.destroy();
  expect([await first.status(), await second.status()]).toEqual([200, 200]);
});

test('a body whose client leaves waits no longer', async () => {
  const holder = await begin(300_000, 'start');
  const first = await begin(500_000, 'start');
  const second = await begin(300_000, 'all');
  first.socket.destroy();
  expect(await second.status()).toBe(200);
  // It would end after 30 seconds.
  expect(holder.hasAnswer()).toBe(false);
});

test('returns 500 at once if too many bodies of the project wait, and another project goes on', async () => {
  await begin(600_000, 'start');
  const waiting = [await begin(300_000, 'all'), await begin(300_000, 'all')];
  expect(await (await begin(300_000, 'start')).status()).toBe(500);
  expect(waiting.map(({ hasAnswer }) => hasAnswer())).toEqual([false, false]);
  const other = await world.tenant();
  const body = JSON.parse(bodyOf(300_000)) as object;
  expect((await world.rest('POST', '/v1/chat/completions', { key: other.key, body })).status).toBe(200);
});
