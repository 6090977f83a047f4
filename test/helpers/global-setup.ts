import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { jobsSchemaVersion } from '../../src/jobs/boss.ts';
import { jobsSchema } from '../../src/jobs/jobs-schema.ts';
import { openEmbedded } from '../../src/postgres/embedded/embedded.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { openPool } from '../../src/postgres/pool.ts';
import { makePostgresHome, postgresHome } from './test-home.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the Postgres server that the tests use. */
    databaseUrl: string;
    /** Name of the migrated database that tests clone. */
    template: string;
  }
}

const root = path.resolve(import.meta.dirname, '../..');
const say = (line: string) => console.error(line);

/** Prepares a migrated template. Its name has the hash of the migrations, so an unchanged schema is migrated once. */
export default async function setup(project: TestProject) {
  makePostgresHome();
  const server = await openEmbedded(postgresHome, say);
  const template = `template_${hashOfMigrations()}_${jobsSchemaVersion}`;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  // No test database needs to survive a power failure. The kill tests start their own server.
  for (const setting of ['fsync', 'full_page_writes']) await admin.query(`alter system set ${setting} = off`);
  // The log may be in memory too.
  await admin.query(`alter system set max_wal_size = '256MB'`);
  await admin.query('select pg_reload_conf()');
  // Two runs at once must not both create the template.
  await admin.query('select pg_advisory_lock(727100)');
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [template]);
  if (!rowCount) {
    const fresh = `${template}_new`;
    await admin.query(`drop database if exists ${fresh} with (force)`);
    await admin.query(`create database ${fresh}`);
    await migrateDatabase(databaseAt(server.url, fresh));
    await admin.query(`alter database ${fresh} rename to ${template}`);
  }
  await admin.end();
  project.provide('databaseUrl', server.url);
  project.provide('template', template);
  return () => server.leave();
}

async function migrateDatabase(connectionString: string): Promise<void> {
  const db = openPool({ connectionString, mode: 'write', max: 1, warn: say });
  await migrate(db, connectionString, say, jobsSchema);
  await db.destroy();
}

function hashOfMigrations(): string {
  const folder = path.join(root, 'src/postgres/migrations');
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).toSorted()) hash.update(readFileSync(path.join(folder, file)));
  return hash.digest('hex').slice(0, 12);
}

/** Returns `url` with another database name. */
export function databaseAt(url: string, database: string): string {
  const at = new URL(url);
  at.pathname = database;
  return at.href;
}
