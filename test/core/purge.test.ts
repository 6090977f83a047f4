import { afterAll, beforeAll, expect, test } from 'vitest';
import { purgeExpired } from '../../src/resources/trash/purge.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** More than two batches, whose rows expire at the same moment by the hundred. */
const expired = 2_345;

test('purges all expired idempotency keys and trash entries, in any number of batches, and no others', async () => {
  const { projectId } = await world.tenant();
  await world.rows(
    `insert into idempotency_keys (project_id, operation, key, input_hash, created_at)
     select $1, 'create_flow', n::text, '', now() - interval '25 hours' + n / 100 * interval '1 second'
     from generate_series(1, $2::int) n
     union all select $1, 'create_flow', 'recent', '', now() - interval '23 hours'`,
    [projectId, expired],
  );
  await world.rows(
    `insert into trash (project_id, id, kind, resource_id, name, rows, expires_at)
     select $1, 'ctr' || n, 'flow', 'cfl' || n, '', '{}'::json, now() - n / 100 * interval '1 second'
     from generate_series(1, $2::int) n
     union all select $1, 'ctrrecent', 'flow', 'cflrecent', '', '{}'::json, now() + interval '1 minute'`,
    [projectId, expired],
  );
  await purgeExpired(world.core.knex);
  const left = await world.rows(
    `select key from idempotency_keys where project_id = $1 union all select id from trash where project_id = $1`,
    [projectId],
  );
  expect(left).toStrictEqual([{ key: 'recent' }, { key: 'ctrrecent' }]);
});
