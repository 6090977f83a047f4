import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const launcher = path.resolve(import.meta.dirname, '../../bin/parley.js');

/** `parley worker` in its own process, so that a test can kill it. */
export interface WorkerProcess {
  /** `kill -9`; resolves when the process is gone. */
  kill(): Promise<void>;
}

export function startWorker(databaseUrl: string, fetchAllow: string): WorkerProcess {
  const home = mkdtempSync(path.join(os.tmpdir(), 'parley-worker-'));
  const child = spawn(process.execPath, [launcher, 'worker'], {
    env: { DATABASE_URL: databaseUrl, PARLEY_HOME: home, PARLEY_FETCH_ALLOW: fetchAllow },
    stdio: 'ignore',
  });
  const gone = once(child, 'exit').finally(() => rmSync(home, { recursive: true, force: true }));
  // An interrupted run leaves no worker behind.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  return {
    async kill() {
      process.off('exit', end);
      end();
      await gone;
    },
  };
}
