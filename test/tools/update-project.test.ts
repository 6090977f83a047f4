import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defineTool } from '../../src/environment/define-tool.ts';
import { newId } from '../../src/platform/id.ts';
import { toolsets as product } from '../../tools/index.ts';
import { tools } from '../contract/registry.ts';
import { type ExampleRequest, exampleRequests } from '../faults/example-requests.ts';
import { timestamp } from '../helpers/project.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

/** A stand-in for the operations that run a model. */
const tryRun = defineTool({
  name: 'try_run',
  title: 'Try a run',
  description: 'Stands for the operations that run a model.',
  rest: { method: 'POST', path: '/v1/runs' },
  input: v.strictObject({}),
  output: v.strictObject({}),
  access: 'run',
  effect: { readOnly: true, destructive: false, idempotent: true },
  handler: async () => ({}),
});

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await openWorld({ toolsets: { ...product, runs: [tryRun] } });
});
beforeEach(async () => {
  tenant = await world.tenant();
});
afterAll(() => world.close());

const read = async () =>
  (await world.rest('GET', `/v1/projects/${tenant.projectId}`, { key: tenant.key })).body;
const update = (body: unknown, key = tenant.key) =>
  world.rest('PATCH', `/v1/projects/${tenant.projectId}`, { key, body });

describe('update_project', () => {
  test.each([
    ['name', 'x'],
    ['name', 'ü'.repeat(200)],
    ['description', ''],
    ['description', 'x'.repeat(5000)],
    ['description', null],
    ['status', 'paused'],
    ['status', 'archived'],
    ['channels', []],
    ['channels', ['website']],
    ['channels', ['website', 'phone']],
    ['industry', 'health'],
    ['industry', 'x'.repeat(200)],
    ['requireDisclosure', true],
    ['sessionRetentionDays', 1],
    ['sessionRetentionDays', 365],
    ['industry', null],
    ['timeZone', 'America/New_York'],
    ['timeZone', 'Asia/Kolkata'],
    ['openingHours', null],
    ['openingHours', {}],
    ['openingHours', { monday: [{ from: '00:00', to: '24:00' }], tuesday: [] }],
    ['openingHours', { friday: [{ from: '22:00', to: '02:00' }] }],
    ['openingHours', { sunday: Array.from({ length: 10 }, () => ({ from: '09:00', to: '10:00' })) }],
    ['closedOn', []],
    ['closedOn', ['12-25', '2026-12-31', '02-29', '2028-02-29']],
  ])('sets %s and updatedAt, and keeps the rest: %#', async (member, value) => {
    await world.rows(
      `update projects set description = 'Said', industry = 'Said', updated_at = updated_at - interval '1 hour'`,
    );
    const before = await read();
    const { status, body } = await update({ [member]: value });
    expect(status).toBe(200);
    expect(body).toStrictEqual({ ...before, [member]: value, updatedAt: timestamp });
    expect(body.updatedAt > before.updatedAt).toBe(true);
    expect(await read()).toStrictEqual(body);
  });

  test.each([
    ['name', ['', 'x'.repeat(201), null, 7]],
    ['description', ['x'.repeat(5001), 7, []]],
    ['status', ['Active', 'deleted', null, '']],
    ['channels', [['sms'], ['phone', 'website', 'phone'], 'phone', null, [null]]],
    ['industry', ['x'.repeat(201), 7]],
    ['requireDisclosure', ['true', 1, null]],
    ['sessionRetentionDays', [0, 366, 1.5, '30', null]],
    ['timeZone', ['', 'Berlin', 'Europe/Nowhere', '+01:00', 'UTC+1', 'x'.repeat(65), null, 1]],
    [
      'openingHours',
      [
        [],
        'always',
        { Monday: [] },
        { monday: null },
        { monday: [{ from: '09:00' }] },
        { monday: [{ from: '9:00', to: '17:00' }] },
        { monday: [{ from: '09:00', to: '25:00' }] },
        { monday: [{ from: '24:00', to: '01:00' }] },
        { monday: [{ from: '09:00', to: '09:00' }] },
        { monday: [{ from: '09:00', to: '17:00', lunch: true }] },
        { monday: Array.from({ length: 11 }, () => ({ from: '09:00', to: '10:00' })) },
      ],
    ],
    [
      'closedOn',
      [
        ['2026-02-29'],
        ['02-30'],
        ['25-12'],
        ['2026-1-1'],
        ['christmas'],
        '12-25',
        null,
        Array(401).fill('12-25'),
      ],
    ],
    ['plan', ['enterprise']],
    ['mode', ['simple']],
    ['type', ['hotline']],
    ['id', [newId('project')]],
    ['organizationId', [newId('organization')]],
    ['createdAt', ['2000-01-01T00:00:00.000Z']],
    ['updatedAt', ['2000-01-01T00:00:00.000Z']],
  ])('rejects invalid values of %s', async (member, values) => {
    const before = await read();
    for (const value of values) {
      const { status, body } = await update({ description: 'Changed', [member]: value });
      expect([status, body.error?.code], JSON.stringify(value)).toEqual([400, 'invalid_request']);
      expect(body.error.details.issues[0].path).toMatch(new RegExp(`^/${member}`));
    }
    expect(await read()).toStrictEqual(before);
  });

  test('returns 200 and changes nothing, not even updatedAt, for an empty change', async () => {
    const before = await read();
    const { status, body } = await update({});
    expect([status, body]).toEqual([200, before]);
    expect(await read()).toStrictEqual(before);
  });

  test.each([
    ['timeZone', 'CET+1', '/timeZone', 'Europe/Berlin, America/New_York or UTC'],
    [
      'openingHours',
      { friday: [{ from: '08:00', to: '8' }] },
      '/openingHours/friday/0/to',
      '24:00, such as 17:00',
    ],
    ['openingHours', { friday: [{ from: '08:00', to: '08:00' }] }, '/openingHours/friday/0', 'to differ'],
    ['closedOn', ['12-25', '2027-02-29'], '/closedOn/1', 'There is no 2027-02-29'],
  ])('says what is wrong with %s %j', async (member, value, path, words) => {
    const { body } = await update({ [member]: value });
    expect(body.error.details.issues).toEqual([
      { in: 'body', path, message: expect.stringContaining(words) },
    ]);
  });

  test('has UTC, no opening hours and no holidays at first, and says the zone in the overview', async () => {
    expect(await read()).toMatchObject({ timeZone: 'UTC', openingHours: null, closedOn: [] });
    const change = { timeZone: 'Europe/Berlin', openingHours: { sunday: [], monday: [] } };
    expect(Object.keys((await update(change)).body.openingHours)).toEqual(['monday', 'sunday']);
    const overview = await world.rest('GET', `/v1/projects/${tenant.projectId}/overview`, {
      key: tenant.key,
    });
    expect(overview.body.project.timeZone).toBe('Europe/Berlin');
  });

  test('sets several members at once', async () => {
    const change = {
      name: 'New',
      description: 'Why',
      status: 'paused',
      channels: ['phone'],
      industry: 'law',
    };
    expect((await update(change)).body).toMatchObject(change);
  });

  test('changes each status to each other one', async () => {
    const states = ['active', 'paused', 'archived'];
    for (const from of states)
      for (const to of states) {
        expect((await update({ status: from })).body.status).toBe(from);
        expect((await update({ status: to })).body.status).toBe(to);
      }
  });

  test('returns 404 for another project, and changes neither', async () => {
    const other = await world.tenant({ organizationId: tenant.organizationId });
    expect((await update({ name: 'Mine now' }, other.key)).status).toBe(404);
    expect((await read()).name).toBe('Project');
  });

  test('requires the access admin', async () => {
    for (const options of [
      { scope: 'service_platform' },
      { access: ['read', 'run', 'draft', 'publish'] },
    ] as const) {
      const { key } = await world.key(tenant.projectId, options);
      expect((await update({ name: 'x' }, key)).status).toBe(403);
    }
  });
});

describe('a project that is not active', () => {
  const alwaysAllowed = ['revoke_key', 'update_project'];
  /** Drafts that may ask a model. */
  const mayAskModel: ReadonlySet<string> = new Set([
    'simulate_conversation',
    'save_scenarios',
    'run_scenarios',
  ]);
  const tables = ['api_keys', 'agent_profiles', 'flows', 'flow_versions', 'trash', 'audit_log'];
  const guarded = [...tools.filter(({ access }) => access !== 'none'), tryRun];

  const rowCounts = () =>
    world.rows(
      `select ${tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')}`,
    );

  /** The response of each operation in a project of this status. The requests are prepared while it is active. */
  async function answersIn(status: string, wanted: (name: string) => boolean) {
    const example = exampleRequests(world, tenant);
    const requests: [name: string, request: ExampleRequest][] = [];
    for (const tool of guarded.filter(({ name }) => wanted(name)))
      requests.push([
        tool.name,
        tool === tryRun ? { method: 'POST', route: '/v1/runs', body: undefined } : await example(tool),
      ]);
    expect((await update({ status })).status).toBe(200);
    const before = await rowCounts();
    const answers: [name: string, outcome: string][] = [];
    // Undoing would take back what the other examples have arranged.
    const inOrder = requests.toSorted(
      ([one], [other]) => Number(one === 'undo_changes') - Number(other === 'undo_changes'),
    );
    for (const [name, { method, route, body }] of inOrder) {
      const answer = await world.rest(method, route, { key: tenant.key, body });
      answers.push([name, answer.body.error?.code ?? 'ok']);
    }
    return {
      answers: Object.fromEntries(answers),
      untouched: async () => expect(await rowCounts()).toEqual(before),
    };
  }
  const expected = (outcome: (tool: (typeof guarded)[number]) => string, wanted: (name: string) => boolean) =>
    Object.fromEntries(guarded.filter(({ name }) => wanted(name)).map((tool) => [tool.name, outcome(tool)]));

  test('rejects and performs no write, but allows every read, if archived', async () => {
    const wanted = (name: string) => !alwaysAllowed.includes(name);
    const { answers, untouched } = await answersIn('archived', wanted);
    expect(answers).toEqual(
      expected(
        ({ name, effect, access }) =>
          effect.readOnly && access !== 'run' && !mayAskModel.has(name) ? 'ok' : 'forbidden',
        wanted,
      ),
    );
    await untouched();
  });

  test('allows revoke_key and update_project if archived', async () => {
    const { answers } = await answersIn('archived', (name) => alwaysAllowed.includes(name));
    expect(answers).toEqual({ revoke_key: 'ok', update_project: 'ok' });
    // The example of update_project requires disclosure.
    expect((await update({ status: 'active', requireDisclosure: false })).body.status).toBe('active');
    const flow = { name: 'Flow', flowSchema: {} };
    const route = `/v1/projects/${tenant.projectId}/flows`;
    expect((await world.rest('POST', route, { key: tenant.key, body: flow })).status).toBe(201);
  });

  test('rejects only operations that run a model or a session if paused', async () => {
    const wanted = (name: string) => name !== 'update_project';
    const { answers } = await answersIn('paused', wanted);
    expect(answers).toEqual(
      expected(
        ({ name, access }) => (access === 'run' || mayAskModel.has(name) ? 'forbidden' : 'ok'),
        wanted,
      ),
    );
  });

  test('does not affect other projects of its organization', async () => {
    const sibling = await world.tenant({ organizationId: tenant.organizationId });
    await update({ status: 'archived' });
    const flow = { name: 'Flow', flowSchema: {} };
    const route = `/v1/projects/${sibling.projectId}/flows`;
    expect((await world.rest('POST', route, { key: sibling.key, body: flow })).status).toBe(201);
    expect((await world.rest('POST', '/v1/runs', { key: sibling.key })).status).toBe(200);
  });
});
