import { openPool } from '../../src/postgres/pool.ts';
import { purgeExpired } from '../../src/resources/trash/purge.ts';
import type { Database, Databases } from './databases.ts';
import { type Executed, executedDuring, explainAll } from './plans.ts';
import { addExpiredTrash, addOldIdempotencyKeys } from './seeds.ts';

/** A purge of this many expired idempotency keys, and of a tenth as many entries of the trash. */
export interface Purge {
  readonly rows: number;
  readonly milliseconds: number;
  readonly statements: number;
  /** The statement that took longest. */
  readonly longest: Executed;
}

/** Measures the purge that `parley serve` runs every hour. */
export async function purges(databases: Databases, sizes: readonly number[]): Promise<Purge[]> {
  const measured: Purge[] = [];
  for (const rows of sizes) {
    const database = await databases.create();
    measured.push(await purge(databases, database, rows));
    await databases.drop(database);
  }
  return measured;
}

async function purge(databases: Databases, database: Database, rows: number): Promise<Purge> {
  const seed = async () => {
    await addOldIdempotencyKeys(database, rows);
    await addExpiredTrash(database, rows / 10);
    await database.session.query('vacuum analyze idempotency_keys, trash');
    await database.session.query('checkpoint');
  };
  await seed();
  const began = performance.now();
  await purgeIn(database);
  const milliseconds = performance.now() - began;
  await seed();
  await explainAll(database);
  const executed = await executedDuring(databases, database, () => purgeIn(database));
  const longest = executed.toSorted((a, b) => b.milliseconds - a.milliseconds)[0];
  if (!longest) throw new Error('the log of Postgres has no statement of the purge');
  return { rows, milliseconds, statements: executed.length, longest };
}

async function purgeIn({ url }: Database): Promise<void> {
  const knex = openPool({ connectionString: url, mode: 'write', max: 1, warn: console.error });
  try {
    await purgeExpired(knex);
  } finally {
    await knex.destroy();
  }
}
