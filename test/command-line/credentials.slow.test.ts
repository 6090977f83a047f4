import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrationNames } from '../../src/postgres/migrations/index.ts';
import { cloneDatabase } from '../helpers/database.ts';
import { emptyDatabase, newHome, parley, query } from '../helpers/parley.ts';

/** A migrated database without rows, and a home. */
async function freshStart(): Promise<{ DATABASE_URL: string; PARLEY_HOME: string }> {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  return { DATABASE_URL: url, PARLEY_HOME: newHome() };
}

const fileOf = (home: string) => path.join(home, 'credentials.json');
const countOf = async (url: string, table: string) =>
  (await query(url, `select count(*)::int as n from ${table}`))[0]?.['n'];

describe('migrate', () => {
  test('brings an empty database up to date, even several at once, and makes no demo', async () => {
    const env = { DATABASE_URL: await emptyDatabase(), PARLEY_HOME: newHome() };
    const outcomes = await Promise.all([
      parley(['migrate'], env),
      parley(['migrate'], env),
      parley(['migrate'], env),
    ]);
    outcomes.push(await parley(['migrate'], env));
    for (const outcome of outcomes)
      expect(outcome).toStrictEqual({ code: 0, stdout: 'The schema is up to date.\n', stderr: '' });
    expect(await countOf(env.DATABASE_URL, 'schema_migrations')).toBe(migrationNames.length);
    expect(await countOf(env.DATABASE_URL, 'organizations')).toBe(0);
  });

  test('rejects a newer schema in one line', async () => {
    const env = await freshStart();
    await query(env.DATABASE_URL, `insert into schema_migrations (name, batch) values ('9999-later', 9)`);
    const { code, stdout, stderr } = await parley(['migrate'], env);
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toStrictEqual([
      expect.stringMatching(/^parley: .*9999-later.*newer/),
    ]);
  });
});

describe('whoami on an empty database', () => {
  test('makes the demo, prints its credentials and stores them readable only for this user', async () => {
    const env = await freshStart();
    const { code, stdout, stderr } = await parley(['whoami', '--json'], env);
    expect({ code, stderr, lines: stdout.split('\n').length }).toStrictEqual({
      code: 0,
      stderr: '',
      lines: 2,
    });
    const credentials = JSON.parse(stdout);
    expect(credentials).toStrictEqual({
      url: 'http://127.0.0.1:8080',
      organizationId: expect.stringMatching(/^cog/),
      projectId: expect.stringMatching(/^cpr/),
      keyId: expect.stringMatching(/^cak/),
      key: expect.stringMatching(/^parley_sk_/),
    });
    const file = fileOf(env.PARLEY_HOME);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toStrictEqual(credentials);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(await query(env.DATABASE_URL, 'select id, plan, mode from projects order by plan')).toStrictEqual([
      { id: expect.stringMatching(/^cpr/), plan: 'free', mode: 'advanced' },
      { id: credentials.projectId, plan: 'growth', mode: 'advanced' },
    ]);
    expect(
      await query(env.DATABASE_URL, 'select version, is_active from flow_versions order by 1'),
    ).toStrictEqual([
      { version: '1', is_active: true },
      { version: '2', is_active: false },
    ]);
    expect((await parley(['whoami', '--json'], env)).stdout).toBe(stdout);
  });

  test('makes one demo if several run at once, even without a schema', async () => {
    const env = { DATABASE_URL: await emptyDatabase(), PARLEY_HOME: newHome() };
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => parley(['whoami', '--json'], env)));
    expect(outcomes.map(({ code, stderr }) => `${code}${stderr}`)).toStrictEqual(['0', '0', '0', '0']);
    expect(new Set(outcomes.map(({ stdout }) => stdout)).size).toBe(1);
    expect(await countOf(env.DATABASE_URL, 'organizations')).toBe(1);
    expect(await countOf(env.DATABASE_URL, 'api_keys')).toBe(3);
  });

  test('prints the URL of this server', async () => {
    const env = await freshStart();
    const urlWith = async (more: Record<string, string>) =>
      (await parley(['whoami', '--field', 'url'], { ...env, ...more })).stdout.trim();
    expect(await urlWith({ PORT: '9000' })).toBe('http://127.0.0.1:9000');
    expect(await urlWith({ HOST: '0.0.0.0' })).toBe('http://127.0.0.1:8080');
    expect(await urlWith({ HOST: '::1' })).toBe('http://[::1]:8080');
    expect(await urlWith({ PARLEY_PUBLIC_URL: 'https://parley.example/' })).toBe('https://parley.example');
  });

  test('makes no demo in production', async () => {
    const env = { ...(await freshStart()), NODE_ENV: 'production', PARLEY_SECRET_KEY: 'x'.repeat(32) };
    const { code, stdout, stderr } = await parley(['whoami', '--json'], env);
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^parley: .*PARLEY_API_KEY.*\n$/);
    expect(await countOf(env.DATABASE_URL, 'organizations')).toBe(0);
  });
});

describe('whoami', () => {
  test('shortens the key unless --field key asks for it', async () => {
    const env = await freshStart();
    const { stdout: json } = await parley(['whoami', '--json'], env);
    const { key, projectId } = JSON.parse(json);
    const { stdout } = await parley(['whoami'], env);
    expect(stdout).toContain(`projectId: ${projectId}\n`);
    expect(stdout).toContain('scope: platform\n');
    expect(stdout).not.toContain(key);
    expect(await parley(['whoami', '--field', 'key'], env)).toStrictEqual({
      code: 0,
      stdout: `${key}\n`,
      stderr: '',
    });
  });

  test('prefers PARLEY_API_KEY to the stored credentials', async () => {
    const env = await freshStart();
    const { stdout } = await parley(['project', 'create', '--name', 'Other', '--json'], env);
    const other = JSON.parse(stdout);
    const { stdout: shown } = await parley(['whoami', '--json'], { ...env, PARLEY_API_KEY: other.key });
    expect(JSON.parse(shown)).toStrictEqual({ url: 'http://127.0.0.1:8080', ...other });
  });

  test('reports a missing key, and a key of another database, in one line', async () => {
    const env = await freshStart();
    await parley(['project', 'create', '--name', 'First'], env);
    const none = await parley(['whoami', '--json'], env);
    expect(none).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^parley: There is no key\. .*\n$/),
    });
    const wrong = await parley(['whoami', '--json'], { ...env, PARLEY_API_KEY: 'parley_sk_wrong' });
    expect(wrong).toStrictEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^parley: .*PARLEY_API_KEY.*\n$/),
    });
    expect(wrong.stderr).not.toContain('parley_sk_wrong');
  });

  test.each(['', '{', '[]', '{"key":5}'])('reports damaged credentials in one line: %s', async (content) => {
    const env = await freshStart();
    await parley(['project', 'create', '--name', 'First'], env);
    writeFileSync(fileOf(env.PARLEY_HOME), content);
    const { code, stdout, stderr } = await parley(['whoami'], env);
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^parley: .*credentials\.json is damaged.*\n$/);
  });
});
