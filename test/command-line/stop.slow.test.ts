import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { chats, eventOf } from '../helpers/openai-wire.ts';
import { freePort, newHome, type Running, start } from '../helpers/parley.ts';
import { begins, hangs } from '../helpers/upstream.ts';
import { openWithholdingProxy } from '../helpers/withholding-proxy.ts';
import { openWorld, type Tenant, upstreamKey, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

const deadline = { timeout: 30_000, interval: 20 };

/** A replica on the database and the upstream of the world. */
async function serve(env: Record<string, string>) {
  const port = await freePort();
  const running = start(['serve', '--no-demo'], {
    DATABASE_URL: world.databaseUrl,
    OPENAI_BASE_URL: world.upstream.baseUrl,
    OPENAI_API_KEY: upstreamKey,
    PARLEY_HOME: newHome(),
    PORT: String(port),
    ...env,
  });
  const base = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${base}/healthz`)).status).toBe(200), deadline);
  const authorization = `Bearer ${tenant.key}`;
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(base + path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return { ...running, base, authorization, post };
}

/** Reads a record over a connection of this agent. */
function read(url: string, authorization: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization } }, (response) => {
      response.resume().once('end', () => resolve(response));
    });
    request.once('error', reject);
  });
}

test('a server that gets SIGTERM accepts requests for the grace period, and closes each connection after its response', async () => {
  const server = await serve({ PARLEY_GRACE_SECONDS: '3' });
  const url = `${server.base}/v1/projects/${tenant.projectId}`;
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => keepAlive.destroy());
  const before = await read(url, server.authorization, keepAlive);
  expect(before.headers.connection).toBe('keep-alive');
  server.child.kill('SIGTERM');
  const responses: IncomingMessage[] = [];
  // The second request needs a new connection. None may fail before the grace period has passed.
  do responses.push(await read(url, server.authorization, keepAlive));
  while (responses.at(-1)?.headers.connection === 'keep-alive');
  responses.push(await read(url, server.authorization, keepAlive));
  expect(responses.map(({ statusCode }) => statusCode)).toStrictEqual(responses.map(() => 200));
  expect(responses.slice(-2).map(({ headers }) => headers.connection)).toStrictEqual(['close', 'close']);
  expect((await server.ended).code).toBe(0);
});

test('a stop ends what takes too long with an error: a stream, a pending request and a call over MCP', async () => {
  const server = await serve({ PARLEY_DRAIN_SECONDS: '1' });
  const message = (model: string, stream: boolean) => ({
    model,
    stream,
    messages: [{ role: 'user', content: 'Hello' }],
  });
  const first = eventOf({ choices: [{ index: 0, delta: { content: 'Hello' } }] });
  world.upstream.reactsFor('streaming', begins(first, 'text/event-stream', 'hangs'));
  world.upstream.reactsFor('silent', hangs);
  const stream = await server.post('/v1/chat/completions', message('streaming', true));
  const pending = server.post('/v1/chat/completions', message('silent', false));
  const call = await server.post(
    '/mcp',
    {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: {
        name: 'create_chat_completion',
        arguments: message('streaming', true),
        _meta: { progressToken: 1 },
      },
    },
    { accept: 'application/json, text/event-stream' },
  );
  await vi.waitFor(() => expect(world.upstream.underWay()).toBe(3), deadline);
  server.child.kill('SIGTERM');

  const [event, failure, ...more] = (await stream.text()).split(/\n{2,}/).filter(Boolean);
  expect(`${event}\n\n`).toBe(first);
  expect(failure).toMatch(/^event: error\ndata: \{"error":\{"code":"internal_error"/);
  expect(failure).toContain(stream.headers.get('x-request-id'));
  expect(more).toStrictEqual([]);

  const refused = await pending;
  expect([refused.status, refused.headers.get('retry-after')]).toStrictEqual([500, '1']);
  expect(await refused.json()).toMatchObject({ error: { code: 'internal_error' } });

  const last =
    (await call.text())
      .split(/\n{2,}/)
      .filter(Boolean)
      .at(-1) ?? '';
  expect(JSON.parse(last.replace(/^event: message\ndata: /, ''))).toMatchObject({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32603 },
  });
  expect((await server.ended).code).toBe(0);
});

test('a stop lets a stream within the limit finish', async () => {
  const server = await serve({});
  world.upstream.reactsFor('slow', chats({ pieces: ['One', 'Two'], pace: 300 }));
  const messages = [{ role: 'user', content: 'Hello' }];
  const stream = await server.post('/v1/chat/completions', { model: 'slow', stream: true, messages });
  server.child.kill('SIGTERM');
  expect(await stream.text()).toMatch(/\[DONE\]\n\n$/);
  expect((await server.ended).code).toBe(0);
});

/** More requests than the lines that a pipe can hold. */
const manyRequests = 3000;

test.each([
  ['has stopped reading', (server: Running) => server.child.stderr.pause()],
  ['has gone', (server: Running) => server.child.stderr.destroy()],
])('a server stops although the reader of its log %s', async (_name, leave) => {
  const server = await serve({});
  const exit = once(server.child, 'exit');
  leave(server);
  let left = manyRequests;
  const load = async () => {
    while (left-- > 0) await (await fetch(`${server.base}/healthz`)).text();
  };
  await Promise.all(Array.from({ length: 8 }, load));
  server.child.kill('SIGTERM');
  expect(await exit).toStrictEqual([0, null]);
  server.child.stderr.resume();
});

test('a server stops although its database does not respond', async () => {
  const proxy = await openWithholdingProxy();
  onTestFinished(() => proxy.close());
  const server = await serve({
    DATABASE_URL: proxy.forwardToDatabase(world.databaseUrl),
    PARLEY_DRAIN_SECONDS: '1',
  });
  proxy.withhold();
  const write = server.post(`/v1/projects/${tenant.projectId}/flows`, { name: 'Flow', flowSchema: {} });
  server.child.kill('SIGTERM');
  expect((await write).status).toBe(500);
  // Killed by itself, because the pools wait for their connections.
  expect((await server.ended).stderr).toContain('the stop took too long');
});
