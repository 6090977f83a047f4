import { expect, onTestFinished, test } from 'vitest';
import { migrateTo } from '../../src/db/migrate.ts';
import { migrationNames } from '../../src/db/migrations/index.ts';
import { openPool } from '../../src/db/pool.ts';
import { indexNextRecord } from '../../src/store/search-pending.ts';
import { storesIn } from '../../src/store/stores.ts';
import { emptyDatabase } from '../command/parley.ts';

test('the migration leaves the designs of earlier releases to the worker, which makes them found', async () => {
  const connectionString = await emptyDatabase();
  const db = openPool({ connectionString, mode: 'write', max: 1, warn: (line) => console.error(line) });
  onTestFinished(() => db.destroy());
  await migrateTo(db, migrationNames.indexOf('0027-project-search'));
  await db.raw(`
    insert into organizations values ('cog000000', 'Org');
    insert into projects (id, organization_id, name) values ('cpr000000', 'cog000000', 'P');
    insert into conversations (project_id, id, name, kind, newest_version, active_version)
    select 'cpr000000', 'ccv' || lpad(n::text, 26, '0'), 'Desk', 'advanced', 1, 1 from generate_series(1, 25) n;
    insert into conversation_versions (project_id, conversation_id, n, tag, design, design_bytes)
    select project_id, id, 1, 'v1', '{"steps": {"say": {"text": "We sell medlars."}}}', 60 from conversations`);
  await migrateTo(db);
  const search = { text: 'medlar', kinds: null, limit: 100, from: undefined };
  const found = () => storesIn(db, 'cpr000000').projectSearch.places(search);
  expect(await found()).toHaveLength(0);
  while (await indexNextRecord(db));
  expect(await found()).toHaveLength(25);
  expect(await db.raw('select id from search_backlog union all select id from search_pending')).toMatchObject(
    {
      rowCount: 0,
    },
  );
});
