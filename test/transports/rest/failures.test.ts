import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, type RestAnswer, type Tenant, type World } from '../../helpers/world.ts';

let world: World;
let tenant: Tenant;
let flowId: string;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
  const body = { name: 'F', flowSchema: {} };
  const created = await world.rest('POST', `/v1/projects/${tenant.projectId}/flows`, {
    key: tenant.key,
    body,
  });
  flowId = created.body.id;
});
afterAll(() => world.close());

let restore = async () => {};
afterEach(async () => {
  await restore();
  restore = async () => {};
});

/** Renames a table until the test ends. */
async function withoutTable(table: string): Promise<void> {
  await world.rows(`alter table ${table} rename to renamed_away`);
  restore = async () => void (await world.rows(`alter table renamed_away rename to ${table}`));
}

/** Text that a 5xx must not contain: SQL, names of tables and columns, files, hosts, keys. */
const internals =
  /select|insert|update |delete |relation|renamed_away|flows|api_keys|projects|project_id|audit|does not exist|42P01|\.ts|at \/|knex|postgres|127\.0\.0\.1|parley_sk/i;

function expectGeneric({ status, headers, body }: RestAnswer): void {
  expect(status).toBe(500);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body).toStrictEqual({
    error: {
      code: 'internal_error',
      message: 'Something went wrong on our side. It is safe to try again shortly.',
      requestId: headers.get('x-request-id'),
    },
  });
  expect(JSON.stringify([body, ...headers])).not.toMatch(internals);
}

const call = (method: string, route: string, body?: unknown) =>
  world.rest(method, route, { key: tenant.key, ...(body !== undefined && { body }) });

describe('returns a generic 500 if the database fails', () => {
  test.each([
    ['flows', 'GET', '/v1/projects/{projectId}/flows'],
    ['flows', 'GET', '/v1/flows/{flowId}'],
    ['flows', 'PATCH', '/v1/flows/{flowId}'],
    ['flow_versions', 'GET', '/v1/flows/{flowId}/versions'],
    ['trash', 'GET', '/v1/projects/{projectId}/trash'],
    ['trash', 'DELETE', '/v1/flows/{flowId}'],
    ['audit_log', 'PATCH', '/v1/flows/{flowId}'],
    ['projects', 'GET', '/v1/projects'],
    ['projects', 'GET', '/v1/flows/{flowId}'],
    ['api_keys', 'GET', '/v1/keys/current'],
    ['api_keys', 'PATCH', '/v1/flows/{flowId}'],
    ['api_keys', 'GET', '/v1/flows/malformed'],
  ])('without the table %s: %s %s', async (table, method, path) => {
    const route = path.replace('{flowId}', flowId).replace('{projectId}', tenant.projectId);
    await withoutTable(table);
    expectGeneric(await call(method, route, method === 'PATCH' ? { name: 'New' } : undefined));
    await restore();
    restore = async () => {};
    expect((await call('GET', `/v1/flows/${flowId}`)).body.name).toBe('F');
  });

  test('over MCP, as an error result', async () => {
    const client = await world.mcp('modern http', tenant.key);
    await withoutTable('flows');
    for (const [name, args] of [
      ['list_flows', { projectId: tenant.projectId }],
      ['create_flow', { projectId: tenant.projectId, name: 'New', flowSchema: {} }],
    ] as const) {
      const { isError, content } = await client.callTool({ name, arguments: args });
      expect(isError).toBe(true);
      const { error, hint } = JSON.parse(content[0]?.text ?? '');
      expect(error).toStrictEqual({
        code: 'internal_error',
        message: 'Something went wrong on our side. It is safe to try again shortly.',
        requestId: expect.any(String),
      });
      expect(hint).not.toMatch(internals);
    }
  });

  test('for a key that cannot be looked up', async () => {
    const { key } = await world.key(tenant.projectId);
    await withoutTable('api_keys');
    expectGeneric(await world.rest('GET', '/v1/projects', { key }));
  });

  test('for the message of a trigger', async () => {
    await world.rows(`
      create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'password of user parley in /var/lib/postgres: %', new.name; end $$`);
    await world.rows('create trigger refuse before update on flows for each row execute function refuse()');
    restore = async () => void (await world.rows('drop trigger refuse on flows'));
    expectGeneric(await call('PATCH', `/v1/flows/${flowId}`, { name: 'New' }));
  });

  test('for a violated constraint that no operation maps', async () => {
    await world.rows(`alter table flows add constraint no_such_name check (name <> 'Forbidden')`);
    restore = async () => void (await world.rows('alter table flows drop constraint no_such_name'));
    expectGeneric(await call('PATCH', `/v1/flows/${flowId}`, { name: 'Forbidden' }));
  });
});

test('reads survive the end of their database connections', async () => {
  const endAll = () =>
    world.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
  const read = async () => (await call('GET', `/v1/flows/${flowId}`)).status;
  for (let round = 0; round < 10; round++) {
    const reads = Array.from({ length: 30 }, read);
    await endAll();
    expect(new Set(await Promise.all([...reads, ...Array.from({ length: 10 }, read)]))).toStrictEqual(
      new Set([200]),
    );
  }
});

test('health responds without the database', async () => {
  await withoutTable('projects');
  expect((await world.rest('GET', '/healthz')).status).toBe(200);
});
