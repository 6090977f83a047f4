import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { credentialsFile } from '../../src/commands/credentials.ts';
import { stopEmbedded } from '../../src/db/embedded.ts';
import { freePort } from './replica-process.ts';

/** This checkout. */
export const checkout = path.resolve(import.meta.dirname, '../..');
const patience = 60_000;
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A checkout with its home, and how its commands are started. */
export interface Place {
  readonly root: string;
  readonly home: string;
  /** What is put before the command, to run it under other circumstances. */
  readonly prefix?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** How a write ended: acknowledged, refused as Parley promises (500 with Retry-After), or otherwise. */
export type Outcome = 'acknowledged' | 'refused' | 'unreachable' | `unexpected ${string}`;

/** A process of Parley that takes writes. */
export interface Writer {
  readonly pid: number;
  /** Makes a flow of this name. */
  write(name: string): Promise<Outcome>;
  kill(): Promise<void>;
  /** Asks it to end and waits. */
  end(): Promise<number | null>;
}

export interface Served extends Writer {
  readonly base: string;
  /** The status of a list of flows. */
  read(): Promise<number>;
  stderr(): string;
}

/** Runs one command to its end, or kills it after a minute. */
export async function runParley(place: Place, args: readonly string[], env: Record<string, string> = {}) {
  const child = start(place, args, env);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const late = setTimeout(() => child.kill('SIGKILL'), patience);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  return { code, stdout, stderr };
}

/**
 * Starts `parley serve` on the embedded Postgres of a place; resolves when it listens and has its demo.
 * @throws what it said where it ends instead.
 */
export async function startServe(place: Place): Promise<Served> {
  const port = await freePort();
  const child = start(place, ['serve'], { PORT: String(port) });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    stderr = (stderr + String(chunk)).slice(-200_000);
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  for (const late = performance.now() + patience; !stdout.includes('listens on'); await delay(5)) {
    if (child.exitCode !== null) throw new Error(`serve ended: ${stderr}`);
    if (performance.now() > late) throw new Error(`serve does not listen: ${stderr}`);
  }
  const { key, projectId } = credentialsIn(place.home);
  const base = `http://127.0.0.1:${port}`;
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const flows = `${base}/v1/projects/${projectId}/flows`;
  const signal = () => AbortSignal.timeout(patience);
  return {
    pid: child.pid ?? 0,
    base,
    stderr: () => stderr,
    async write(name) {
      const body = JSON.stringify({ name, flowSchema: {} });
      try {
        const reply = await fetch(flows, { method: 'POST', headers, body, signal: signal() });
        await reply.text();
        if (reply.status === 201) return 'acknowledged';
        if (reply.status === 500 && reply.headers.has('retry-after')) return 'refused';
        return `unexpected ${reply.status}`;
      } catch {
        return 'unreachable';
      }
    },
    async read() {
      const reply = await fetch(`${flows}?limit=1`, { headers, signal: signal() });
      await reply.text();
      return reply.status;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async end() {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
  };
}

/** Starts `parley mcp` with a client of its own, which the first write makes open the database. */
export async function startMcp({ root, home, env }: Place): Promise<Writer> {
  const client = new Client({ name: 'faults', version: '1' });
  const args = [path.join(root, 'bin/parley.js'), 'mcp'];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { ...env, PARLEY_HOME: home },
    stderr: 'ignore',
  });
  await client.connect(transport);
  const pid = transport.pid ?? 0;
  const call = async (name: string, input: Record<string, unknown>): Promise<Outcome> => {
    try {
      const result = await client.callTool({ name, arguments: input }, { timeout: patience });
      if (!result.isError) return 'acknowledged';
      const text = JSON.stringify(result.content);
      return text.includes('internal_error') ? 'refused' : `unexpected ${text.slice(0, 200)}`;
    } catch {
      return 'unreachable';
    }
  };
  return {
    pid,
    async write(name) {
      // The first call makes the demo, and with it the project to write to.
      if (!fs.existsSync(credentialsFile(home))) {
        const outcome = await call('list_projects', {});
        if (outcome !== 'acknowledged') return outcome;
      }
      const { projectId } = credentialsIn(home);
      return call('create_flow', { projectId, name, flowSchema: {} });
    },
    async kill() {
      process.kill(pid, 'SIGKILL');
      await client.close();
    },
    async end() {
      await client.close();
      return 0;
    },
  };
}

/** A new folder that everyone may enter. */
export function newFolder(name: string): string {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), `parley-${name}-`));
  fs.chmodSync(folder, 0o755);
  return folder;
}

/** Stops what is left of a home's server and removes the folder. */
export async function remove(folder: string, home: string): Promise<void> {
  await stopEmbedded(home).catch(() => undefined);
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The number of the server that runs on a home, as its file has it. */
export function serverPid(home: string): number {
  return Number(fs.readFileSync(path.join(home, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0]);
}

function start(
  { root, home, prefix = [], env = {} }: Place,
  args: readonly string[],
  more: Record<string, string>,
) {
  const [command = '', ...rest] = [...prefix, process.execPath, path.join(root, 'bin/parley.js'), ...args];
  const child = spawn(command, rest, {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env, PARLEY_HOME: home, ...more },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}

function credentialsIn(home: string): { key: string; projectId: string } {
  return JSON.parse(fs.readFileSync(credentialsFile(home), 'utf8')) as { key: string; projectId: string };
}
