import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { chats, words } from '../../helpers/openai-wire.ts';
import { parley, start } from '../../helpers/parley.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';
import { message } from './raw-message.ts';
import { openRelay } from './tcp-relay.ts';

const launcher = path.resolve(import.meta.dirname, '../../../bin/parley.js');

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
beforeEach(() => world.upstream.reacts(chats({ pieces: words(5) })));
afterAll(() => world?.close());

type Line = 'legacy' | 'modern';

/** A client of either line, connected through `parley mcp` to a server. It has no database. */
async function connect(line: Line, { url = world.base, key = tenant.key, args = [] as string[] } = {}) {
  const env = { PARLEY_URL: url, PARLEY_API_KEY: key, PARLEY_HOME: '/nonexistent/parley' };
  const server = {
    command: process.execPath,
    args: [launcher, 'mcp', ...args],
    env,
    stderr: 'pipe' as const,
  };
  const info = { name: 'test', version: '1' };
  if (line === 'modern') {
    const client = new ModernClient(info, { versionNegotiation: { mode: 'auto' } });
    const transport = new ModernStdio(server);
    const log = logOf(transport);
    onTestFinished(() => client.close());
    await client.connect(transport);
    return { log, client, call: client.callTool.bind(client) as Call };
  }
  const client = new LegacyClient(info);
  const transport = new LegacyStdio(server);
  const log = logOf(transport);
  onTestFinished(() => client.close());
  await client.connect(transport);
  const call: Call = (request, options) => client.callTool(request, undefined, options) as ReturnType<Call>;
  return { log, client, call };
}

type Call = (
  request: { name: string; arguments?: Record<string, unknown> },
  options?: RequestOptions,
) => Promise<{ structuredContent?: unknown; isError?: boolean; content: { type: string; text?: string }[] }>;

function logOf(transport: ModernStdio | LegacyStdio): () => string {
  let log = '';
  transport.stderr?.on('data', (text: Buffer) => {
    log += text.toString();
  });
  return () => log;
}

/** A server on a port of its own. */
async function serve(respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const chat = (more: object = {}) => ({
  name: 'create_chat_completion',
  arguments: { model: 'chat', messages: [{ role: 'user', content: 'Hello' }], ...more },
});
/** Waits until the upstream has this many open calls. */
const underWay = (count: number) =>
  expect.poll(() => world.upstream.underWay(), { timeout: 20_000 }).toBe(count);

describe.each(['legacy', 'modern'] as const)('through the bridge, a %s client', (line) => {
  test('gets what it would get from the server itself', async () => {
    const { client, call } = await connect(line);
    const direct = await world.mcp(`${line} http`, tenant.key);
    expect(await client.listTools()).toStrictEqual(await direct.listTools());
    expect(client.getInstructions()).toBe(direct.getInstructions());
    expect(await client.listResourceTemplates()).toStrictEqual(await direct.listResourceTemplates());
    const schema = { uri: 'parley://schemas/cd-1' };
    expect(await client.readResource(schema)).toStrictEqual(await direct.readResource(schema));
    const list = { name: 'list_projects', arguments: {} };
    expect(await call(list)).toStrictEqual(await direct.callTool(list));
    const refused = await call({ name: 'get_flow', arguments: { flowId: 7 } });
    expect(refused.isError).toBe(true);
    expect(JSON.parse(refused.content[0]?.text ?? '').error.code).toBe('invalid_request');
    await expect(call({ name: 'no_such', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('no_such'),
    });
  });

  test('has 15 calls in flight, cancels one, and gets the others', async () => {
    let respond = () => {};
    const released = new Promise<void>((resolve) => {
      respond = resolve;
    });
    world.upstream.reacts(async (request, response) => {
      await released;
      return chats({ pieces: words(5) })(request, response);
    });
    const { call } = await connect(line);
    const cancelling = new AbortController();
    const cancelled = call(chat(), { signal: cancelling.signal });
    const calls = Array.from({ length: 14 }, () => call(chat()));
    await underWay(15);
    cancelling.abort();
    await expect(cancelled).rejects.toThrow(/abort/i);
    await underWay(14);
    respond();
    for (const { isError } of await Promise.all(calls)) expect(isError).toBeUndefined();
  });

  test('gets progress while a call runs', async () => {
    world.upstream.reacts(chats({ pieces: words(5), pace: 50 }));
    const { call } = await connect(line);
    const messages: (string | undefined)[] = [];
    await call(chat({ stream: true }), { onprogress: ({ message }) => void messages.push(message) });
    // A client of line 1 drops progress that it reads together with the result.
    const pieces = messages.filter(Boolean);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces).toStrictEqual(words(5).slice(0, pieces.length));
  });

  test('leaves, and its calls end', async () => {
    world.upstream.reacts(() => undefined);
    const { client, call } = await connect(line);
    const left = call(chat());
    left.catch(() => undefined);
    await underWay(1);
    const began = performance.now();
    await client.close();
    expect(performance.now() - began).toBeLessThan(1900);
    await underWay(0);
  });

  test('goes on after the server restarts, and learns which calls were cut', async () => {
    const relay = await openRelay(world.base);
    const { call, log } = await connect(line, { url: relay.base });
    let pieces = 0;
    world.upstream.reacts(chats({ pieces: words(10_000), pace: 20 }));
    const streamed = call(chat({ stream: true }), { onprogress: () => void pieces++, timeout: 20_000 });
    streamed.catch(() => undefined);
    await expect.poll(() => pieces, { timeout: 20_000 }).toBeGreaterThan(2);
    world.upstream.reacts(() => undefined);
    const silent = call(chat());
    silent.catch(() => undefined);
    await underWay(2);
    await relay.stop();
    for (const cut of [streamed, silent])
      await expect(cut).rejects.toMatchObject({
        code: -32603,
        message: expect.stringContaining('The call may have run: look before you repeat it.'),
      });
    await underWay(0);
    const waiting = call({ name: 'list_projects', arguments: {} });
    await expect.poll(log, { timeout: 20_000 }).toContain('ECONNREFUSED');
    await relay.restart();
    expect((await waiting).isError).toBeUndefined();
  });

  test('learns that the key is rejected', async () => {
    const wrong = `${tenant.key}x`;
    await expect(connect(line, { key: wrong })).rejects.toThrow(
      `${world.base}/mcp does not accept the key in PARLEY_API_KEY. Set it to a key of that server.`,
    );
  });

  test('learns that the server cannot be reached', async () => {
    const { base, stop } = await openRelay(world.base);
    await stop();
    await expect(connect(line, { url: base })).rejects.toThrow(
      `${base} cannot be reached (ECONNREFUSED). Start the server there, or correct PARLEY_URL or --url.`,
    );
  });
});

describe('the bridge', () => {
  test('passes the selection on, and reports a wrong one in the words of the server', async () => {
    const { client } = await connect('modern', { args: ['--toolsets', 'flows', '--access', 'read'] });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('list_flows');
    expect(names).not.toContain('create_flow');
    await expect(connect('modern', { args: ['--toolsets', 'nonsense'] })).rejects.toThrow(
      /toolsets.*nonsense/,
    );
  });

  test('sends the key to no other origin, and says where the server redirects to', async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve(({ headers }, response) => {
      seen.push(headers.authorization);
      response.end();
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await serve((_, response) =>
        response.writeHead(status, { location: `${other}/mcp` }).end(),
      );
      await expect(connect('legacy', { url })).rejects.toThrow(`Redirect to ${other}/mcp not followed`);
    }
    expect(seen).toStrictEqual([]);
  });

  test('says so if there is no MCP server at the address', async () => {
    const page = await serve((_, response) => response.writeHead(404).end('<html>'));
    await expect(connect('legacy', { url: page })).rejects.toThrow(
      `${page}/mcp does not serve MCP: its status is 404. Correct PARLEY_URL or --url.`,
    );
    const site = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
    await expect(connect('legacy', { url: site })).rejects.toThrow(/did not respond as an MCP server does/);
  });

  test('says which access a call needs that a token lacks', async () => {
    const challenge = 'Bearer error="insufficient_scope", scope="publish"';
    const url = await serve((_, response) =>
      response.writeHead(403, { 'www-authenticate': challenge }).end('{}'),
    );
    await expect(connect('legacy', { url })).rejects.toThrow(
      'This needs more access than the key in PARLEY_API_KEY has: publish.',
    );
  });

  test('ends a response that never ends, of either kind', async () => {
    for (const type of ['application/json', 'text/event-stream']) {
      const url = await serve((_, response) => {
        response.writeHead(200, { 'content-type': type });
        const piece = Buffer.alloc(1_048_576, 'x');
        response.write('data: "');
        const more = () => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', more).on('error', () => undefined);
        more();
      });
      await expect(connect('legacy', { url })).rejects.toThrow(
        /longer than 36700160 bytes|closed the connection/,
      );
    }
  });

  test('passes on a large call, and the error of the server for one that is too large', async () => {
    const { call } = await connect('modern');
    const large = (bytes: number) => chat({ messages: [{ role: 'user', content: 'x'.repeat(bytes) }] });
    expect((await call(large(3_000_000))).isError).toBeUndefined();
    await expect(call(large(30_000_000))).rejects.toMatchObject({
      code: -32600,
      data: { error: { code: 'payload_too_large' } },
    });
  });

  test('writes the key nowhere', async () => {
    const { client, log } = await connect('modern');
    await client.close();
    const wrong = await connect('modern', { key: `${tenant.key}x` }).catch(String);
    expect(wrong).toMatch(/does not accept the key/);
    expect(wrong).not.toContain(tenant.key);
    expect(log()).not.toContain(tenant.key);
  });

  test.each(['--url', 'PARLEY_URL'])('needs no database in production, with %s', async (way) => {
    const flag = way === '--url';
    const env = { NODE_ENV: 'production', PARLEY_API_KEY: tenant.key };
    const outcome = await parley(
      ['mcp', ...(flag ? ['--url', world.base] : [])],
      flag ? env : { ...env, PARLEY_URL: world.base },
      `${message('ping')}\n`,
    );
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    [{ NODE_ENV: 'production' }, [], 1, 'DATABASE_URL is required in production'],
    [{ PARLEY_URL: 'https://parley.example' }, [], 1, 'A server needs a key. Set PARLEY_API_KEY'],
    [{ PARLEY_API_KEY: 'k' }, ['--url', 'parley.example'], 2, '--url takes the address of a Parley server'],
    [{ PARLEY_API_KEY: 'k' }, ['--url', 'https://user@parley.example'], 2, '--url takes the address'],
    [{ PARLEY_URL: 'ftp://parley.example' }, [], 1, 'PARLEY_URL is not valid'],
  ] as const)('does not start with %j and %j', async (env, args, code, message) => {
    const outcome = await start(['mcp', ...args], env).ended;
    expect({ code: outcome.code, stdout: outcome.stdout }).toStrictEqual({ code, stdout: '' });
    expect(outcome.stderr).toContain(message);
  });
});
