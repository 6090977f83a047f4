import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** A later migration. Each column and table is a different case for an export. */
const migration = `
import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(\`
    alter table projects add column shout text;
    update projects set shout = upper(name);
    alter table projects alter column shout set not null, alter column shout set default '';
    create type mood as enum ('glad', 'so-so');
    create sequence tickets increment by 10;
    create table "Odd, ""name""" (
      id bigint generated always as identity primary key,
      "a column" text not null,
      length integer generated always as (length("a column")) stored,
      ticket bigint not null default nextval('tickets'),
      parent bigint references "Odd, ""name""",
      mood mood,
      real double precision,
      single real,
      exact numeric,
      pause interval,
      day date,
      range tstzrange,
      document jsonb,
      matrix integer[],
      dropped text
    );
    alter table "Odd, ""name""" drop column dropped;
    create table chickens (id integer primary key, egg integer not null);
    create table eggs (id integer primary key, chicken integer not null references chickens);
    alter table chickens add foreign key (egg) references eggs deferrable;
    create table parts (id integer, region text) partition by list (region);
    create table parts_north partition of parts for values in ('north');
    create table parts_south partition of parts for values in ('south');
  \`);
}
`;

/** The name of its migration. */
export const laterMigration = '9000-later';

/** The table with a column of every kind, quoted. */
export const oddTable = '"Odd, ""name"""';

/** One query that inserts rows into the tables of the later migration. */
export const laterRows = `
  begin;
  insert into ${oddTable} ("a column", mood, real, single, exact, pause, day, range, document, matrix) values
    ('one', 'so-so', 0.1::float8 + 0.2, 1e-45, 1.10, '1 mon -2 days 03:04:05.6', 'infinity', '[2026-01-01,)', '{"b": [1.0, null]}', '{{1,2},{3,NULL}}'),
    ('two', null, 'NaN', '-Infinity', 'NaN', null, '0044-03-15 BC', 'empty', 'null', '[0:1]={1,2}');
  insert into ${oddTable} ("a column", parent) values ('the parent comes later', null);
  update ${oddTable} set parent = 3 where id = 1;
  set constraints all deferred;
  insert into chickens values (1, 1);
  insert into eggs values (1, 1);
  insert into parts values (1, 'north'), (2, 'south');
  commit`;

/** A copy of this build with one more migration. */
export function makeLaterBuild(): { launcher: string; remove: () => void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-later-'));
  for (const part of ['bin', 'src', 'tools', 'package.json'])
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const index = path.join(folder, 'src/postgres/migrations/index.ts');
  const text = readFileSync(index, 'utf8');
  const changed = text.replace(/(\[\]) = \[([^;]*?),?\n?\];/s, `$1 = [$2, ['${laterMigration}', later]];`);
  if (changed === text) throw new Error(`${index} has an unexpected form`);
  writeFileSync(index, `import * as later from './${laterMigration}.ts';\n${changed}`);
  writeFileSync(path.join(folder, `src/postgres/migrations/${laterMigration}.ts`), migration);
  return {
    launcher: path.join(folder, 'bin/parley.js'),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
