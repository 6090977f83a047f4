import { rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../../src/postgres/embedded/embedded.ts';
import { openDebianServer } from '../helpers/second-server.ts';
import { testHome } from '../helpers/test-home.ts';

/** A Postgres server that counts the work of each statement, nested ones included. */
export interface CountingPostgres {
  /** Its major version. */
  readonly version: number;
  /** The URL of an empty database. */
  readonly url: string;
  /** A session beside those of Parley, to read the counts and to prepare records. */
  readonly session: pg.Client;
  close(): Promise<void>;
}

const say = (line: string) => console.error(line);

/** Vacuum and checkpoints would add work of their own at times of their own. */
const settings = {
  shared_preload_libraries: 'pg_stat_statements',
  autovacuum: 'off',
  fsync: 'off',
  full_page_writes: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '16GB',
  // A plan that uses several processes depends on the machine.
  max_parallel_workers_per_gather: '0',
};

/** Starts an embedded server of its own, because the module that counts has to be loaded when a server starts. It goes with its data. */
export async function openEmbeddedCounting(): Promise<CountingPostgres> {
  const home = path.join(testHome, `work-${process.pid}`);
  const first = await openEmbedded(home, say);
  const admin = await connect(first.url);
  for (const [name, value] of Object.entries(settings))
    await admin.query(`alter system set ${name} = '${value}'`);
  await admin.end();
  await first.leave();
  const server = await openEmbedded(home, say);
  return counting(server.url, async () => {
    await server.leave();
    rmSync(home, { recursive: true });
  });
}

/** Starts Debian's Postgres of a major version; returns undefined if it is not installed. */
export async function openDebianCounting(version: number): Promise<CountingPostgres | undefined> {
  const server = await openDebianServer(version, settings);
  return server && counting(server.url, () => server.close());
}

async function counting(url: string, end: () => Promise<void>): Promise<CountingPostgres> {
  const session = await connect(url);
  await session.query('create extension pg_stat_statements');
  await session.query(`alter database postgres set pg_stat_statements.track = 'all'`);
  const { rows } = await session.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  );
  return {
    version: rows[0]?.version ?? 0,
    url,
    session,
    async close() {
      await session.end();
      await end();
    },
  };
}

async function connect(url: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  return session;
}
