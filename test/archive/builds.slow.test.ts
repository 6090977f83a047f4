import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { databaseAt0050 } from '../helpers/database-at-0050.ts';
import { emptyDatabase, newHome, parley, query } from '../helpers/parley.ts';
import { failureOf } from './failure.ts';
import { laterMigration, laterRows, makeLaterBuild, oddTable } from './later-build.ts';
import { fillWithAwkwardRows, insertAwkwardRows, secretKey, tableSums } from './rows.ts';

const later = makeLaterBuild();
afterAll(later.remove);

const thisBuild = (args: readonly string[], url: string) => parley(args, environment(url));
const laterBuild = (args: readonly string[], url: string) =>
  parley(args, environment(url), '', later.launcher);

const environment = (url: string) => ({
  DATABASE_URL: url,
  PARLEY_HOME: newHome(),
  PARLEY_SECRET_KEY: secretKey,
});

async function succeed(outcome: Promise<{ code: number | null; stderr: string }>): Promise<void> {
  const { code, stderr } = await outcome;
  expect(code, stderr).toBe(0);
}

/** An export of awkward rows, by this build. */
async function olderExport(): Promise<string> {
  const [url, file] = [await emptyDatabase(), path.join(newHome(), 'export.gz')];
  await fillWithAwkwardRows(url);
  await succeed(thisBuild(['export', file], url));
  return file;
}

test('imports an export of an older build and migrates it', async () => {
  const [url, file] = [await emptyDatabase(), await olderExport()];
  await succeed(laterBuild(['import', file], url));
  expect(await query(url, 'select name from schema_migrations order by id desc limit 1')).toStrictEqual([
    { name: laterMigration },
  ]);
  expect(await query(url, `select count(*)::int as n from projects where shout = upper(name)`)).toStrictEqual(
    [{ n: 18 }],
  );
});

/** The same export, as a build wrote it that had these migrations. */
function withMigrations(bytes: Buffer, migrations: readonly unknown[]): Buffer {
  const [head = '', ...lines] = gunzipSync(bytes)
    .toString()
    .split(/(?<=\n)/);
  const footer = JSON.parse(lines.pop() ?? '');
  const newHead = `${JSON.stringify({ ...JSON.parse(head), migrations })}\n`;
  const whole = createHash('sha256').update(newHead);
  let isRow = false;
  for (const line of lines) {
    if (!isRow) whole.update(line);
    isRow = isRow ? line !== '\\.\n' : line.startsWith('{"table"');
  }
  const newFooter = `${JSON.stringify({ ...footer, sha256: whole.digest('hex') })}\n`;
  return gzipSync([newHead, ...lines, newFooter].join(''));
}

test('imports an export at 0050 by a build that had the migrations before the baseline', async () => {
  const [source, target, file] = [
    await databaseAt0050(),
    await emptyDatabase(),
    path.join(newHome(), 'export.gz'),
  ];
  await insertAwkwardRows(source, ['scenario_changes']);
  await succeed(thisBuild(['export', file], source));
  const names = (await query(source, 'select name from schema_migrations order by id')).map(
    ({ name }) => name,
  );
  expect(names).toHaveLength(35);
  writeFileSync(file, withMigrations(readFileSync(file), names));
  await succeed(thisBuild(['import', file], target));
  await succeed(thisBuild(['migrate'], source));
  expect(await tableSums(target)).toStrictEqual(await tableSums(source));
});

test('an export keeps generated columns, sequences, circular references and partitions', async () => {
  const [source, target, file] = [
    await emptyDatabase(),
    await emptyDatabase(),
    path.join(newHome(), 'export.gz'),
  ];
  await succeed(laterBuild(['whoami'], source));
  await query(source, laterRows);
  // The target may still have the older schema.
  await succeed(thisBuild(['migrate'], target));
  await succeed(laterBuild(['export', file], source));
  await succeed(laterBuild(['import', file], target));
  expect(await tableSums(target)).toStrictEqual(await tableSums(source));
  const next = `insert into ${oddTable} ("a column") values ('next') returning id::int, length, ticket::int`;
  expect(await query(target, next)).toStrictEqual([{ id: 4, length: 4, ticket: 31 }]);
  expect(
    await query(target, 'select id, tableoid::regclass::text as part from parts order by 1'),
  ).toStrictEqual([
    { id: 1, part: 'parts_north' },
    { id: 2, part: 'parts_south' },
  ]);
});

test('rejects an export of a newer build, and an older export for a newer schema, with the remedy', async () => {
  const [source, target, file] = [
    await emptyDatabase(),
    await emptyDatabase(),
    path.join(newHome(), 'export.gz'),
  ];
  await succeed(laterBuild(['whoami'], source));
  await succeed(laterBuild(['export', file], source));
  expect(failureOf(await thisBuild(['import', file], target))).toBe(
    `parley: Cannot import ${file}: its schema has ${laterMigration}, which this build does not know. Start a newer Parley.`,
  );
  expect(failureOf(await thisBuild(['export', `${file}.2`], source))).toBe(
    `parley: Cannot export to ${file}.2: the database has ${laterMigration}, which this build does not know. Start the newer Parley that migrated it, or run "parley export FILE" with that one and "parley import FILE" with this one on an empty database.`,
  );
  expect(await tableSums(target)).toStrictEqual({});

  const older = await olderExport();
  await succeed(laterBuild(['migrate'], target));
  expect(failureOf(await laterBuild(['import', older], target))).toBe(
    `parley: Cannot import ${older}: the database has a newer schema (${laterMigration}). Import into a database without a schema, or a new PARLEY_HOME.`,
  );
});

test('rejects a database without a schema, and exports an older schema without migrating it', async () => {
  const [empty, older, folder] = [await emptyDatabase(), await emptyDatabase(), newHome()];
  const file = path.join(folder, 'export.gz');
  expect(failureOf(await thisBuild(['export', file], empty))).toBe(
    `parley: Cannot export to ${file}: the database has no schema, so there is nothing to export`,
  );
  await succeed(thisBuild(['whoami'], older));
  const sums = await tableSums(older);
  await succeed(laterBuild(['export', file], older));
  expect(await tableSums(older)).toStrictEqual(sums);
  const target = await emptyDatabase();
  await succeed(thisBuild(['import', file], target));
  expect(await tableSums(target)).toStrictEqual(sums);
});
