import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { newHome, parley } from '../helpers/parley.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

const run = (...args: string[]) => parley(args, { DATABASE_URL: world.databaseUrl, PARLEY_HOME: newHome() });

/** The JSON that a command prints. */
async function recordOf(...args: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, string>;
}

/** The statuses of three requests with a key: 200 or 201 if it has the access, else 403. */
async function statuses(key: string, projectId: string) {
  const flows = `/v1/projects/${projectId}/flows`;
  const { body: flow } = await world.rest('POST', flows, {
    key: tenant.key,
    body: { name: 'F', flowSchema: {} },
  });
  const of = async (method: string, route: string, body?: unknown) =>
    (await world.rest(method, route, { key, ...(body !== undefined && { body }) })).status;
  return {
    read: await of('GET', flows),
    draft: await of('POST', `/v1/flows/${flow.id}/versions`, { flowSchema: {} }),
    publish: await of('PATCH', `/v1/flows/${flow.id}`, { name: 'G' }),
  };
}

describe('project create', () => {
  test('creates an organization, a project and a working key of scope platform', async () => {
    const made = await recordOf('project', 'create', '--name', 'Mine');
    expect(made).toStrictEqual({
      organizationId: expect.stringMatching(/^cog/),
      projectId: expect.stringMatching(/^cpr/),
      keyId: expect.stringMatching(/^cak/),
      key: expect.stringMatching(/^parley_sk_/),
    });
    const { key, projectId, keyId } = made;
    const { body: project } = await world.rest('GET', `/v1/projects/${projectId}`, { key });
    expect(project).toMatchObject({
      name: 'Mine',
      plan: 'free',
      mode: 'advanced',
      type: 'platform',
      status: 'active',
    });
    const { body: record } = await world.rest('GET', '/v1/keys/current', { key });
    expect(record).toMatchObject({ id: keyId, keyType: 'secret', scope: 'platform', status: 'active' });
  });

  test('takes a plan, a mode, a type, and an existing or a new organization', async () => {
    const options = ['--plan', 'pro', '--mode', 'simple', '--type', 'hotline', '--new-organization', 'Acme'];
    const first = await recordOf('project', 'create', '--name', 'A', ...options);
    const second = await recordOf(
      'project',
      'create',
      '--name',
      'B',
      '--organization',
      first['organizationId'] ?? '',
    );
    expect(second['organizationId']).toBe(first['organizationId']);
    expect(
      (await world.rest('GET', `/v1/projects/${first['projectId']}`, { key: first['key'] })).body,
    ).toMatchObject({
      plan: 'pro',
      mode: 'simple',
      type: 'hotline',
    });
    expect(
      await world.rows('select name from organizations where id = $1', [first['organizationId']]),
    ).toStrictEqual([{ name: 'Acme' }]);
    const foreign = await world.rest('GET', `/v1/projects/${first['projectId']}`, { key: second['key'] });
    expect(foreign.status).toBe(404);
  });

  test('rejects an unknown organization in one line, and creates nothing', async () => {
    const count = async () => (await world.rows('select 1 from projects')).length;
    const before = await count();
    const organization = newId('organization');
    const { code, stdout, stderr } = await run(
      'project',
      'create',
      '--name',
      'A',
      '--organization',
      organization,
    );
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(`parley: There is no organization ${organization} in this database.\n`);
    expect(await count()).toBe(before);
  });

  test('prints lines without --json', async () => {
    const { code, stdout } = await run('project', 'create', '--name', 'Mine');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^organizationId: cog\w+\nprojectId: cpr\w+\nkeyId: cak\w+\nkey: parley_sk_\w+\n$/,
    );
  });
});

describe('key create', () => {
  const create = (...options: string[]) =>
    recordOf('key', 'create', '--project', tenant.projectId, '--name', 'Agent', ...options);

  test('creates a secret key of the scope', async () => {
    const made = await create('--scope', 'service_platform');
    expect(made).toStrictEqual({
      id: expect.stringMatching(/^cak/),
      key: expect.stringMatching(/^parley_sk_/),
    });
    const { body } = await world.rest('GET', '/v1/keys/current', { key: made['key'] });
    expect(body).toMatchObject({
      id: made['id'],
      name: 'Agent',
      keyType: 'secret',
      scope: 'service_platform',
    });
    expect(await statuses(made['key'] ?? '', tenant.projectId)).toStrictEqual({
      read: 200,
      draft: 201,
      publish: 200,
    });
  });

  test.each([
    ['read', { read: 200, draft: 403, publish: 403 }],
    ['read,draft', { read: 200, draft: 201, publish: 403 }],
    [' draft , publish ', { read: 403, draft: 201, publish: 200 }],
    ['read,draft,publish,admin,run', { read: 200, draft: 201, publish: 200 }],
  ])('creates a key with only the access of --access "%s"', async (access, wanted) => {
    const { key = '' } = await create('--scope', 'platform', '--access', access);
    expect(await statuses(key, tenant.projectId)).toStrictEqual(wanted);
  });

  test('never allows more than the scope, whatever --access says', async () => {
    const { key = '' } = await create('--scope', 'service_app', '--access', 'read,draft,publish');
    expect(await statuses(key, tenant.projectId)).toStrictEqual({ read: 200, draft: 403, publish: 403 });
  });

  test('creates publishable keys, which may not call operations', async () => {
    const { key = '' } = await create('--scope', 'platform', '--type', 'publishable');
    expect(key).toMatch(/^parley_pk_/);
    expect(await statuses(key, tenant.projectId)).toStrictEqual({ read: 403, draft: 403, publish: 403 });
  });

  test('rejects an unknown project in one line, and creates nothing', async () => {
    const count = async () => (await world.rows('select 1 from api_keys')).length;
    const before = await count();
    for (const project of [newId('project'), 'nonsense']) {
      const { code, stdout, stderr } = await run(
        'key',
        'create',
        '--project',
        project,
        '--name',
        'n',
        '--scope',
        'platform',
      );
      expect({ code, stdout, stderr }).toStrictEqual({
        code: 1,
        stdout: '',
        stderr: `parley: There is no project ${project} in this database.\n`,
      });
    }
    expect(await count()).toBe(before);
  });
});
