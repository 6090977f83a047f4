import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { useOf } from '../../src/platform/private-members/knex.ts';
import { handshakeProcess, isWaiting } from '../../src/platform/private-members/pg.ts';
import { openPool } from '../../src/postgres/pool.ts';
import { inTransaction } from '../../src/postgres/transaction.ts';
import { emptyDatabase } from '../helpers/parley.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = 'src/platform/private-members';
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const files = globSync(`${folder}/*.ts`, { cwd: root });

/** The release that a file was compared with, and the one that is installed. */
function releasesOf(file: string): readonly [compared: string | undefined, installed: string | undefined] {
  const compared = / (\d+\.\d+\.\d+) /.exec(read(file))?.[1];
  const name = path.basename(file, '.ts');
  if (name === 'node') return [compared, process.versions.node];
  const installed = JSON.parse(read(`node_modules/${name}/package.json`)) as { version: string };
  return [compared, installed.version];
}

test.for(files)('%s was compared with the release that is installed', (file) => {
  const [compared, installed] = releasesOf(file);
  expect(compared).toBe(installed);
});

test('each private member names the test that fails when it changes', () => {
  const documented = files.flatMap((file) => [
    ...read(file).matchAll(/\/\*\*\n(?<comment>(?: \*.*\n)+?) \*\/\nexport function (?<name>\w+)/g),
  ]);
  const functions = files.flatMap((file) => read(file).match(/^export function /gm) ?? []);
  expect(documented.length).toBe(functions.length);
  for (const { groups } of documented) {
    const named = /Test:[\s*]+(test\/\S+\.test\.ts)\./.exec(groups?.['comment'] ?? '')?.[1] ?? '';
    expect(existsSync(path.join(root, named)) ? named : groups?.['name']).toBe(named);
    expect(groups?.['comment']).toContain('Why: ');
  }
});

test('nothing else uses a private member', () => {
  const members =
    /\b(_handle|_result|_types|_query|__knexQueryUid|readyForQuery|processID|parsedStatements|submittedNamedStatements|queryMode|numPendingAcquires)\b/;
  const users = globSync(['src/**/*.ts', 'tools/**/*.ts'], { cwd: root, exclude: [`${folder}/**`] }).filter(
    (file) => members.test(read(file)),
  );
  expect(users).toEqual([]);
});

async function openOnePool(max: number) {
  const pool = openPool({
    connectionString: await emptyDatabase(),
    mode: 'write',
    max,
    warn: () => undefined,
  });
  onTestFinished(() => pool.destroy());
  return pool;
}

test('a client waits while a statement runs, and the handshake names the process that runs it', async () => {
  const client = new pg.Client({ connectionString: await emptyDatabase() });
  onTestFinished(() => client.end());
  await client.connect();
  expect(isWaiting(client)).toBe(false);
  const asked = client.query<{ pid: number }>('select pg_backend_pid() as pid');
  expect(isWaiting(client)).toBe(true);
  const { rows } = await asked;
  expect(isWaiting(client)).toBe(false);
  expect(handshakeProcess(client)).toBe(rows[0]?.pid);
});

test('a transaction reads bigint as a number, and runs the queries of builders', async () => {
  const pool = await openOnePool(1);
  const read = await inTransaction(pool, async (trx) => {
    const { rows } = await trx.query({ name: undefined, text: 'select 1::bigint as n', values: [] });
    return [...rows, ...(await trx.knex('pg_database').where({ datname: 'template1' }).select('datname'))];
  });
  expect(read).toEqual([{ n: 1 }, { datname: 'template1' }]);
});

test('a prepared statement that Postgres has skipped after an error runs afterwards', async () => {
  const pool = await openOnePool(1);
  const skipped = { name: 'skipped', text: 'select 1 as n', values: [] };
  const failing = inTransaction(pool, (trx) =>
    Promise.all([trx.query({ name: undefined, text: 'select 1 / 0', values: [] }), trx.query(skipped)]),
  );
  await expect(failing).rejects.toThrow('division by zero');
  const { rows } = await inTransaction(pool, (trx) => trx.query(skipped));
  expect(rows).toEqual([{ n: 1 }]);
});

test('a pool says how many connections are used and free, and how many callers wait', async () => {
  const pool = await openOnePool(1);
  let waiting: Promise<unknown> | undefined;
  const use = await inTransaction(pool, async (trx) => {
    await trx.query({ name: undefined, text: 'select 1', values: [] });
    waiting = inTransaction(pool, (next) => next.query({ name: undefined, text: 'select 2', values: [] }));
    return useOf(pool);
  });
  expect(use).toEqual({ most: 1, used: 1, free: 0, waiting: 1 });
  await waiting;
  expect(useOf(pool)).toEqual({ most: 1, used: 0, free: 1, waiting: 0 });
});
