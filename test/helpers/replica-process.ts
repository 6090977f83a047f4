import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.resolve(import.meta.dirname, '../..');

/** A server in its own process, so that a test can kill it. */
export interface ReplicaProcess {
  readonly port: number;
  readonly base: string;
  readonly pid: number;
  /** `kill -9`; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with the exit status. */
  stop(): Promise<number | null>;
}

/**
 * Starts `parley serve` on a database, on a free port of loopback; resolves when it listens.
 * @param onLine is handed each line of the log after that
 * @param tree the checkout to run; this one by default
 */
export async function startReplica(
  databaseUrl: string,
  more: Readonly<Record<string, string>> = {},
  onLine: (line: string) => void = () => undefined,
  tree = root,
): Promise<ReplicaProcess> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'parley-replica-'));
  const port = Number(more['PORT'] ?? (await freePort()));
  const child = spawn(process.execPath, [path.join(tree, 'bin/parley.js'), 'serve', '--no-demo'], {
    env: {
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      PARLEY_HOME: home,
      // All replicas must be able to decrypt the same secrets.
      PARLEY_SECRET_KEY: 'a secret key of the fault runs',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit').finally(() => rmSync(home, { recursive: true, force: true }));
  // An interrupted run leaves no server behind.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const kill = async () => {
    process.off('exit', end);
    end();
    await gone;
  };
  try {
    await listening(child, onLine);
  } catch (error) {
    await kill();
    throw error;
  }
  const stop = async () => {
    process.off('exit', end);
    child.kill('SIGTERM');
    await gone;
    return child.exitCode;
  };
  return { port, base: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, kill, stop };
}

async function listening(child: ChildProcess, onLine: (line: string) => void): Promise<void> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('the replica has no output');
  let complaint = '';
  stderr.on('data', (chunk) => {
    complaint = (complaint + String(chunk)).slice(-2000);
  });
  const lines = createInterface({ input: stdout });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Reads to the end, because the process would block on a full pipe.
  lines.on('line', (line) => {
    if (line.includes('listens on')) resolve();
    else onLine(line);
  });
  lines.once('close', () => reject(new Error(`the replica ended: ${complaint}`)));
  return promise;
}

/** Returns a free port on 127.0.0.1. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
