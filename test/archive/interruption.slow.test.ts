import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { emptyDatabase, newHome, parley, query, type Running, shell, start } from '../command/parley.ts';
import { cloneDatabase } from '../helpers/database.ts';
import { failureOf } from './failure.ts';
import { secretKey, tableSums } from './rows.ts';
import { openSource, type Source } from './source.ts';

const deadline = { timeout: 15_000, interval: 20 };

let source: Source;
beforeAll(async () => {
  source = await openSource();
});
afterAll(() => source.drop());

/** Begins an export that cannot read its last table until the test lets it. */
async function stuckExport(signal?: NodeJS.Signals) {
  const [{ url }, folder] = [source, newHome()];
  const holder = new pg.Client({ connectionString: url });
  // The database is dropped while this is open.
  holder.on('error', () => undefined);
  onTestFinished(() => holder.end());
  await holder.connect();
  await holder.query('begin; lock table web_agents in access exclusive mode');
  const running = start(['export', path.join(folder, 'export.gz')], {
    DATABASE_URL: url,
    PARLEY_HOME: newHome(),
  });
  await vi.waitFor(() => expect(running.stderr()).toContain('idempotency_keys: 18 rows'), deadline);
  expect(readdirSync(folder)).toStrictEqual([expect.stringMatching(/^export\.gz\.\w+\.partial$/)]);
  if (signal) running.child.kill(signal);
  return { url, folder, running, holder };
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s in the middle of an export leaves no file', async (signal) => {
  const { folder, running } = await stuckExport(signal);
  expect(failureOf(await running.ended)).toMatch(/: interrupted. Nothing was written.$/);
  expect(readdirSync(folder)).toStrictEqual([]);
});

test('no migration runs during an export; a second signal ends it at once, and leaves no file either', async () => {
  const { url, folder, running } = await stuckExport();
  expect(await query(url, 'select pg_try_advisory_lock(727001) as held')).toStrictEqual([{ held: false }]);
  // Both are there before it hears of the first.
  for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) running.child.kill(signal);
  expect((await running.ended).code).toBe(1);
  expect(readdirSync(folder)).toStrictEqual([]);
});

test('an export whose connection is cut says so and leaves no file', async () => {
  const { url, folder, running } = await stuckExport();
  await cutConnections(url);
  expect(failureOf(await running.ended)).toMatch(
    /: the database failed \((?:57P01|connection_lost)\)\. Nothing was written\.$/,
  );
  expect(readdirSync(folder)).toStrictEqual([]);
});

/** Ends every other connection of Parley's. */
const cutConnections = (url: string) =>
  query(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'parley-%' and datname = current_database()`,
  );

/** Begins an import of which only the first half arrives. */
async function stuckImport(
  before: readonly string[] = [],
): Promise<{ url: string; running: Running; rest: Buffer }> {
  const [url, { bytes }] = [await emptyDatabase(), source];
  if (before.length > 0) await parley(before, { DATABASE_URL: url, PARLEY_HOME: newHome() });
  const half = Math.floor(bytes.length / 2);
  const running = start(['import', '-'], {
    DATABASE_URL: url,
    PARLEY_HOME: newHome(),
    PARLEY_SECRET_KEY: secretKey,
  });
  running.child.stdin.write(bytes.subarray(0, half));
  await vi.waitFor(() => expect(running.stderr()).toContain('api_keys: 18 rows'), deadline);
  return { url, running, rest: bytes.subarray(half) };
}

test('a signal in the middle of an import leaves nothing', async () => {
  const { url, running } = await stuckImport();
  running.child.kill('SIGTERM');
  expect(failureOf(await running.ended)).toBe(
    'parley: Cannot import stdin: interrupted. Nothing was written.',
  );
  expect(await tableSums(url)).toStrictEqual({});
});

test('an import that is killed leaves nothing', async () => {
  const { url, running } = await stuckImport();
  running.child.kill('SIGKILL');
  await running.ended;
  await vi.waitFor(async () => expect(await tableSums(url)).toStrictEqual({}), deadline);
});

test('an import whose connection is cut says so and leaves nothing', async () => {
  const { url, running, rest } = await stuckImport();
  await cutConnections(url);
  running.child.stdin.end(rest);
  expect(failureOf(await running.ended)).toMatch(/: the database failed \(\w+\)\. Nothing was written\.$/);
  expect(await tableSums(url)).toStrictEqual({});
});

/** Waits until a connection of Parley's waits for a lock. */
const someoneWaits = (url: string) =>
  vi.waitFor(async () => {
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect(await query(url, waiting)).toHaveLength(1);
  }, deadline);

test('what others see of an import is nothing and then all', async () => {
  const { url, running, rest } = await stuckImport(['migrate']);
  // A start waits for the rows instead of making a demo beside them.
  const env = { DATABASE_URL: url, PARLEY_HOME: newHome(), PARLEY_API_KEY: 'parley_sk_none' };
  const whoami = start(['whoami'], env);
  await someoneWaits(url);
  running.child.stdin.end(rest);
  expect((await running.ended).code).toBe(0);
  expect((await whoami.ended).stderr).toMatch(
    /^parley: The key in PARLEY_API_KEY is not in this database\. .*\n$/,
  );
  expect(await query(url, 'select count(*)::int as n from organizations')).toStrictEqual([{ n: 18 }]);
  // Postgres plans for the rows that there are.
  expect(await query(url, `select reltuples::int as n from pg_class where relname = 'flows'`)).toStrictEqual([
    { n: 18 },
  ]);
});

test('an import sees what another one writes just before it', async () => {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  await writer.query(`begin; insert into organizations values ('cog1', 'Early')`);
  const env = { DATABASE_URL: url, PARLEY_HOME: newHome(), PARLEY_SECRET_KEY: secretKey };
  const running = start(['import', '-'], env);
  running.child.stdin.end(source.bytes);
  await someoneWaits(url);
  await writer.query('commit');
  await writer.end();
  expect(failureOf(await running.ended)).toMatch(/: the database is not empty \(organizations has rows/);
  expect(await query(url, 'select id from organizations')).toStrictEqual([{ id: 'cog1' }]);
});

test('of two imports at once into a database without a schema one gets in, and the other is told so', async () => {
  const url = await emptyDatabase();
  const outcomes = await Promise.all(
    Array.from({ length: 2 }, () => {
      const env = { DATABASE_URL: url, PARLEY_HOME: newHome(), PARLEY_SECRET_KEY: secretKey };
      const { child, ended } = start(['import', '-'], env);
      child.stdin.end(source.bytes);
      return ended;
    }),
  );
  const [refused, ...more] = outcomes.filter(({ code }) => code !== 0);
  expect(more).toStrictEqual([]);
  expect(refused && failureOf(refused)).toMatch(/: the database is not empty/);
  expect(await tableSums(url)).toStrictEqual(await tableSums(source.url));
});

test('a file that is there is left alone, unless it is to be replaced', async () => {
  const [{ url }, folder] = [source, newHome()];
  const file = path.join(folder, 'export.gz');
  writeFileSync(file, 'precious');
  const env = { DATABASE_URL: url, PARLEY_HOME: newHome() };
  expect(failureOf(await parley(['export', file], env))).toBe(
    `parley: Cannot export to ${file}: it is there already: name another one, or replace it with --force`,
  );
  expect(readFileSync(file, 'utf8')).toBe('precious');
  expect((await parley(['export', file, '--force'], env)).code).toBe(0);
  expect(readFileSync(file).subarray(0, 2)).toStrictEqual(Buffer.of(0x1f, 0x8b));
  expect(readdirSync(folder)).toStrictEqual(['export.gz']);
});

test.each([
  ['postgres://parley@127.0.0.1:1/none', 'ECONNREFUSED'],
  ['postgres://parley@localhost/none?host=/nowhere', 'ENOENT'],
])('a database that is not to be had is said in one line: %s', async (address, code) => {
  const env = { DATABASE_URL: address, PARLEY_HOME: newHome() };
  const file = path.join(env.PARLEY_HOME, 'export.gz');
  const reason = `the database in DATABASE_URL cannot be used (${code}). Start it, or correct DATABASE_URL.`;
  expect(failureOf(await parley(['export', file], env))).toBe(`parley: Cannot export to ${file}: ${reason}`);
  writeFileSync(file, source.bytes);
  expect(failureOf(await parley(['import', file], { ...env, PARLEY_SECRET_KEY: secretKey }))).toBe(
    `parley: Cannot import ${file}: ${reason}`,
  );
  expect(readdirSync(env.PARLEY_HOME)).toStrictEqual(['export.gz']);
});

test('what cannot be written is said in one line, and nothing is left', async () => {
  const [{ url }, folder] = [source, newHome()];
  const env = { DATABASE_URL: url, PARLEY_HOME: newHome(), FOLDER: folder };
  mkdirSync(path.join(folder, 'folder'));
  const cases: [script: string, reason: string][] = [
    [
      'parley export $FOLDER/missing/export.gz',
      `${folder}/missing/export.gz: no such file or directory (ENOENT)`,
    ],
    ['parley export $FOLDER/folder --force', `${folder}/folder: it is there and no file`],
    ['ulimit -f 1; parley export $FOLDER/large.gz', `${folder}/large.gz: file too large (EFBIG)`],
  ];
  // Linux alone has a disk that is always full.
  if (existsSync('/dev/full'))
    cases.push(['parley export - > /dev/full', 'stdout: no space left on device (ENOSPC)']);
  for (const [script, reason] of cases)
    expect(failureOf(await shell(script, env)), script).toBe(`parley: Cannot export to ${reason}`);
  expect((await shell('parley export - | true', env)).stderr).toMatch(
    /^parley: Cannot export to stdout: broken pipe \(EPIPE\)$/m,
  );
  expect(readdirSync(folder)).toStrictEqual(['folder']);
});
