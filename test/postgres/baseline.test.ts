import type { Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { appliedMigrations, migrateTo } from '../../src/postgres/migrate.ts';
import { baselineName, migrationNames } from '../../src/postgres/migrations/index.ts';
import { openPool } from '../../src/postgres/pool.ts';
import { insertAwkwardRows } from '../archive/rows.ts';
import { databaseAt0050 } from '../helpers/database-at-0050.ts';
import { emptyDatabase, query } from '../helpers/parley.ts';

function open(connectionString: string): Knex {
  const db = openPool({ connectionString, mode: 'write', max: 1, warn: console.error });
  onTestFinished(() => db.destroy());
  return db;
}

/** Everything in the schema but the rows, a line for each part. The columns of a table are in their order. */
const schemaLines = `
  with tables as (
    select oid, relname as name, relkind, relpersistence, reloptions from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'S')
  )
  select concat_ws(' ', name, relkind, relpersistence, reloptions::text, obj_description(oid, 'pg_class')) as line from tables
  union all
  select concat_ws(' ', tables.name, lpad(row_number() over (partition by attrelid order by attnum)::text, 2), attname,
    format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull, attstorage, attgenerated,
    pg_get_expr(adbin, adrelid), col_description(attrelid, attnum))
  from pg_attribute join tables on tables.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relkind = 'r' and attnum > 0 and not attisdropped
  union all select concat_ws(' ', name, conname, pg_get_constraintdef(c.oid)) from pg_constraint c join tables on tables.oid = conrelid
  union all select pg_get_indexdef(indexrelid) from pg_index join tables on tables.oid = indrelid
  union all select pg_get_triggerdef(t.oid) from pg_trigger t join tables on tables.oid = tgrelid where not tgisinternal
  union all select pg_get_functiondef(oid) from pg_proc
  where pronamespace = current_schema()::regnamespace
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  order by 1`;

async function schemaOf(url: string): Promise<unknown[]> {
  return (await query(url, schemaLines)).map(({ line }) => line);
}

interface Columns {
  readonly table: string;
  /** Separated by commas, quoted. */
  readonly columns: string;
}

async function columnsOf(url: string): Promise<Columns[]> {
  const rows = await query(
    url,
    `select attrelid::regclass::text as table, string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_attribute join pg_class c on c.oid = attrelid
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
       and relname !~ '^(schema_migrations|search_)'
     group by attrelid`,
  );
  return rows as unknown as Columns[];
}

/** A digest of each row of these columns, by table. */
async function digestsOf(url: string, tables: readonly Columns[]): Promise<Record<string, unknown[]>> {
  const digests: Record<string, unknown[]> = {};
  for (const { table, columns } of tables)
    digests[table] = await query(
      url,
      `select md5(row::text) from (select ${columns} from ${table}) row order by 1`,
    );
  return digests;
}

test('a database at 0050 ends with the schema of one that begins with the baseline', async () => {
  const [former, fresh] = [await databaseAt0050(), await emptyDatabase()];
  await Promise.all([migrateTo(open(former)), migrateTo(open(fresh))]);
  expect(await schemaOf(former)).toStrictEqual(await schemaOf(fresh));
});

test('a database at 0050 keeps its rows', async () => {
  const url = await databaseAt0050();
  await insertAwkwardRows(url, ['scenario_changes']);
  const columns = await columnsOf(url);
  const before = await digestsOf(url, columns);
  expect(before['knowledge_chunks']).toHaveLength(18);
  await migrateTo(open(url));
  expect(await digestsOf(url, columns)).toStrictEqual(before);
  // The words of a chunk were stored by an earlier function.
  const otherWords = `
    select text from knowledge_chunks
    where search <> setweight(knowledge_vector(language, heading), 'A') || knowledge_vector(language, text)`;
  expect(await query(url, otherWords)).toStrictEqual([]);
});

test('a database at 0050 has the migrations from the baseline on, and one before it is refused with the remedy', async () => {
  const url = await databaseAt0050();
  const db = open(url);
  expect(await appliedMigrations(db)).toStrictEqual([baselineName]);
  await query(url, 'delete from schema_migrations where name >= $1', [baselineName]);
  const remedy =
    'the database ends at 0049-oauth-clients, and this build continues from 0050-rejections. Run "parley migrate" with an ' +
    'earlier Parley that has both, and then start this one.';
  await expect(migrateTo(db)).rejects.toThrow(remedy);
  expect(await query(url, 'select max(id) as last from schema_migrations')).toStrictEqual([{ last: 34 }]);
});

test('a newer build may have migrated the database while this one waited', async () => {
  const db = open(await emptyDatabase());
  await migrateTo(db, 1);
  await db('schema_migrations').insert({ name: '9999-later', batch: 2 });
  await expect(migrateTo(db)).rejects.toThrow('the database has 9999-later, which this build does not know');
});

test('Postgres has eight functions of Parley, and no others', async () => {
  const url = await emptyDatabase();
  await migrateTo(open(url));
  expect(migrationNames[0]).toBe(baselineName);
  const functions = (await schemaOf(url)).filter((line) =>
    String(line).startsWith('CREATE OR REPLACE FUNCTION'),
  );
  expect(functions.map((line) => /public\.(\w+)/.exec(String(line))?.[1])).toStrictEqual([
    'add_former_values',
    'audit_log_is_append_only',
    'knowledge_vector',
    'knowledge_words_added',
    'knowledge_words_removed',
    'record_former_flow_version',
    'record_former_values',
    'search_plain',
  ]);
});
