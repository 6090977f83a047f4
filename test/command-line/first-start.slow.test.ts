import pg from 'pg';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeDemo } from '../../src/command-line/demo/make-demo.ts';
import { readCredentials } from '../../src/command-line/home/credentials.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { migrationNames } from '../../src/postgres/migrations/index.ts';
import { openPool } from '../../src/postgres/pool.ts';
import { emptyDatabase, newHome, query } from '../helpers/parley.ts';
import { openWorld } from '../helpers/world.ts';

// All in one process, so that they run at the same moment.

const world = await openWorld();
afterAll(() => world.close());

test('concurrent migrations of an empty database wait for the first and all succeed', async () => {
  const url = await emptyDatabase();
  const warn = (line: string) => console.error(line);
  const starts = Array.from({ length: 5 }, async () => {
    const pool = openPool({ connectionString: url, mode: 'write', max: 1, warn });
    onTestFinished(() => pool.destroy());
    await migrate(pool, url, warn);
  });
  const outcomes = await Promise.allSettled(starts);
  expect(outcomes).toStrictEqual(starts.map(() => ({ status: 'fulfilled', value: undefined })));
  const applied = await query(url, 'select name from schema_migrations order by name');
  expect(applied.map(({ name }) => name)).toStrictEqual(migrationNames);
});

test('concurrent starts make one demo and store its credentials', async () => {
  const home = newHome();
  // The lock keeps each from checking whether the database is empty until all of them wait.
  const holder = new pg.Client({ connectionString: world.databaseUrl });
  await holder.connect();
  await holder.query('begin; lock table organizations');
  const { services } = world.core.runtime;
  const starts = Array.from({ length: 3 }, () =>
    makeDemo(world.core.knex, home, 'http://127.0.0.1:8080', services),
  );
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitFor(async () => expect(await world.rows(waiting)).toHaveLength(3), { timeout: 10_000 });
  await holder.query('commit');
  await holder.end();
  const results = await Promise.all(starts);
  const [credentials, ...more] = results.filter((one) => one !== undefined);
  expect(more).toStrictEqual([]);
  expect(readCredentials(home)).toStrictEqual(credentials);
  const made = { organizations: 1, projects: 2, api_keys: 3, flows: 1, integrations: 1 };
  for (const [table, count] of Object.entries(made))
    expect(await world.rows(`select 1 from ${table}`), table).toHaveLength(count);
  const { status } = await world.rest('GET', `/v1/projects/${credentials?.projectId}`, {
    key: credentials?.key,
  });
  expect(status).toBe(200);
});
