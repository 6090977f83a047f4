import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openEmbedded } from '../../../src/postgres/embedded/embedded.ts';
import { newFolder, serverPid } from '../embedded/place.ts';

/** The longest time that Postgres may take to come back, in milliseconds. */
const patience = 60_000;

/** A Postgres server of this run alone, which writes to disk as in production. */
export interface CrashingPostgres {
  readonly url: string;
  /** Stops the server in immediate mode, like `pg_ctl stop -m immediate`. Resolves when it has recovered. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** Starts an embedded Postgres in a temporary folder. This process starts it again after each crash. */
export async function openCrashingPostgres(): Promise<CrashingPostgres> {
  const folder = newFolder('write-kills');
  const home = path.join(folder, 'home');
  const server = await openEmbedded(home, (line) => console.error(line));
  const { url } = server;
  return {
    url,
    async crash() {
      const crashed = serverPid(home);
      process.kill(crashed, 'SIGQUIT');
      const deadline = performance.now() + patience;
      while (isAlive(crashed) || server.address.current() === undefined) {
        if (performance.now() > deadline) throw new Error('Postgres did not come back');
        await delay(5);
      }
      if (server.url !== url) throw new Error(`Postgres came back at ${server.url} instead of ${url}`);
    },
    async close() {
      await server.leave();
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
