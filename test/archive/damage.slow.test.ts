import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ArchiveError } from '../../src/archive/archive-error.ts';
import { loadArchive } from '../../src/archive/load.ts';
import { openPlain } from '../../src/archive/passphrase.ts';
import { openArchive } from '../../src/archive/read.ts';
import { openSession } from '../../src/postgres/session.ts';
import { cloneDatabase } from '../helpers/database.ts';
import { emptyDatabase, newHome, parley } from '../helpers/parley.ts';
import { failureOf } from './failure.ts';
import { secretKey, tableSums } from './rows.ts';
import { openSource, type Source } from './source.ts';

let source: Source;
beforeAll(async () => {
  source = await openSource();
});
afterAll(() => source.drop());

/** A database with the schema and no rows. */
async function emptySchema(): Promise<string> {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  return url;
}

/**
 * Tries to load each of these files into one database, and checks that the database does not change. Calls `loadArchive`
 * directly, because starting the command line takes longer than the load.
 */
async function rejections<Name extends string>(url: string, files: Readonly<Record<Name, Buffer | string>>) {
  const [before, file] = [await tableSums(url), path.join(newHome(), 'export.gz')];
  const reasons = {} as Record<Name, string>;
  for (const name of Object.keys(files) as Name[]) {
    writeFileSync(file, files[name]);
    const session = await openSession(url, 'write');
    try {
      const archive = await openArchive(file, openPlain, new AbortController().signal);
      await loadArchive(session, archive, { beforeCommit: () => undefined, report: () => undefined });
      reasons[name] = 'none';
    } catch (error) {
      if (!(error instanceof ArchiveError))
        throw new Error(`${name} fails with another error`, { cause: error });
      reasons[name] = error.message;
    } finally {
      await session.end();
    }
  }
  expect(await tableSums(url)).toStrictEqual(before);
  return reasons;
}

test('the import command rejects a damaged file in one line', async () => {
  const { bytes: whole } = source;
  const [url, folder] = [await emptyDatabase(), newHome()];
  const cut = path.join(folder, 'cut.gz');
  writeFileSync(cut, whole.subarray(0, whole.length / 2));
  const missing = path.join(folder, 'missing.gz');
  const env = { DATABASE_URL: url, PARLEY_HOME: newHome(), PARLEY_SECRET_KEY: secretKey };
  expect(failureOf(await parley(['import', cut], env))).toMatch(
    /^parley: Cannot import \S+cut\.gz: it is damaged (in|before) table \w+( after row \d+)?: cut short$/,
  );
  expect(failureOf(await parley(['import', missing], env))).toBe(
    `parley: Cannot import ${missing}: no such file or directory (ENOENT)`,
  );
  expect(failureOf(await parley(['import', folder], env))).toMatch(
    /illegal operation on a directory \(EISDIR\)$/,
  );
  expect(await tableSums(url)).toStrictEqual({});
});

test('rejects a file that is cut short at any length', async () => {
  const { bytes: whole } = source;
  const lengths = Array.from({ length: 16 }, (_, n) => 19 + Math.floor(((whole.length - 19) * n) / 16));
  lengths.push(1, 2, 9, 10, 17, 18, whole.length - 9, whole.length - 8, whole.length - 1);
  const reasons = await rejections(
    await emptySchema(),
    Object.fromEntries(lengths.map((length) => [length, whole.subarray(0, length)])),
  );
  for (const [length, reason] of Object.entries(reasons))
    expect(reason, `${length} bytes`).toMatch(/^it is (not an export of Parley|damaged .*: cut short)$/);
});

test('rejects a file with any byte changed', async () => {
  const { bytes: whole } = source;
  const content = gunzipSync(whole);
  const files: Record<string, Buffer> = {};
  for (let place = 0; place < whole.length; place += Math.ceil(whole.length / 30)) {
    const bytes = Buffer.from(whole);
    bytes[place] = (bytes[place] ?? 0) ^ 0x10;
    // Some bits of gzip have no effect, such as those of its timestamp.
    if (!same(bytes, content)) files[`byte ${place}`] = bytes;
  }
  expect(Object.keys(files).length).toBeGreaterThan(20);
  for (const [name, reason] of Object.entries(await rejections(await emptySchema(), files)))
    expect(reason, name).toMatch(/^it is /);
});

function same(packed: Buffer, content: Buffer): boolean {
  try {
    return gunzipSync(packed).equals(content);
  } catch {
    return false;
  }
}

test('rejects a repacked file with changed content, and gives the reason', async () => {
  const text = gunzipSync(source.bytes).toString();
  const head = text.slice(0, text.indexOf('\n') + 1);
  const footer = text.slice(text.trimEnd().lastIndexOf('\n') + 1);
  const tables = text.slice(head.length, -footer.length).split(/^(?=\{"table":"\w+"\}$)/m);
  const [organizations = '', projects = '', ...others] = tables;
  expect([organizations, projects].map((block) => block.split('\n')[0])).toStrictEqual([
    '{"table":"organizations"}',
    '{"table":"projects"}',
  ]);
  const pack = (...parts: readonly (string | readonly string[])[]) => gzipSync(parts.flat().join(''));
  const withOrganizations = (change: (block: string) => string) =>
    pack(head, change(organizations), projects, others, footer);
  const withHead = (change: (header: ReturnType<typeof JSON.parse>) => unknown) => {
    const header = JSON.parse(head);
    change(header);
    return pack(`${JSON.stringify(header)}\n`, tables, footer);
  };
  const withRow = (row: string) => withOrganizations((block) => block.replace('\\.\n', () => `${row}\\.\n`));
  const firstRow = `${organizations.split('\n')[1]}\n`;
  const resummed = organizations.replace('plain', 'plane').replace(/"sha256":"\w+"/, (sum) => {
    const rows = organizations.replace('plain', 'plane').split('\n').slice(1, 19);
    return sum.replace(
      /\w{64}/,
      createHash('sha256')
        .update(`${rows.join('\n')}\n`)
        .digest('hex'),
    );
  });
  const organizationsEnd = /^it is damaged in table organizations after row 1\d: its rows were changed$/;
  const cases: Record<string, [file: Buffer | string, reason: RegExp | string]> = {
    'two tables swapped': [
      pack(head, projects, organizations, others, footer),
      'it is damaged before table organizations: table projects follows instead',
    ],
    'a table left out': [
      pack(head, organizations, others, footer),
      'it is damaged before table projects: table agent_profiles follows instead',
    ],
    'a table twice': [
      pack(head, organizations, organizations, projects, others, footer),
      'it is damaged before table projects: table organizations follows instead',
    ],
    'a row left out': [withOrganizations((block) => block.replace(firstRow, '')), organizationsEnd],
    'an extra row': [withRow('cog99999999\tnew\t2026-01-01\n'), organizationsEnd],
    'a row twice': [
      withRow(firstRow),
      /^it is damaged in table organizations after row 1\d: Postgres rejects a row \(23505\)$/,
    ],
    'a row without a column': [withRow('cog99999999\n'), /Postgres rejects a row \(22P04\)$/],
    'a row with a wrong time': [
      withRow('cog99999999\tnew\tyesterevening\n'),
      /Postgres rejects a row \(22007\)$/,
    ],
    'a row that is not UTF-8': [
      gzipSync(Buffer.from(text.replace('plain', 'pl\u00e4n'), 'latin1')),
      /Postgres rejects a row \(22021\)$/,
    ],
    'a value changed': [withOrganizations((block) => block.replace('plain', 'plane')), organizationsEnd],
    'a value and its sum changed': [
      pack(head, resummed, projects, others, footer),
      'it is damaged after the last table: tables were changed',
    ],
    'a time in the header changed': [
      withHead((header) => Object.assign(header, { exportedAt: '2020-01-01T00:00:00.000Z' })),
      'it is damaged after the last table: tables were changed',
    ],
    'a wrong count': [
      withOrganizations((block) => block.replace('"rows":18', '"rows":19')),
      organizationsEnd,
    ],
    'no end of a table': [
      withOrganizations((block) => block.slice(0, block.lastIndexOf('{"end"'))),
      'it is damaged in table organizations after row 18: an unexpected line follows',
    ],
    'no last line': [pack(head, tables), 'it is damaged after the last table: cut short'],
    'lines after the last': [pack(text, 'more\n'), 'it is damaged after the last table: more lines follow'],
    'bytes after the end': [
      Buffer.concat([gzipSync(text), Buffer.from('more')]),
      /^it is damaged .*: more bytes follow$/,
    ],
    'two exports in one file': [pack(text, text), 'it is damaged after the last table: more lines follow'],
    'a newer format': [
      withHead((header) => Object.assign(header, { version: 2 })),
      'it has format 2, and this build reads formats up to 1. Start a newer Parley.',
    ],
    'a newer schema': [
      withHead((header) => header.migrations.push('9999-later')),
      'its schema has 9999-later, which this build does not know. Start a newer Parley.',
    ],
    'a schema from before the baseline': [
      withHead((header) => Object.assign(header, { migrations: ['0001-foundation', '0049-oauth-clients'] })),
      'its schema ends at 0049-oauth-clients, and this build continues from 0050-rejections. ' +
        'Import it with an earlier Parley that has both, and export it with that one.',
    ],
    'a schema that lacks a migration': [
      withHead((header) => header.migrations.splice(1, 1)),
      'it is damaged in its header: no build has these migrations',
    ],
    'a name of two lines': [
      withHead((header) => header.migrations.push('one\nparley: two')),
      'it is damaged in its header',
    ],
    'no schema': [
      withHead((header) => Object.assign(header, { migrations: [] })),
      'it is damaged in its header: no build has these migrations',
    ],
    'one more table': [
      withHead((header) => header.tables.push({ name: 'x"; drop table flows; --', columns: ['id'] })),
      'it is damaged in its header: no build has these tables',
    ],
    'a table less': [
      withHead((header) => header.tables.pop()),
      'it is damaged in its header: no build has these tables',
    ],
    'a column less': [
      withHead((header) => header.tables[0].columns.pop()),
      'it is damaged in its header: no build has these tables',
    ],
    'a column twice': [
      withHead((header) => header.tables[0].columns.push('id')),
      'it is damaged in its header: no build has these tables',
    ],
    'an unknown sequence': [
      withHead((header) => header.sequences.push({ name: 'x', next: '1' })),
      'it is damaged in its header: no build has these tables',
    ],
    'a sequence with SQL': [
      withHead((header) => header.sequences.push({ name: 'x', next: '1; drop table flows' })),
      'it is damaged in its header',
    ],
    'no tables': [
      withHead((header) => Object.assign(header, { tables: undefined })),
      'it is damaged in its header',
    ],
    nothing: ['', 'it is empty'],
    'a text': ['Dear Parley, please import this.', 'it is not an export of Parley'],
    'a short text': ['x', 'it is not an export of Parley'],
    'a packed text': [gzipSync('Dear Parley,\nplease import this.\n'), 'it is not an export of Parley'],
    'packed JSON': [gzipSync('{"format":"other","version":1}\n'), 'it is not an export of Parley'],
    'packed nothing': [gzipSync(''), 'it is damaged in its header: cut short'],
    'packed zeros': [gzipSync(Buffer.alloc(5_000_000)), 'it is damaged in its header: a line is too long'],
  };
  const files = Object.fromEntries(Object.entries(cases).map(([name, [file]]) => [name, file]));
  const reasons = await rejections(await emptyDatabase(), files);
  for (const [name, [, reason]] of Object.entries(cases))
    expect
      .soft(reasons[name], name)
      .toEqual(reason instanceof RegExp ? expect.stringMatching(reason) : reason);
});
