import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

/** A program under test, in its own process. */
export interface Program {
  /** `http://127.0.0.1:PORT` */
  readonly base: string;
  /** Headers that every request needs in addition. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The process id. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

const root = path.resolve(import.meta.dirname, '..');
const startTimeout = 20_000;

/** Starts Parley as users do, with all checks, and with this upstream for its model proxy. */
export function startParley(
  world: World,
  upstream?: Program,
  settings: NodeJS.ProcessEnv = {},
): Promise<Program> {
  return startProgram(path.join(root, 'bin/parley.js'), () => ['serve'], {
    DATABASE_URL: world.databaseUrl,
    PARLEY_SECRET_KEY: world.secretKey,
    ...upstreamOf(upstream),
    ...settings,
  });
}

/** Starts a program of `bench/baselines`. */
export function startBaseline(file: string, world: World, upstream?: Program): Promise<Program> {
  const environment = { DATABASE_URL: world.databaseUrl, ...upstreamOf(upstream) };
  return startProgram(path.join(import.meta.dirname, 'baselines', file), () => [], environment);
}

/** Starts the upstream of the model rows. */
export function startUpstream(world: World): Promise<Program> {
  return startBaseline('model-upstream.ts', world);
}

function upstreamOf(upstream: Program | undefined): NodeJS.ProcessEnv {
  return upstream ? { OPENAI_BASE_URL: `${upstream.base}/v1`, OPENAI_API_KEY: 'key' } : {};
}

/** Starts a program and waits until it listens on the port in PORT or in its arguments. */
export async function startProgram(
  file: string,
  args: (port: number) => readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Program> {
  const port = await freePort();
  // The log goes to a file, as in production. Writing it to a terminal would cost more than the request.
  const logFile = path.join(mkdtempSync(path.join(tmpdir(), 'parley-bench-')), 'stderr.log');
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [file, ...args(port)], {
    stdio: ['ignore', 'ignore', log],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: String(port),
      PARLEY_GRACE_SECONDS: '0',
      ...env,
    },
  });
  closeSync(log);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const close = async () => {
    process.removeListener('exit', kill);
    if (!hasEnded(child)) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(path.dirname(logFile), { recursive: true, force: true });
  };
  try {
    await untilListening(child, port, file);
  } catch (error) {
    console.error(readFileSync(logFile, 'utf8').trim());
    await close();
    throw error;
  }
  return { base: `http://127.0.0.1:${port}`, pid: child.pid, close };
}

async function untilListening(child: ChildProcess, port: number, file: string): Promise<void> {
  const deadline = performance.now() + startTimeout;
  while (!(await answers(port))) {
    if (hasEnded(child)) throw new Error(`${file} ended with ${child.exitCode ?? child.signalCode}`);
    if (performance.now() > deadline) throw new Error(`${file} does not listen on port ${port}`);
    await sleep(50);
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function answers(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    // The connection was refused, because the program does not listen yet.
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
