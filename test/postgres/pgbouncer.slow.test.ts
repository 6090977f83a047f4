import { existsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startIndexing } from '../../src/command-line/start-indexing.ts';
import { starterDesign } from '../../src/design/starter.ts';
import { migrationNames } from '../../src/postgres/migrations/index.ts';
import { openPool } from '../../src/postgres/pool.ts';
import type { BoundStatement } from '../../src/postgres/prepared.ts';
import { runTogether } from '../../src/postgres/transaction.ts';
import { cloneDatabase } from '../helpers/database.ts';
import { reportMissing } from '../helpers/find-program.ts';
import { openKnowledgeProject } from '../helpers/knowledge-project.ts';
import { emptyDatabase, newHome, type Outcome, parley, query } from '../helpers/parley.ts';
import { openSecondReplica } from '../helpers/second-replica.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { findPgBouncer, mayKeepNames, openBouncer, setTimeLimits } from './pgbouncer.ts';

const executable = findPgBouncer();
if (executable === undefined)
  reportMissing('no PgBouncer on this machine, so nothing runs through it (apt-get install pgbouncer)');

/** Starts PgBouncer before a database, until the test ends. Returns the URL of the database behind it. */
async function bounced(url: string, change?: (settings: string) => string): Promise<string> {
  const bouncer = await openBouncer(executable ?? '', url, change);
  onTestFinished(() => bouncer.close());
  return bouncer.url;
}

/** Runs a command of Parley on a database. */
function run(url: string, ...args: string[]): Promise<Outcome> {
  const env = { DATABASE_URL: url, PARLEY_HOME: newHome(), PARLEY_SECRET_KEY: 'a secret key of the tests' };
  return parley(args, env);
}

describe.skipIf(executable === undefined)('through PgBouncer in transaction mode', () => {
  const keepsNames = executable !== undefined && mayKeepNames(executable);
  if (executable !== undefined && !keepsNames)
    reportMissing('this PgBouncer is older than 1.21, so no test prepares statements through it');
  let world: World;
  let direct: string;
  let tenant: Tenant;
  let flows: string;
  beforeAll(async () => {
    const { url, drop } = await cloneDatabase();
    direct = url;
    await setTimeLimits(url);
    const bouncer = await openBouncer(executable ?? '', url);
    const stop = () => Promise.all([bouncer.close(), drop()]);
    world = await openWorld({ database: { url: bouncer.url, drop: async () => void (await stop()) } });
    tenant = await world.tenant();
    flows = `/v1/projects/${tenant.projectId}/flows`;
  });
  afterAll(() => world?.close());

  const call = (method: string, route: string, body?: unknown, headers: Record<string, string> = {}) =>
    world.rest(method, route, { key: tenant.key, body, headers });

  test('32 clients of two replicas share a pool of four connections', async () => {
    const replica = await openSecondReplica(world);
    onTestFinished(() => replica.close());
    const bases = [world.base, replica.base];
    const client = async (number: number) => {
      const send = async (method: string, route: string, body?: object, more = {}) => {
        const response = await fetch(`${bases[number % 2]}${route}`, {
          method,
          headers: {
            authorization: `Bearer ${tenant.key}`,
            ...(body && { 'content-type': 'application/json' }),
            ...more,
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        expect(response.status, `${method} ${route}: ${text}`).toBeLessThan(300);
        return JSON.parse(text);
      };
      const name = `Flow ${number}`;
      const key = { 'idempotency-key': `client-${number}` };
      const flow = await send('POST', flows, { name, flowSchema: {} }, key);
      expect(await send('POST', flows, { name, flowSchema: {} }, key)).toStrictEqual(flow);
      const version = await send('POST', `/v1/flows/${flow.id}/versions`, { flowSchema: { language: 'de' } });
      await send('POST', `/v1/flow-versions/${version.id}/activate`);
      await send('PATCH', `/v1/flows/${flow.id}`, { name: `${name} renamed` });
      expect((await send('GET', `/v1/flows/${flow.id}`)).name).toBe(`${name} renamed`);
      await send('GET', flows);
    };
    await Promise.all(Array.from({ length: 32 }, (_, number) => client(number)));
    const [{ count, active } = {}] = await query(
      direct,
      `select count(distinct f.id)::int as count, count(*) filter (where v.is_active)::int as active
       from flows f join flow_versions v on v.flow_id = f.id where f.project_id = $1`,
      [tenant.projectId],
    );
    expect({ count, active }).toStrictEqual({ count: 32, active: 32 });
    const [{ servers } = {}] = await query(
      direct,
      `select count(*)::int as servers from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    expect(servers).toBeLessThanOrEqual(4);
  });

  test('agents write flows and edit designs over MCP', async () => {
    const client = await world.mcp('modern http', tenant.key);
    const use = async (name: string, input: Record<string, unknown>) => {
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: input });
      expect(isError, JSON.stringify(content)).not.toBe(true);
      return structuredContent as Record<string, string>;
    };
    const { projectId } = tenant;
    const flow = await use('create_flow', { projectId, name: 'Agent', flowSchema: {} });
    expect(await use('get_flow', { flowId: flow['id'] })).toMatchObject({ name: 'Agent' });
    const input = { projectId, name: 'Order status', design: starterDesign };
    const { id: conversationId } = await use('create_conversation', input);
    const patch = [{ op: 'replace', path: '/steps/goodbye/line', value: 'Goodbye.' }];
    expect(await use('edit_design', { conversationId, version: 1, patch })).toMatchObject({ version: 2 });
  });

  test('a job indexes a source of knowledge', async () => {
    const log = pino({ level: 'silent' });
    const workers = await startIndexing(world.core, { atOnce: 2, fetchAllow: [] }, log);
    onTestFinished(() => workers.stop());
    const project = await openKnowledgeProject(world);
    const id = await project.newSource();
    expect(await project.settled(id)).toMatchObject({ indexingStatus: 'completed', progress: 100 });
    expect(await project.found(id)).toHaveLength(1);
  });

  test('reads survive the end of all connections to Postgres, and writes succeed or return 500', async () => {
    const { id } = (await call('POST', flows, { name: 'Kept', flowSchema: {} })).body;
    for (let round = 0; round < 5; round++) {
      const reads = Array.from({ length: 20 }, () => call('GET', `/v1/flows/${id}`));
      const writes = Array.from({ length: 5 }, () => call('PATCH', `/v1/flows/${id}`, { name: 'Kept' }));
      await query(
        direct,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
      expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toStrictEqual(new Set([200]));
      for (const { status, headers } of await Promise.all(writes))
        if (status !== 200) expect([status, headers.get('retry-after')]).toStrictEqual([500, '1']);
    }
    await expect.poll(async () => (await call('PATCH', `/v1/flows/${id}`, { name: 'New' })).status).toBe(200);
  });

  test('concurrent migrations apply each migration once, and an archive leaves and returns', async () => {
    const urls = await Promise.all([emptyDatabase(), emptyDatabase()]);
    for (const url of urls) await setTimeLimits(url);
    const [from = '', to = ''] = await Promise.all(urls.map((url) => bounced(url)));
    const starts = await Promise.all([1, 2, 3].map(() => run(from, 'migrate')));
    expect(starts.map(({ code, stderr }) => [code, stderr])).toStrictEqual(starts.map(() => [0, '']));
    const applied = await query(urls[0] ?? '', 'select name from schema_migrations order by name');
    expect(applied.map(({ name }) => name)).toStrictEqual(migrationNames);
    expect((await run(from, 'project', 'create', '--name', 'Archived')).code).toBe(0);
    const file = path.join(newHome(), 'export.gz');
    expect(await run(from, 'export', file)).toMatchObject({ code: 0 });
    expect(existsSync(file)).toBe(true);
    expect(await run(to, 'import', file)).toMatchObject({ code: 0 });
    const projects = await query(urls[1] ?? '', 'select name from projects');
    expect(projects).toStrictEqual([{ name: 'Archived' }]);
    const locks = `select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
    for (const url of urls) expect(await query(url, locks)).toStrictEqual([]);
  });

  test('an export is not cut by the time limit of the role', async () => {
    const { url, drop } = await cloneDatabase();
    onTestFinished(drop);
    await setTimeLimits(url);
    const limit = 50;
    await query(
      url,
      `alter role current_user in database ${new URL(url).pathname.slice(1)} set statement_timeout = ${limit}`,
    );
    const pooled = await bounced(url);
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('set statement_timeout = 0');
    await holder.query('begin; lock table audit_log');
    const exported = run(pooled, 'export', path.join(newHome(), 'export.gz'));
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and clock_timestamp() > query_start + interval '${3 * limit} ms'`;
    await vi.waitFor(async () => expect(await query(url, waiting)).toHaveLength(1), { timeout: 20_000 });
    await holder.end();
    expect(await exported).toMatchObject({ code: 0 });
  });

  test('a full pool refuses reads and writes with Retry-After, and serves again', async () => {
    const { url, drop } = await cloneDatabase();
    await setTimeLimits(url);
    const soon = (settings: string) => settings.replace('query_wait_timeout = 5', 'query_wait_timeout = 1');
    const pooled = await bounced(url, soon);
    const crowded = await openWorld({ database: { url: pooled, drop } });
    onTestFinished(() => crowded.close());
    const { projectId, key } = await crowded.tenant();
    const route = `/v1/projects/${projectId}/flows`;
    const send = async (method: string, path: string, body?: object) => {
      const { status, headers } = await crowded.rest(method, path, { key, ...(body && { body }) });
      return [status, headers.get('retry-after')];
    };
    const body = { name: 'Flow', flowSchema: {} };
    const { id } = (await crowded.rest('POST', route, { key, body })).body;
    const calls = () => [send('GET', `/v1/flows/${id}`), send('GET', route), send('POST', route, body)];
    const holders = Array.from({ length: 4 }, () => new pg.Client({ connectionString: pooled }));
    for (const holder of holders) {
      await holder.connect();
      await holder.query('begin');
    }
    expect(await Promise.all(calls())).toStrictEqual([
      [500, '1'],
      [500, '1'],
      [500, '1'],
    ]);
    for (const holder of holders) await holder.end();
    const served = [
      [200, null],
      [200, null],
      [201, null],
    ];
    await expect.poll(() => Promise.all(calls())).toStrictEqual(served);
  });

  const forgetful = (settings: string) => `${settings}\nmax_prepared_statements = 0\n`;

  test.skipIf(!keepsNames).each([
    ['keeps their names', undefined, 3],
    ['does not keep names', forgetful, 0],
  ])('statements are prepared behind a PgBouncer only if it %s', async (_title, change, prepared) => {
    const { url, drop } = await cloneDatabase();
    onTestFinished(drop);
    await setTimeLimits(url);
    const pool = openPool({
      connectionString: await bounced(url, change),
      mode: 'write',
      max: 2,
      warn: expect.unreachable,
    });
    onTestFinished(() => pool.destroy());
    // Without the statement by which Parley recognizes the pooler.
    const text = `select count(*)::int as count from pg_prepared_statements where statement not like '%as unchanged'`;
    const count = { name: 'count', text, values: [] };
    const divide = (by: number) => ({ name: 'divide', text: 'select 1 / $1::int as result', values: [by] });
    // Two sessions of Postgres, which two clients use in turn.
    const twice = async (statements: BoundStatement[]) => {
      const results = [1, 2].map(() => runTogether(pool, statements).catch(String));
      return Promise.all(results);
    };
    await expect(twice([divide(0), count])).resolves.toStrictEqual([
      'error: division by zero',
      'error: division by zero',
    ]);
    for (let round = 0; round < 3; round++) await twice([divide(1), count]);
    const other = { name: 'other', text: 'select 2 as result', values: [] };
    const [, , { rows } = { rows: [] }] = await runTogether(pool, [divide(1), other, count]);
    expect(rows).toStrictEqual([{ count: prepared }]);
    const { rows: left } = await pool.raw(
      `select name from pg_prepared_statements where name like 'parley%'`,
    );
    expect(left).toStrictEqual([]);
  });

  const withoutIgnored = (settings: string) => settings.replace(/^ignore_startup_parameters.*$/m, '');
  const guide = 'docs/guides/operating.md#pgbouncer';

  test.each([
    [
      'ignores time limits',
      undefined,
      'ignores statement_timeout, lock_timeout, idle_in_transaction_session_timeout',
    ],
    ['rejects startup parameters', withoutIgnored, 'rejects the startup parameter statement_timeout'],
  ])('a start and doctor report a PgBouncer that %s', async (_title, change, reason) => {
    const pooled = await bounced(await emptyDatabase(), change);
    const { code, stderr } = await run(pooled, 'serve');
    expect(code).toBe(1);
    expect(stderr).toContain(`parley: the pooler in DATABASE_URL ${reason}. Set `);
    expect(stderr).toContain(guide);
    const { code: doctorCode, stdout } = await run(pooled, 'doctor');
    expect(doctorCode).toBe(1);
    expect(stdout).toContain(`problem  database: the pooler in DATABASE_URL ${reason} - Set `);
  });
});
