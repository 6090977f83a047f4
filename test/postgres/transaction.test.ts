import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/postgres/transaction.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('statements of one turn run in the order in which they were started', async () => {
  const values = await inTransaction(world.core.knex, (trx) =>
    Promise.all(
      [
        'create temporary table turn (n int) on commit drop',
        'insert into turn values (1)',
        'select n from turn',
      ].map(async (text) => (await trx.query({ name: undefined, text, values: [] })).rows),
    ),
  );
  expect(values).toEqual([[], [], [{ n: 1 }]]);
});

test('a transaction cannot begin another one', async () => {
  await expect(
    inTransaction(world.core.knex, async (trx) => trx.knex.transaction(async () => undefined)),
  ).rejects.toThrow('a transaction has no transactions of its own');
});

test('a change finds its rows by index, however small the table was when its statement was planned', async () => {
  await world.tenant();
  await world.rows('analyze api_keys');
  const plan = await inTransaction(world.core.knex, (trx) =>
    trx.query({
      name: undefined,
      text: `explain select status from api_keys where project_id = 'p' and id = 'k'`,
      values: [],
    }),
  );
  expect(JSON.stringify(plan.rows)).toContain('Index Scan using api_keys_pkey');
});
