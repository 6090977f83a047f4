import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { databaseAt } from './global-setup.ts';

/** Clones the migrated template into a new database. `drop` closes all connections to it. */
export async function cloneDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name} template ${inject('template')} strategy wal_log`);
  const url = databaseAt(inject('databaseUrl'), name);
  return { url, drop: () => asAdmin(`drop database ${name} with (force)`) };
}

async function asAdmin(sql: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('databaseUrl') });
  await admin.connect();
  try {
    await admin.query(sql);
  } finally {
    await admin.end();
  }
}
