import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';

const launcher = path.resolve(import.meta.dirname, '../../../bin/parley.js');

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

interface Message {
  jsonrpc: '2.0';
  id?: number | null;
  result?: { content?: { text: string }[]; tools?: unknown[]; isError?: true };
  error?: { code: number; message: string; data?: unknown };
}

/** Starts `parley mcp` and collects the lines of its stdout. */
function startMcp(env: Record<string, string> = {}) {
  const home = mkdtempSync(path.join(tmpdir(), 'parley-home-'));
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [launcher, 'mcp'], {
    cwd: tmpdir(),
    env: { DATABASE_URL: world.databaseUrl, PARLEY_API_KEY: tenant.key, PARLEY_HOME: home, ...env },
  });
  let log = '';
  child.stderr.on('data', (text: Buffer) => {
    log += text.toString();
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(home, { recursive: true });
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  /** Sends a line and returns the next message. */
  const ask = async (line: string): Promise<Message> => {
    const next = once(reader, 'line');
    child.stdin.write(`${line}\n`);
    return JSON.parse(String((await next)[0])) as Message;
  };
  /** The lines of the log at the level of warnings and above. */
  const errors = () => log.split('\n').filter((line) => line !== '' && JSON.parse(line).level > 30);
  return { child, ended, lines, ask, errors };
}

/** The address of a server that accepts connections and says nothing. */
async function silentDatabase() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The process that connected may be killed.
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    env: { DATABASE_URL: `postgres://127.0.0.1:${(server.address() as AddressInfo).port}/parley` },
    /** Resolves when the next connection arrives. */
    opening: () => once(server, 'connection'),
  };
}

const message = (id: number, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const initialize = message(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const call = (id: number, name: string, args: object = {}) =>
  message(id, 'tools/call', { name, arguments: args });
const textOf = ({ result }: Message) => JSON.parse(result?.content?.[0]?.text ?? '{}');

describe('parley mcp', () => {
  test('writes JSON-RPC to stdout and nothing else, whatever goes wrong', async () => {
    const { child, ended, lines, ask } = startMcp();
    expect(await ask(initialize)).toMatchObject({ id: 1, result: { serverInfo: { name: 'parley' } } });
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    expect((await ask(message(2, 'tools/list'))).result?.tools?.length).toBeGreaterThan(5);
    expect(textOf(await ask(call(3, 'list_projects'))).projects[0].id).toBe(tenant.projectId);
    expect(await ask(message(4, 'no/such'))).toMatchObject({ id: 4, error: { code: -32601 } });
    expect(await ask(call(5, 'no_such'))).toMatchObject({ id: 5, error: { code: -32602 } });
    const refused = await ask(call(6, 'get_flow', { flowId: 7 }));
    expect({ error: textOf(refused).error.code, isError: refused.result?.isError }).toStrictEqual({
      error: 'invalid_request',
      isError: true,
    });
    const large = {
      projectId: tenant.projectId,
      name: 'F',
      flowSchema: {},
      description: 'd'.repeat(300_000),
    };
    expect(textOf(await ask(call(7, 'create_flow', large))).error.code).toBe('payload_too_large');
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(lines.length).toBeGreaterThanOrEqual(7);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  test('exits with status 0 when its client leaves, before a first message and after', async () => {
    const early = startMcp();
    early.child.stdin.end();
    expect(await early.ended).toBe(0);
    const late = startMcp();
    await late.ask(initialize);
    await late.ask(call(2, 'list_projects'));
    late.child.stdin.end();
    expect(await late.ended).toBe(0);
  });

  test('responds to each line that is not a message, and continues', async () => {
    const { child, lines, ask } = startMcp();
    await ask(initialize);
    const wrong = [
      ['this is not JSON', -32700],
      ['{"half":', -32700],
      [`[${message(2, 'tools/list')}]`, -32600],
      ['"x"', -32600],
      ['{}', -32600],
      [message(3, 'tools/list').replace('2.0', '1.0'), -32600],
      ...['null', '1.5', '{}', 'true'].map((id) => [
        message(4, 'tools/list').replace('"id":4', `"id":${id}`),
        -32600,
      ]),
    ] as const;
    // An empty line is not a message. A response that is wrong gets no response, or two programs could go on for ever.
    const silent = ['', '\r', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'];
    const all = [...wrong.map(([line]) => line), ...silent, message(5, 'ping')];
    child.stdin.write(`${all.join('\n')}\n`);
    await expect.poll(() => lines.at(-1)).toContain('"id":5');
    const codes = lines.slice(1, -1).map((line) => JSON.parse(line) as Message);
    expect(codes.map(({ id, error }) => ({ id, code: error?.code }))).toStrictEqual(
      wrong.map(([, code]) => ({ id: null, code })),
    );
  });

  test('reads a message of 35 MiB in pieces, and refuses a longer one without ending', async () => {
    const { ask } = startMcp();
    await ask(initialize);
    const padded = (bytes: number) =>
      call(2, 'no_such', { text: '' }).replace('""', `"${'x'.repeat(bytes)}"`);
    expect(await ask(padded(36_700_000))).toMatchObject({ id: 2, error: { code: -32602 } });
    expect(await ask(padded(36_700_160))).toMatchObject({
      id: null,
      error: { code: -32600, message: 'The message is longer than 36700160 bytes.' },
    });
    expect(await ask(message(3, 'ping'))).toMatchObject({ id: 3, result: {} });
  });

  test.each([
    { database: 'its own Postgres', open: async () => ({ env: { DATABASE_URL: '', PARLEY_API_KEY: '' } }) },
    { database: 'the database of DATABASE_URL', open: async () => ({ env: {} }) },
    { database: 'a database that does not respond', open: silentDatabase },
  ])('ends within two seconds if its client leaves while $database opens', async ({ open }) => {
    const { env, opening }: { env: Record<string, string>; opening?: () => Promise<unknown> } = await open();
    for (const leave of ['stdin', 'SIGTERM'] as const) {
      const { child, ended, ask } = startMcp(env);
      await ask(initialize);
      const opens = opening?.();
      child.stdin.write(`${call(2, 'list_projects')}\n`);
      await opens;
      const began = performance.now();
      if (leave === 'stdin') child.stdin.end();
      else child.kill(leave);
      await ended;
      expect(performance.now() - began, leave).toBeLessThan(2000);
    }
  });

  test('ends before an official client runs out of patience and kills it', async () => {
    for (const transport of ['modern stdio', 'legacy stdio'] as const) {
      const client = await world.mcp(transport, tenant.key);
      await client.callTool({ name: 'list_projects' });
      const began = performance.now();
      await client.close();
      expect(performance.now() - began, transport).toBeLessThan(1900);
    }
  });

  test('says in the error of tools/list that a key is wrong, and where it comes from', async () => {
    const { ask } = startMcp({ PARLEY_API_KEY: 'parley_sk_wrong' });
    expect(await ask(initialize)).toMatchObject({ id: 1, result: { serverInfo: { name: 'parley' } } });
    expect((await ask(message(2, 'tools/list'))).error).toMatchObject({
      code: -32600,
      message: expect.stringMatching(
        /^The key in PARLEY_API_KEY is not in this database\. Set PARLEY_API_KEY/,
      ),
      data: { error: { code: 'unauthorized' }, hint: expect.any(String) },
    });
  });

  test('logs a call that its client cancels as no error', async () => {
    world.upstream.reacts(() => undefined);
    const { child, ask, errors } = startMcp(world.environment);
    await ask(initialize);
    await ask(call(2, 'list_projects'));
    const chat = { model: 'chat', messages: [{ role: 'user', content: 'Hello' }] };
    child.stdin.write(`${call(3, 'create_chat_completion', chat)}\n`);
    await expect.poll(() => world.upstream.underWay()).toBe(1);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } };
    child.stdin.write(`${JSON.stringify(cancelled)}\n`);
    await expect.poll(() => world.upstream.underWay()).toBe(0);
    await ask(message(4, 'ping'));
    expect(errors()).toStrictEqual([]);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('exits with status 0 on %s', async (signal) => {
    const { child, ended, ask } = startMcp();
    await ask(initialize);
    await ask(call(2, 'list_projects'));
    child.kill(signal);
    expect(await ended).toBe(0);
  });

  test('returns failures as results if its database cannot be reached, as JSON-RPC on stdout only', async () => {
    const { child, ended, lines, ask } = startMcp({ DATABASE_URL: 'postgres://127.0.0.1:1/nobody' });
    await ask(initialize);
    for (const id of [2, 3]) {
      const answer = await ask(call(id, 'list_projects'));
      expect({ id: answer.id, isError: answer.result?.isError }).toStrictEqual({ id, isError: true });
      expect(JSON.stringify(answer)).not.toMatch(/ECONNREFUSED|\bat \//);
    }
    child.stdin.end();
    expect(await ended).toBe(0);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  test('lists its tools without a database if no key is configured', async () => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/nobody', PARLEY_API_KEY: '' };
    const { ask } = startMcp(env);
    await ask(initialize);
    expect((await ask(message(2, 'tools/list'))).result?.tools?.length).toBeGreaterThan(5);
  });
});
