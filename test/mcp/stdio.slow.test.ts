import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

const launcher = path.resolve(import.meta.dirname, '../../bin/parley.js');

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
  error?: { code: number };
}

/** Starts `parley mcp` and collects the lines of its stdout. */
function startMcp(env: Record<string, string> = {}) {
  const home = mkdtempSync(path.join(tmpdir(), 'parley-home-'));
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [launcher, 'mcp'], {
    cwd: tmpdir(),
    env: { DATABASE_URL: world.databaseUrl, PARLEY_API_KEY: tenant.key, PARLEY_HOME: home, ...env },
  });
  child.stderr.resume();
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
  return { child, ended, lines, ask };
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
    // A line that is not JSON gets no response. The next request still does.
    child.stdin.write('this is no JSON\n\n{"half":\n');
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
