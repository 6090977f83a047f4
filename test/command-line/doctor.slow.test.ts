import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { migrationNames } from '../../src/postgres/migrations/index.ts';
import { cloneDatabase } from '../helpers/database.ts';
import { databaseAt0050 } from '../helpers/database-at-0050.ts';
import { type Environment, freePort, newHome, parley, query } from '../helpers/parley.ts';
import { join, killServer, newHome as newEmbeddedHome, serverPid } from '../postgres/members.ts';

interface Check {
  readonly level: string;
  readonly what: string;
  readonly mend?: string;
}

const aboutVoice = /^nobody answers the calls|voice workers? /;

/** The findings of `parley doctor`, and its output. */
async function doctor(env: Environment) {
  const all = { PORT: String(await freePort()), ...env };
  const { code, stdout, stderr } = await parley(['doctor', '--json'], all);
  expect(stderr).toBe('');
  const { checks, problems } = JSON.parse(stdout) as { checks: Check[]; problems: number };
  expect(code).toBe(problems > 0 ? 1 : 0);
  // The demo has a number that a flow answers, and no voice worker runs here.
  const worst = checks.filter(({ level, what }) => level !== 'ok' && !aboutVoice.test(what));
  expect(worst.every(({ mend }) => mend)).toBe(true);
  return { code, checks, worst, text: checks.map(({ what }) => `${what}\n`).join(''), stdout };
}

/** The name, mode and digest of every file below a folder. */
function snapshot(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const { mode } = lstatSync(path.join(folder, name));
      const content = lstatSync(path.join(folder, name)).isFile()
        ? readFileSync(path.join(folder, name))
        : '';
      return `${name} ${mode.toString(8)} ${createHash('sha256').update(content).digest('hex')}`;
    });
}

describe('doctor on the embedded Postgres', () => {
  test('finds nothing before the first start and after a stop, finds an open file, and changes nothing', async () => {
    const home = newEmbeddedHome();
    const env = { PARLEY_HOME: home };
    const before = await doctor(env);
    expect([before.code, before.worst, snapshot(path.dirname(home))]).toEqual([0, [], []]);
    expect(before.text).toMatch(/does not exist yet/);

    await parley(['whoami'], env);
    const stopped = snapshot(home);
    const idle = await doctor(env);
    expect([idle.code, idle.worst]).toEqual([0, []]);
    expect(idle.text).toMatch(/not running; a command that needs it starts it/);
    expect(snapshot(home)).toEqual(stopped);

    const secrets = ['password', 'secret-key'].map((name) => readFileSync(path.join(home, name), 'utf8'));
    const { key } = JSON.parse(readFileSync(path.join(home, 'credentials.json'), 'utf8'));
    chmodSync(path.join(home, 'password'), 0o644);
    const open = await doctor(env);
    expect(open.worst).toEqual([
      expect.objectContaining({ level: 'warning', mend: expect.stringMatching(/^chmod 600/) }),
    ]);
    for (const secret of [...secrets, key]) expect(idle.stdout + open.stdout).not.toContain(secret);
  });

  test('reports the processes that use it, and what a killed server left behind', async () => {
    const home = newEmbeddedHome();
    const env = { PARLEY_HOME: home };
    const member = await join(home);
    const running = await doctor(env);
    expect(running.text).toMatch(
      new RegExp(`runs \\(process ${serverPid(home)}, .* used by process ${member.child.pid}\n`),
    );

    member.child.kill('SIGKILL');
    const unused = await doctor(env);
    expect(unused.worst).toEqual([
      expect.objectContaining({ what: expect.stringMatching(/no process uses it/) }),
    ]);

    killServer(home);
    const killed = await doctor(env);
    expect([killed.code, killed.worst]).toEqual([
      0,
      [expect.objectContaining({ what: expect.stringMatching(/postmaster\.pid/) })],
    ]);
  });

  test.each<[string, RegExp, (home: string) => void]>([
    ['data of another Postgres', /belongs to Postgres 99, .* - .*parley export/, (home) => data(home, '99')],
    [
      'damaged credentials',
      /credentials\.json is damaged - Delete it/,
      (home) => write(home, 'credentials.json', '{'),
    ],
    [
      'an incomplete key',
      /credentials\.json is incomplete/,
      (home) =>
        write(
          home,
          'credentials.json',
          JSON.stringify({ url: '', organizationId: '', projectId: '', keyId: '', key: 'parley_sk_x' }),
        ),
    ],
    ['a file as PARLEY_HOME', /PARLEY_HOME|not a folder/, (home) => writeFileSync(home, '')],
  ])('finds %s', async (_, says, arrange) => {
    const home = newEmbeddedHome();
    arrange(home);
    const { code, worst, text } = await doctor({ PARLEY_HOME: home });
    expect(code, text).toBe(1);
    expect(worst.map(({ what, mend }) => `${what} - ${mend}`).join('\n')).toMatch(says);
  });
});

describe("doctor on the operator's database", () => {
  const secret = 'a secret key of the doctor';

  test('finds nothing wrong after a first start', async () => {
    const env = { DATABASE_URL: await clone(), PARLEY_HOME: newHome() };
    await parley(['whoami'], env);
    const { code, worst, text } = await doctor(env);
    expect([code, worst], text).toEqual([0, []]);
    expect(text).toMatch(/Postgres 1\d\.\d+ responds/);
    expect(text).toMatch(/the key works/);
  });

  test('counts the migrations that a database lacks', async () => {
    const { text } = await doctor({ DATABASE_URL: await databaseAt0050(), PARLEY_HOME: newHome() });
    expect(text).toContain(`the schema lacks ${migrationNames.length - 1} migrations`);
  });

  test.each<[string, RegExp, (url: string) => Promise<unknown>]>([
    [
      'a newer schema',
      /9999-later, .*newer Parley/,
      (url) => query(url, `insert into schema_migrations (name, batch) values ('9999-later', 9)`),
    ],
    [
      'a schema from before the baseline',
      /ends at 0049-oauth-clients, .*earlier Parley/,
      (url) => query(url, `update schema_migrations set name = '0049-oauth-clients'`),
    ],
    ['a revoked key', /the key is revoked/, (url) => query(url, `update api_keys set status = 'revoked'`)],
    [
      'a key of another database',
      /the key is not in this database/,
      (url) => query(url, `update api_keys set hash = sha256(hash)`),
    ],
    [
      'a secret that another secret key encrypted',
      /encrypted with another secret key .* PARLEY_SECRET_KEY_PREVIOUS/,
      (url) =>
        query(
          url,
          `insert into secrets (project_id, name, sealed_value, hosts) select id, 'N', '\\x0102030405060708', '{}' from projects`,
        ),
    ],
    [
      'a trashed value that another secret key encrypted',
      /encrypted with another secret key .* PARLEY_SECRET_KEY_PREVIOUS/,
      (url) =>
        query(
          url,
          `with deleted as (delete from integrations returning *)
           insert into trash (project_id, id, kind, resource_id, name, rows, expires_at)
           select project_id, 'ctr0000000', 'integration', id, name,
             json_build_object('integrations', json_build_array(
               to_jsonb(deleted) || '{"sealed_credentials": "\\\\x0102030405060708"}')), 'infinity'
           from deleted`,
        ),
    ],
  ])('finds %s', async (_, says, arrange) => {
    const env = { DATABASE_URL: await clone(), PARLEY_HOME: newHome(), PARLEY_SECRET_KEY: secret };
    await parley(['whoami'], env);
    await arrange(env.DATABASE_URL);
    const { code, worst, stdout } = await doctor(env);
    expect([code, worst.map(({ what, mend }) => `${what} - ${mend}`)], stdout).toEqual([
      1,
      [expect.stringMatching(says)],
    ]);
    expect(stdout).not.toContain(secret);
  });

  test('says that nobody answers the calls of a number, and what answers them', async () => {
    const env = { DATABASE_URL: await clone(), PARLEY_HOME: newHome() };
    await parley(['whoami'], env);
    const voice = async () =>
      (await doctor(env)).checks.flatMap(({ level, what }) => (aboutVoice.test(what) ? [[level, what]] : []));
    expect(await voice()).toEqual([
      ['warning', 'nobody answers the calls of 1 phone number: no voice worker runs'],
    ]);
    await query(
      env.DATABASE_URL,
      `insert into voice_workers (id, capacity, calls, is_draining) values ('w1', 10, 0, false)`,
    );
    expect(await voice()).toEqual([['ok', '1 voice worker answers calls']]);
  });

  test('warns about origins of web agents that no page has', async () => {
    const env = { DATABASE_URL: await clone(), PARLEY_HOME: newHome() };
    await parley(['whoami'], env);
    const listed = ['*', 'https://Example.com/', 'not an origin', 'file:///index.html'];
    await query(env.DATABASE_URL, 'update web_agents set allowed_origins = $1', [listed]);
    const { code, worst, text } = await doctor(env);
    expect([code, worst], text).toEqual([
      0,
      [
        expect.objectContaining({
          level: 'warning',
          what: expect.stringMatching(/^the web agent cwa\w+ allows .*"not an origin", and 1 more/),
        }),
      ],
    ]);
  });

  test('warns about languages of agent profiles that are not tags of BCP 47', async () => {
    const env = { DATABASE_URL: await clone(), PARLEY_HOME: newHome() };
    await parley(['whoami'], env);
    await query(env.DATABASE_URL, `update agent_profiles set supported_input_languages = '{en,german}'`);
    const { code, worst, text } = await doctor(env);
    expect([code, worst], text).toEqual([
      0,
      [
        expect.objectContaining({
          level: 'warning',
          what: expect.stringMatching(/^the agent profile cap\w+ has the language "german"/),
        }),
      ],
    ]);
  });

  test('warns about what is live, and does not disclose the AI or could not be activated today', async () => {
    const env = { DATABASE_URL: await clone(), PARLEY_HOME: newHome() };
    await parley(['whoami'], env);
    await query(env.DATABASE_URL, `update flow_versions set flow_schema = '{"greeting": "Hello."}'`);
    await query(
      env.DATABASE_URL,
      `update conversation_versions set design = jsonb_set(design::jsonb, '{entry,stepId}', '"appointment"')::json
       where design::text like '%"appointment"%'`,
    );
    const { code, worst, text } = await doctor(env);
    expect([code, worst], text).toEqual([
      0,
      [
        /^the flow cfl\w+ answers calls and does not disclose the AI: \/greeting: .*: names no AI/,
        /^the live version of the conversation ccv\w+ could not be activated today: \/steps\/appointment: /,
      ].map((what) => expect.objectContaining({ level: 'warning', what: expect.stringMatching(what) })),
    ]);
  });

  test('finds a database that cannot be reached, and shows no password', async () => {
    const url = new URL(inject('databaseUrl'));
    url.password = 'hidden';
    for (const DATABASE_URL of [url.href, 'postgres://user:hidden@127.0.0.1:1/nobody']) {
      const { worst, stdout } = await doctor({ DATABASE_URL, PARLEY_HOME: newHome() });
      expect(worst).toEqual([
        expect.objectContaining({ what: expect.stringMatching(/cannot be used \(\w+\)/) }),
      ]);
      expect(stdout).not.toContain('hidden');
    }
  });
});

test('doctor distinguishes a port of another program from one of Parley', async () => {
  const port = await freePort();
  const taken = createServer((socket) => socket.on('error', () => undefined).end('no HTTP'));
  taken.listen(port, '127.0.0.1');
  onTestFinished(() => void taken.close());
  const env = { DATABASE_URL: await clone(), PARLEY_HOME: newHome(), PORT: String(port) };
  const { worst } = await doctor(env);
  expect(worst).toEqual([
    expect.objectContaining({ what: expect.stringMatching(/another program uses port/) }),
  ]);
});

test('doctor prints the same findings as lines and as JSON', async () => {
  const home = newHome();
  writeFileSync(path.join(home, 'password'), '', { mode: 0o644 });
  const env = { PARLEY_HOME: home, PARLEY_ACCES: 'read', PORT: String(await freePort()) };
  write(home, 'credentials.json', '{');
  for (const [all, levels] of [
    [env, ['problem']],
    [{ PARLEY_HOME: home, PORT: env.PORT }, ['ok', 'problem', 'warning']],
  ] as const) {
    const [{ code, checks }, words] = await Promise.all([doctor(all), parley(['doctor'], all)]);
    expect([...new Set(checks.map(({ level }) => level))].toSorted()).toEqual(levels);
    // Measured numbers differ between the two runs.
    const masked = (text: string) => text.replaceAll(/\d+/g, 'N');
    const lines = checks.map(
      ({ level, what, mend }) => `${level.padEnd(7)}  ${what}${mend ? ` - ${mend}` : ''}\n`,
    );
    expect([words.code, words.stderr, masked(words.stdout)]).toEqual([code, '', masked(lines.join(''))]);
  }
});

test('doctor finds a wrong environment', async () => {
  const { code, worst } = await doctor({ PARLEY_HOME: newHome(), PARLEY_ACCES: 'read' });
  expect([code, worst]).toEqual([
    1,
    [expect.objectContaining({ what: expect.stringMatching(/PARLEY_ACCES/) })],
  ]);
});

test('--version prints the version and the commit, even in a wrong environment', async () => {
  const form = /^parley \d+\.\d+\.\d+ \((abc|[0-9a-f]{40}|unknown)\)\n$/;
  expect((await parley(['--version'], { PARLEY_GIT_SHA: 'abc' })).stdout).toMatch(form);
  expect((await parley(['--version'], { PORT: 'x' })).stdout).toMatch(form);
});

async function clone(): Promise<string> {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  return url;
}

/** Makes a folder that looks like the data of a Postgres. */
function data(home: string, major: string): void {
  mkdirSync(path.join(home, 'postgres'), { recursive: true });
  writeFileSync(path.join(home, 'postgres/PG_VERSION'), `${major}\n`);
}

function write(home: string, name: string, text: string): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(home, name), text, { mode: 0o600 });
}
