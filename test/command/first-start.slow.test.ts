import pg from 'pg';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeDemo } from '../../src/command-line/demo/make-demo.ts';
import { readCredentials } from '../../src/command-line/home/credentials.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrationNames } from '../../src/db/migrations/index.ts';
import { openPool } from '../../src/db/pool.ts';
import { openWorld } from '../helpers/world.ts';
import { emptyDatabase, newHome, query } from './parley.ts';

// In one process, so that they really come at the same moment.

const world = await openWorld();
afterAll(() => world.close());

test('several that migrate an empty database at the same moment wait for the first and all succeed', async () => {
  const url = await emptyDatabase();
  const say = (line: string) => console.error(line);
  const starts = Array.from({ length: 5 }, async () => {
    const pool = openPool({ connectionString: url, mode: 'write', max: 1, warn: say });
    onTestFinished(() => pool.destroy());
    await migrate(pool, url, say);
  });
  const outcomes = await Promise.allSettled(starts);
  expect(outcomes).toStrictEqual(starts.map(() => ({ status: 'fulfilled', value: undefined })));
  const applied = await query(url, 'select name from schema_migrations order by name');
  expect(applied.map(({ name }) => name)).toStrictEqual(migrationNames);
});

test('of several that would make the demo at the same moment one does, and its credentials are kept', async () => {
  const home = newHome();
  // Nobody can look whether there is anything before all of them have come.
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
  const answers = await Promise.all(starts);
  const [credentials, ...more] = answers.filter((one) => one !== undefined);
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
