import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, onTestFinished, vi } from 'vitest';
import { openEmbedded, stopEmbedded } from '../../src/postgres/embedded/embedded.ts';

/** The state that a member prints. */
export interface MemberState {
  readonly how: string;
  readonly url: string;
  /** False while the member has no connection to the server. */
  readonly isThere: boolean;
  readonly said: readonly string[];
}

/** A process that uses the embedded Postgres of a home. */
export interface Member extends Pick<MemberState, 'how' | 'url'> {
  readonly child: ChildProcessWithoutNullStreams;
  ask(): Promise<MemberState>;
  leave(): Promise<MemberState>;
  /** Resolves as soon as the member has begun to leave. */
  beginLeaving(): Promise<{ readonly left: Promise<MemberState> }>;
}

const script = fileURLToPath(new URL('embedded-member.ts', import.meta.url));
/** The options of `vi.waitFor` for anything that a member does, in milliseconds. */
export const deadline = { timeout: 15_000, interval: 20 };
// The test's own timeout must be longer than `deadline`, whose error names what did not happen.
vi.setConfig({ testTimeout: 60_000 });

/**
 * Returns the path of a home that does not exist yet. Its parent folder is open to every user, so the server can keep
 * its data there. The folder and the server are removed after the test.
 */
export function newHome(): string {
  const folder = newFolder();
  const home = path.join(folder, 'home');
  onTestFinished(async () => {
    if (fs.existsSync(path.join(home, 'postgres'))) await stopEmbedded(home);
    fs.rmSync(folder, { recursive: true, maxRetries: 5 });
  });
  return home;
}

/**
 * Returns a function that creates homes like `newHome`, but after a first start and stop. They are copies, because
 * creating a database takes a second. Call it once in a test file.
 */
export function usedHomes(): () => Promise<string> {
  let first: Promise<string> | undefined;
  afterAll(async () => {
    if (first) fs.rmSync(path.dirname(await first), { recursive: true });
  });
  return async () => {
    first ??= startOnce(path.join(newFolder(), 'home'));
    const home = newHome();
    // `-p` keeps owners and modes. Without them, a server that root starts cannot read its data.
    execFileSync('cp', ['-R', '-p', await first, home]);
    return home;
  };
}

async function startOnce(home: string): Promise<string> {
  const server = await openEmbedded(home, () => undefined);
  await server.leave();
  return home;
}

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-embedded-'));
  fs.chmodSync(folder, 0o755);
  return folder;
}

export function startMember(home: string): ChildProcessWithoutNullStreams {
  // Members share a compile cache, as `parley` does. It halves the time of a start.
  const env = { ...process.env, NODE_COMPILE_CACHE: path.join(os.tmpdir(), 'node-compile-cache') };
  const child = spawn(process.execPath, [script, home], { env });
  onTestFinished(() => kill(child));
  return child;
}

/** Starts a member and waits until it has joined. */
export async function join(home: string): Promise<Member> {
  const child = startMember(home);
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<MemberState> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the member ended: ${complaint}`);
    return JSON.parse(value);
  };
  const send = (line: string) => {
    child.stdin.write(`${line}\n`);
    return answer();
  };
  const { how, url } = await answer();
  const beginLeaving = async () => {
    await send('leave');
    return { left: answer() };
  };
  const leave = async () => (await beginLeaving()).left;
  return { child, how, url, ask: () => send('state'), leave, beginLeaving };
}

/** Waits until a member has reconnected to its server, and returns its state. */
export function untilBack(member: Member): Promise<MemberState> {
  return vi.waitFor(async () => {
    const state = await member.ask();
    if (!state.isThere || !state.said.some((line) => line.includes('is back'))) throw new Error('not back');
    return state;
  }, deadline);
}

export async function kill(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Returns the first value of the first row. */
export async function query(url: string | undefined, sql: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

export const postmasterFile = (home: string) => path.join(home, 'postgres/postmaster.pid');

/** Returns the process number in `postmaster.pid`, a file that a killed server leaves behind. */
export function serverPid(home: string): number | undefined {
  const file = postmasterFile(home);
  return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

/** Kills the server with SIGKILL, so that it cannot clean up. */
export function killServer(home: string): void {
  process.kill(serverPid(home) ?? 0, 'SIGKILL');
}

/** Listens on the port of an address as soon as it is free. */
export function squat(url: string): Promise<net.Server> {
  return vi.waitFor(async () => {
    const server = net
      .createServer((socket) => socket.destroy())
      .listen(Number(new URL(url).port), '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return server;
  }, deadline);
}
