import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../../src/db/embedded.ts';
import { databaseAt } from '../helpers/global-setup.ts';
import { testHome } from '../helpers/test-home.ts';

/** A Postgres server that counts the work of each statement, nested ones included. */
export interface CountingPostgres {
  /** The URL of an empty database. */
  readonly url: string;
  /** A session beside those of Parley, to read the counts and to prepare records. */
  readonly session: pg.Client;
  close(): Promise<void>;
}

const say = (line: string) => console.error(line);

/** Vacuum and checkpoints would add work of their own at times of their own. */
const settings = {
  shared_preload_libraries: "'pg_stat_statements'",
  autovacuum: 'off',
  fsync: 'off',
  full_page_writes: 'off',
  checkpoint_timeout: "'1h'",
  // A plan that uses several processes depends on the machine.
  max_parallel_workers_per_gather: '0',
};

/** Starts a server of its own, because the module that counts has to be loaded when a server starts. */
export async function openCountingPostgres(): Promise<CountingPostgres> {
  const home = path.join(testHome, 'work');
  let server = await openEmbedded(home, say);
  let admin = await connect(server.url);
  const { rows } = await admin.query<{ loaded: string }>(
    `select current_setting('shared_preload_libraries') as loaded`,
  );
  if (rows[0]?.loaded !== 'pg_stat_statements') {
    for (const [name, value] of Object.entries(settings))
      await admin.query(`alter system set ${name} = ${value}`);
    await admin.end();
    await server.leave();
    server = await openEmbedded(home, say);
    admin = await connect(server.url);
  }
  const name = `work_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${name}`);
  await admin.query(`alter database ${name} set pg_stat_statements.track = 'all'`);
  const url = databaseAt(server.url, name);
  const session = await connect(url);
  await session.query('create extension pg_stat_statements');
  return {
    url,
    session,
    async close() {
      await session.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
      await server.leave();
    },
  };
}

async function connect(url: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  return session;
}
