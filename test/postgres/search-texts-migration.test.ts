import { expect, onTestFinished, test } from 'vitest';
import { migrateTo } from '../../src/postgres/migrate.ts';
import { openPool } from '../../src/postgres/pool.ts';
import { storesIn } from '../../src/resources/project-stores.ts';
import { writeSearchTexts } from '../../src/resources/search/search-texts.ts';
import { databaseAt0050 } from '../helpers/database-at-0050.ts';

test('finds the designs of earlier releases right after the migration, and what they store after it', async () => {
  const connectionString = await databaseAt0050();
  const db = openPool({ connectionString, mode: 'write', max: 1, warn: (line) => console.error(line) });
  onTestFinished(() => db.destroy());
  const store = (first: number, last: number) =>
    db.raw(`
      insert into conversations (project_id, id, name, kind, newest_version, active_version)
      select 'cpr000000', 'ccv' || lpad(n::text, 26, '0'), 'Desk', 'advanced', 1, 1
      from generate_series(${first}, ${last}) n;
      insert into conversation_versions (project_id, conversation_id, n, tag, design, design_bytes)
      select 'cpr000000', 'ccv' || lpad(n::text, 26, '0'), 1, 'v1', '{"steps": {"say": {"text": "We sell medlars."}}}', 60
      from generate_series(${first}, ${last}) n`);
  await db.raw(`
    insert into organizations values ('cog000000', 'Org');
    insert into projects (id, organization_id, name) values ('cpr000000', 'cog000000', 'P')`);
  await store(1, 60);
  await migrateTo(db);
  const search = { text: 'medlar', kinds: null, limit: 100, from: undefined };
  const found = () => storesIn(db, 'cpr000000').projectSearch.places(search);
  expect(await found()).toHaveLength(60);
  await store(61, 70);
  await db.raw(`update conversations set name = 'Front desk' where id = 'ccv' || lpad('70', 26, '0')`);
  expect(await found()).toHaveLength(70);
  while (await writeSearchTexts(db));
  expect(await db.raw('select from conversation_versions where search_text is null')).toMatchObject({
    rowCount: 0,
  });
  expect(await found()).toHaveLength(70);
  await db.raw(`
    delete from conversation_versions;
    delete from conversations`);
  expect(await found()).toHaveLength(0);
  // Nothing of the former search keeps a project from being removed.
  await db.raw('delete from projects');
});
