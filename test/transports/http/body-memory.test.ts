import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { BodyMemory } from '../../../src/transports/http/body-memory.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';
import { type RawAnswer, RawReader } from '../rest/raw-socket.ts';

/** One project may take 20,000 bytes with small bodies, and 600,000 with large ones. A large one waits for 300 ms. */
const bounds = { small: 30_000, large: 900_000, patience: 300, mostWaiting: 2 };

let world: World;
let one: Tenant;
let other: Tenant;
const sockets: Socket[] = [];
beforeAll(async () => {
  world = await openWorld({ bodies: new BodyMemory(bounds) });
  one = await world.tenant();
  other = await world.tenant();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  // Until the server has noticed that the clients left.
  while ((await create(one, 20_000)) !== 201 || (await chatStatus(one, 600_000)) !== 200);
});
afterAll(() => world?.close());

/** Sends the head of a request and a part of its body. */
async function begin(tenant: Tenant, route: string, framing: string, part: string | Buffer = '') {
  const socket = connect({ port: Number(new URL(world.base).port), host: '127.0.0.1' });
  sockets.push(socket);
  const reader = new RawReader(socket);
  await once(socket, 'connect');
  const accept = 'Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n';
  const key = `Authorization: Bearer ${tenant.key}\r\n`;
  socket.write(`POST ${route} HTTP/1.1\r\nHost: localhost\r\n${key}${accept}${framing}\r\n\r\n`);
  socket.write(part);
  return {
    socket,
    async answer(): Promise<RawAnswer | undefined> {
      while (reader.answers.length === 0 && !reader.closed) await reader.more(1_000);
      return reader.answers[0];
    },
  };
}

const flows = ({ projectId }: Tenant) => `/v1/projects/${projectId}/flows`;
const chat = '/v1/chat/completions';

/** Holds a body open: its last bytes do not arrive. Resolves when the server reads it. */
async function hold(tenant: Tenant, route: string, bytes: number): Promise<Socket> {
  const { socket } = await begin(tenant, route, `Content-Length: ${bytes}`, '{');
  // A request on the same server, sent later, has been served.
  for (let round = 0; round < 5; round++) await world.rest('GET', '/v1/projects', { key: tenant.key });
  return socket;
}

/** Creates a flow with a body of this many bytes. */
async function create({ projectId, key }: Tenant, bytes: number): Promise<number> {
  const body = { name: 'Flow', flowSchema: { greeting: '' } };
  const frame = JSON.stringify(body).length;
  body.flowSchema.greeting = 'x'.repeat(bytes - frame);
  return (await world.rest('POST', `/v1/projects/${projectId}/flows`, { key, body })).status;
}

async function chatStatus({ key }: Tenant, bytes: number): Promise<number> {
  const body = { model: 'auto', messages: [{ role: 'user', content: '' }] };
  const frame = JSON.stringify(body).length;
  const [message] = body.messages;
  if (message) message.content = 'x'.repeat(bytes - frame);
  return (await world.rest('POST', chat, { key, body })).status;
}

const overloaded = { status: 500, retry: ['1'], code: 'internal_error' };

function shown(answer: RawAnswer | undefined) {
  const { error } = JSON.parse(answer?.body.toString() ?? '{}') as { error?: { code: string } };
  return { status: answer?.status, retry: answer?.headers.get('retry-after'), code: error?.code };
}

test.each([
  ['a small body', flows, 15_000, 5_001],
  ['a large body', () => chat, 400_000, 300_000],
  ['a message', () => '/mcp', 400_000, 300_000],
])(
  'returns 500 with Retry-After before it reads %s beyond the part of a project',
  async (_name, route, held, more) => {
    await hold(one, route(one), held);
    // No byte of this body is sent.
    const { answer } = await begin(one, route(one), `Content-Length: ${more}`);
    expect(shown(await answer())).toEqual(overloaded);
    expect(await create(other, 9_000)).toBe(201);
    expect(await chatStatus(other, 300_000)).toBe(200);
    expect((await world.rest('GET', '/v1/projects', { key: one.key })).status).toBe(200);
  },
);

test('returns 500 beyond the bound of all projects together', async () => {
  await hold(one, flows(one), 18_000);
  await hold(other, flows(other), 10_000);
  const { answer } = await begin(other, flows(other), 'Content-Length: 5000');
  expect(shown(await answer())).toEqual(overloaded);
});

test('large bodies do not displace small ones', async () => {
  await hold(one, chat, 600_000);
  expect(await create(one, 20_000)).toBe(201);
});

test('takes memory for a body of unknown length as it grows', async () => {
  await hold(one, chat, 400_000);
  const small = JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'x' }] });
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const { answer } = await begin(one, chat, 'Transfer-Encoding: chunked', `${chunk(small)}0\r\n\r\n`);
  expect((await answer())?.status).toBe(200);
  const growing = await begin(one, chat, 'Transfer-Encoding: chunked', chunk(`"${'x'.repeat(20_000)}`));
  expect(shown(await growing.answer())).toEqual(overloaded);
});

test('gives the memory back after each response, and if a client leaves', async () => {
  for (let round = 0; round < 10; round++) {
    expect(await create(one, 20_000)).toBe(201);
    const invalid = { key: one.key, body: 'x'.repeat(19_000) };
    expect((await world.rest('POST', flows(one), invalid)).status).toBe(400);
  }
  (await hold(one, flows(one), 20_000)).destroy();
  await expect.poll(() => create(one, 20_000)).toBe(201);
});

test('returns 413, not 500, for a body beyond the limit of its operation', async () => {
  await hold(one, flows(one), 20_000);
  const { answer } = await begin(one, flows(one), 'Content-Length: 262145');
  expect((await answer())?.status).toBe(413);
});
