import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { jobsSchema } from '../../src/jobs/jobs-schema.ts';
import { openEmbedded } from '../../src/postgres/embedded/embedded.ts';
import { serverFiles } from '../../src/postgres/embedded/place.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { openPool } from '../../src/postgres/pool.ts';
import { mintKey } from '../../src/resources/keys/key.ts';
import { storesIn } from '../../src/resources/project-stores.ts';
import { createOrganization, createProject } from '../../src/resources/projects/provisioning.ts';
import { only } from '../../src/store/queries.ts';
import { testHome } from '../../test/helpers/test-home.ts';

/** A migrated database with a project. */
export interface Database {
  readonly name: string;
  readonly url: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly key: string;
  /** A session that seeds rows: it has no limit on time, and does not wait for the disk. */
  readonly session: pg.Client;
}

/** The bench's Postgres, and the databases of this run. */
export interface Databases {
  readonly version: string;
  /** The process id of the Postgres server. */
  readonly postmaster: number;
  /** The log of the server. */
  readonly log: string;
  create(): Promise<Database>;
  /** Drops a database early, because a large one leaves little memory and disk to the next. */
  drop(database: Database): Promise<void>;
  /** Drops all databases, and leaves the server. */
  close(): Promise<void>;
}

const home = path.join(testHome, 'bench');
const say = (line: string) => console.error(line);

/** Starts the bench's Postgres if it does not run. */
export async function openDatabases(): Promise<Databases> {
  const server = await openEmbedded(home, say);
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  const open = new Set<Database>();
  const drop = async (database: Database) => {
    open.delete(database);
    await database.session.end();
    await admin.query(`drop database if exists ${database.name} with (force)`);
  };
  const { rows } = await admin.query<{ version: string; postmaster: number }>(
    `select current_setting('server_version') as version,
       split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as postmaster`,
  );
  return {
    ...only(rows),
    log: serverFiles(home).log,
    async create() {
      const name = `growth_${randomBytes(6).toString('hex')}`;
      await admin.query(`create database ${name}`);
      const url = Object.assign(new URL(server.url), { pathname: name }).href;
      const database = { name, url, ...(await provision(url)), session: await openSession(url) };
      open.add(database);
      return database;
    },
    drop,
    async close() {
      for (const database of open) await drop(database);
      await admin.end();
      await server.leave();
    },
  };
}

async function provision(connectionString: string) {
  const knex = openPool({ connectionString, mode: 'write', max: 2, warn: say });
  try {
    await migrate(knex, connectionString, say, jobsSchema);
    const organizationId = await createOrganization(knex, 'Growth');
    const projectId = await createProject(knex, { name: 'Growth', organizationId, plan: 'enterprise' });
    const { text: key, ...stored } = mintKey('secret');
    const record = { name: 'Growth', keyType: 'secret', scope: 'platform' } as const;
    await storesIn(knex, projectId).keys.create({ ...record, ...stored });
    return { organizationId, projectId, key };
  } finally {
    await knex.destroy();
  }
}

/** Opens a further session that seeds rows. */
export async function openSession(connectionString: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString, application_name: 'growth' });
  await session.connect();
  await session.query('set synchronous_commit = off');
  await session.query(idFunction);
  return session;
}

/** Five bits of a number as a base32 digit. */
const digit = (shift: number) =>
  `substr('0123456789abcdefghijklmnopqrstuv', 1 + ((milliseconds >> ${shift}) & 31)::int, 1)`;
const timeDigits = Array.from({ length: 10 }, (_, place) => digit(5 * (9 - place))).join(' || ');

/**
 * Makes an id as `src/platform/id.ts` does. The sixteen digits after the time are hexadecimal, which are base32 digits too, and
 * follow from the time, so that other tables can refer to the row.
 */
const idFunction = `
  create function pg_temp.id(letters text, milliseconds bigint) returns text language sql immutable
    return 'c' || letters || ${timeDigits} || left(md5(milliseconds::text), 16)`;
