import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isDatabaseUnable } from '../../src/platform/errors.ts';
import { openSession } from '../../src/postgres/session.ts';
import { emptyDatabase, query } from '../helpers/parley.ts';

test('a session whose lock is lost between two statements fails as a database that is gone', async () => {
  const url = await emptyDatabase();
  const session = await openSession(url, 'read');
  await session.lockSchema('shared');
  const failure = await session
    .transaction(async (trx) => {
      const ended = once(session.client, 'end');
      await query(
        url,
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())`,
      );
      await ended;
      await trx.raw('select 1');
    })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: expect.stringContaining('is not queryable') });
  expect(isDatabaseUnable(failure)).toBe(true);
});

test.each(['read', 'write'] as const)(
  'a session to %s compiles no statement and starts no worker',
  async (mode) => {
    const session = await openSession(await emptyDatabase(), mode);
    const { rows } = await session.client.query(
      `select current_setting('jit') as jit, current_setting('max_parallel_workers_per_gather') as workers`,
    );
    expect(rows).toEqual([{ jit: 'off', workers: '0' }]);
    await session.end();
  },
);
