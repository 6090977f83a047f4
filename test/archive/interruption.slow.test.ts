import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { cloneDatabase } from '../helpers/database.ts';
import { emptyDatabase, newHome, parley, query, type Running, shell, start } from '../helpers/parley.ts';
import { failureOf } from './failure.ts';
import { secretKey, tableSums } from './rows.ts';
import { openSource, type Source } from './source.ts';

const deadline = { timeout: 15_000, interval: 20 };

let source: Source;
beforeAll(async () => {
  source = await openSource();
});
afterAll(() => source.drop());

/** Starts an export that waits for a lock on one of its last tables, whose rows hold nothing encrypted. */
async function stuckExport(signal?: NodeJS.Signals) {
  const [{ url }, folder] = [source, newHome()];
  const holder = new pg.Client({ connectionString: url });
  // The database is dropped while this is open.
  holder.on('error', () => undefined);
  onTestFinished(() => holder.end());
  await holder.connect();
  await holder.query('begin; lock table voices in access exclusive mode');
  const running = start(['export', path.join(folder, 'export.gz')], {
    DATABASE_URL: url,
    PARLEY_HOME: newHome(),
  });
  await vi.waitFor(() => expect(running.stderr()).toContain('idempotency_keys: 18 rows'), deadline);
  expect(readdirSync(folder)).toStrictEqual([expect.stringMatching(/^export\.gz\.\w+\.partial$/)]);
  if (signal) running.child.kill(signal);
  return { url, folder, running, holder };
}

test.each(['SIGINT', 'SIGTERM'] as const)('an export that receives %s leaves no file', async (signal) => {
  const { folder, running } = await stuckExport(signal);
  expect(failureOf(await running.ended)).toMatch(/: interrupted\. Nothing was written\.$/);
  expect(readdirSync(folder)).toStrictEqual([]);
});

test('an export blocks migrations, and a second signal ends it at once without leaving a file', async () => {
  const { url, folder, running } = await stuckExport();
  expect(await query(url, 'select pg_try_advisory_lock(727001) as held')).toStrictEqual([{ held: false }]);
  // The process is stopped, so that both signals are pending when it continues.
  for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) running.child.kill(signal);
  expect((await running.ended).code).toBe(1);
  expect(readdirSync(folder)).toStrictEqual([]);
});

test('an export whose connection is cut reports that and leaves no file', async () => {
  const { url, folder, running } = await stuckExport();
  await cutConnections(url);
  expect(failureOf(await running.ended)).toMatch(
    /: the database failed \((?:57P01|connection_lost)\)\. Nothing was written\.$/,
  );
  expect(readdirSync(folder)).toStrictEqual([]);
});

/** Terminates every connection of Parley. */
const cutConnections = (url: string) =>
  query(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'parley-%' and datname = current_database()`,
  );

/** Starts an import that receives only the first half of its bytes. */
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

test('an import that receives a signal writes nothing', async () => {
  const { url, running } = await stuckImport();
  running.child.kill('SIGTERM');
  expect(failureOf(await running.ended)).toBe(
    'parley: Cannot import stdin: interrupted. Nothing was written.',
  );
  expect(await tableSums(url)).toStrictEqual({});
});

test('an import that is killed writes nothing', async () => {
  const { url, running } = await stuckImport();
  running.child.kill('SIGKILL');
  await running.ended;
  await vi.waitFor(async () => expect(await tableSums(url)).toStrictEqual({}), deadline);
});

test('an import whose connection is cut reports that and writes nothing', async () => {
  const { url, running, rest } = await stuckImport();
  await cutConnections(url);
  running.child.stdin.end(rest);
  expect(failureOf(await running.ended)).toMatch(/: the database failed \(\w+\)\. Nothing was written\.$/);
  expect(await tableSums(url)).toStrictEqual({});
});

/** Waits until a connection waits for a lock. */
const untilLockAwaited = (url: string) =>
  vi.waitFor(async () => {
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect(await query(url, waiting)).toHaveLength(1);
  }, deadline);

test('others see nothing of an import until it is complete', async () => {
  const { url, running, rest } = await stuckImport(['migrate']);
  // A command that starts meanwhile waits for the rows instead of making a demo.
  const env = { DATABASE_URL: url, PARLEY_HOME: newHome(), PARLEY_API_KEY: 'parley_sk_none' };
  const whoami = start(['whoami'], env);
  await untilLockAwaited(url);
  running.child.stdin.end(rest);
  expect((await running.ended).code).toBe(0);
  expect((await whoami.ended).stderr).toMatch(
    /^parley: The key in PARLEY_API_KEY is not in this database\. .*\n$/,
  );
  expect(await query(url, 'select count(*)::int as n from organizations')).toStrictEqual([{ n: 18 }]);
  // Postgres has statistics of the imported rows.
  expect(await query(url, `select reltuples::int as n from pg_class where relname = 'flows'`)).toStrictEqual([
    { n: 18 },
  ]);
});

test('an import detects rows that another connection commits just before it', async () => {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  await writer.query(`begin; insert into organizations values ('cog1', 'Early')`);
  const env = { DATABASE_URL: url, PARLEY_HOME: newHome(), PARLEY_SECRET_KEY: secretKey };
  const running = start(['import', '-'], env);
  running.child.stdin.end(source.bytes);
  await untilLockAwaited(url);
  await writer.query('commit');
  await writer.end();
  expect(failureOf(await running.ended)).toMatch(/: the database is not empty \(organizations has rows/);
  expect(await query(url, 'select id from organizations')).toStrictEqual([{ id: 'cog1' }]);
});

test('of two imports at the same time into a database without a schema, one succeeds and the other is rejected', async () => {
  const url = await emptyDatabase();
  const outcomes = await Promise.all(
    Array.from({ length: 2 }, () => {
      const env = { DATABASE_URL: url, PARLEY_HOME: newHome(), PARLEY_SECRET_KEY: secretKey };
      const { child, ended } = start(['import', '-'], env);
      child.stdin.end(source.bytes);
      return ended;
    }),
  );
  const [rejected, ...more] = outcomes.filter(({ code }) => code !== 0);
  expect(more).toStrictEqual([]);
  expect(rejected && failureOf(rejected)).toMatch(/: the database is not empty/);
  expect(await tableSums(url)).toStrictEqual(await tableSums(source.url));
});

test('an export keeps an existing file, unless --force is given', async () => {
  const [{ url }, folder] = [source, newHome()];
  const file = path.join(folder, 'export.gz');
  writeFileSync(file, 'precious');
  const env = { DATABASE_URL: url, PARLEY_HOME: newHome() };
  expect(failureOf(await parley(['export', file], env))).toBe(
    `parley: Cannot export to ${file}: it exists already. Use another name, or --force to replace it.`,
  );
  expect(readFileSync(file, 'utf8')).toBe('precious');
  expect((await parley(['export', file, '--force'], env)).code).toBe(0);
  expect(readFileSync(file).subarray(0, 2)).toStrictEqual(Buffer.of(0x1f, 0x8b));
  expect(readdirSync(folder)).toStrictEqual(['export.gz']);
});

test.each([
  ['postgres://parley@127.0.0.1:1/none', 'ECONNREFUSED'],
  ['postgres://parley@localhost/none?host=/nowhere', 'ENOENT'],
])('reports a database that cannot be reached in one line: %s', async (address, code) => {
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

test('reports a file that cannot be written in one line, and leaves nothing', async () => {
  const [{ url }, folder] = [source, newHome()];
  const env = { DATABASE_URL: url, PARLEY_HOME: newHome(), FOLDER: folder };
  mkdirSync(path.join(folder, 'folder'));
  const cases: [script: string, reason: string][] = [
    [
      'parley export $FOLDER/missing/export.gz',
      `${folder}/missing/export.gz: no such file or directory (ENOENT)`,
    ],
    [
      'parley export $FOLDER/folder --force',
      `${folder}/folder: it exists and is not a file. Use another name.`,
    ],
    ['ulimit -f 1; parley export $FOLDER/large.gz', `${folder}/large.gz: file too large (EFBIG)`],
  ];
  // Only Linux has a device that is always full.
  if (existsSync('/dev/full'))
    cases.push(['parley export - > /dev/full', 'stdout: no space left on device (ENOSPC)']);
  for (const [script, reason] of cases)
    expect(failureOf(await shell(script, env)), script).toBe(`parley: Cannot export to ${reason}`);
  expect((await shell('parley export - | true', env)).stderr).toMatch(
    /^parley: Cannot export to stdout: broken pipe \(EPIPE\)$/m,
  );
  expect(readdirSync(folder)).toStrictEqual(['folder']);
});
