import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyDatabase, newHome, parley, query, shell } from '../helpers/parley.ts';
import { openSecondServer, type SecondServer } from '../helpers/second-server.ts';
import { embeddedHome } from './embedded-home.ts';
import { fillWithAwkwardRows, secretKey, tableSums } from './rows.ts';

let second: SecondServer;
beforeAll(async () => {
  second = await openSecondServer();
});
afterAll(() => second.close());

test('every value survives a round trip from the embedded Postgres to a server of another version', async () => {
  const [source, back] = [await embeddedHome(), await embeddedHome()];
  await fillWithAwkwardRows(source.url);
  const sums = await tableSums(source.url);
  expect(new Set(Object.values(sums).map((sum) => sum.split(' ')[0]))).toStrictEqual(new Set(['18']));

  const [outbound, inbound] = [path.join(newHome(), 'outbound.gz'), path.join(newHome(), 'inbound.gz')];
  const onServer = { DATABASE_URL: second.url, PARLEY_HOME: newHome(), PARLEY_SECRET_KEY: secretKey };
  await succeed(['export', outbound], { PARLEY_HOME: source.home });
  await succeed(['import', outbound], onServer);
  expect(await tableSums(second.url)).toStrictEqual(sums);
  // The archive leaves derived rows out. Without the words of a base, its search would find nothing.
  const counted = await query(
    second.url,
    `select distinct knowledge_base_id from knowledge_words where word = ''`,
  );
  expect(counted).toHaveLength(18);

  await succeed(['export', inbound], onServer);
  await succeed(['import', inbound], { PARLEY_HOME: back.home, PARLEY_SECRET_KEY: secretKey });
  expect(await tableSums(back.url)).toStrictEqual(sums);
  expect(rowsIn(inbound)).toBe(rowsIn(outbound));
});

test('an export does not depend on the settings of its database', async () => {
  const [plain, odd] = [await emptyDatabase(), await emptyDatabase()];
  const name = new URL(odd).pathname.slice(1);
  for (const setting of ['datestyle = SQL, DMY', 'bytea_output = escape', 'timezone = "Asia/Kolkata"'])
    await query(odd, `alter database ${name} set ${setting}`);
  await fillWithAwkwardRows(odd);
  const file = path.join(newHome(), 'odd.gz');
  await succeed(['export', file], { DATABASE_URL: odd, PARLEY_HOME: newHome() });
  await succeed(['import', file], {
    DATABASE_URL: plain,
    PARLEY_HOME: newHome(),
    PARLEY_SECRET_KEY: secretKey,
  });
  expect(await tableSums(plain)).toStrictEqual(await tableSums(odd));
});

test('an export passes through a pipe into an import, and both report on stderr', async () => {
  const [source, target] = [await emptyDatabase(), await emptyDatabase()];
  await fillWithAwkwardRows(source);
  const { code, stdout, stderr } = await shell(
    'DATABASE_URL=$SOURCE parley export --json - | DATABASE_URL=$TARGET parley import --json -',
    { SOURCE: source, TARGET: target, PARLEY_HOME: newHome(), PARLEY_SECRET_KEY: secretKey },
  );
  expect({ code, stdout }, stderr).toMatchObject({ code: 0 });
  const summary = JSON.parse(stdout);
  const rows = 18 * Object.keys(summary.tables).length;
  expect(summary).toMatchObject({ rows, tables: { organizations: 18, audit_log: 18 } });
  const lines = stderr.split('\n');
  expect(lines.filter((line) => line === 'flow_versions: 18 rows')).toHaveLength(2);
  expect(lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))).toStrictEqual([
    summary,
  ]);
  expect(await tableSums(target)).toStrictEqual(await tableSums(source));
});

test('an export is readable only for its user, and reports its tables', async () => {
  const [url, home] = [await emptyDatabase(), newHome()];
  await parley(['whoami'], { DATABASE_URL: url, PARLEY_HOME: home });
  const file = path.join(home, 'export.gz');
  const { stdout, stderr } = await parley(['export', file, '--json'], {
    DATABASE_URL: url,
    PARLEY_HOME: home,
  });
  const summary = JSON.parse(stdout);
  expect(summary).toMatchObject({ file, tables: { flow_versions: 2, trash: 0 } });
  expect(summary.rows).toBe(Object.values<number>(summary.tables).reduce((sum, rows) => sum + rows));
  expect(stderr.split('\n')).toContain('flow_versions: 2 rows');
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect(readdirSync(home).toSorted()).toStrictEqual([
    'credentials.json',
    'demo.json',
    'export.gz',
    'secret-key',
  ]);
});

const rowsIn = (file: string) =>
  gunzipSync(readFileSync(file))
    .toString()
    .replace(/"exportedAt":"[^"]*"/, '')
    .replace(/\n\{"end":"parley-export".*\n$/, '');

async function succeed(args: readonly string[], env: Record<string, string>): Promise<void> {
  const { code, stderr } = await parley(args, env);
  expect(code, stderr).toBe(0);
}
