import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/id.ts';
import { openWorld, type RestAnswer, type Tenant, type World } from '../../helpers/world.ts';
import { rawRequest } from './raw-request.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

/** Sends a path unchanged. Clients normalise paths. */
const raw = (method: string, target: string, headers: readonly string[] = []) =>
  rawRequest(world.base, [
    `${method} ${target} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    `Authorization: Bearer ${tenant.key}`,
    ...headers,
  ]);

const issuesOf = (body: RestAnswer['body']): string[] =>
  body.error.details.issues.map(({ in: place, path }: { in: string; path: string }) => `${place} ${path}`);

describe('an unknown path', () => {
  const expectNothing = async (method: string, target: string) => {
    const { status, headers, text } = await raw(method, target);
    expect({ status, type: headers.get('content-type') }, `${method} ${target}`).toStrictEqual({
      status: 404,
      type: 'application/json; charset=utf-8',
    });
    expect(JSON.parse(text)).toStrictEqual({
      error: { code: 'not_found', message: expect.any(String), requestId: headers.get('x-request-id') },
    });
  };

  test('returns 404 in JSON', async () => {
    const { projectId } = tenant;
    for (const target of [
      '/',
      '/v1',
      '/nothing',
      '/v2/projects',
      '/v1/project',
      '/v1/projects/',
      `/v1/projects/${projectId}/`,
      `/v1/projects/${projectId}/flows/`,
      `/V1/projects/${projectId}/flows`,
      `/v1/Projects/${projectId}/flows`,
      '/Healthz',
      '/healthz/',
      '//healthz',
      '/v1/../healthz',
      '/v1/%66lows',
      '/v1/flows//versions',
      `/v1/flows/${newId('flow')}/versions/x`,
      '/mcp/',
      '/MCP',
      '/%FF',
    ])
      await expectNothing('GET', target);
  });

  test('is what a known path is for a method that it does not have', async () => {
    const { projectId } = tenant;
    for (const [method, target] of [
      ['POST', '/healthz'],
      ['DELETE', `/v1/projects/${projectId}`],
      ['PUT', `/v1/projects/${projectId}/flows`],
      ['DELETE', `/v1/projects/${projectId}/flows`],
      ['POST', `/v1/flows/${newId('flow')}`],
      ['GET', `/v1/flow-versions/${newId('flowVersion')}/activate`],
      ['PATCH', '/v1/keys/current'],
      ['OPTIONS', '/healthz'],
      ['OPTIONS', '*'],
      ['TRACE', '/healthz'],
      ['PROPFIND', '/v1/projects'],
      ['QUERY', '/v1/projects'],
    ] as const)
      await expectNothing(method, target);
  });
});

test('returns 400 for a target that is not a URL', async () => {
  for (const target of ['http://[::1/', 'http://a:b:c/healthz', 'http://%/']) {
    const { status } = await raw('GET', target);
    expect([400, 404], target).toContain(status);
  }
});

describe('HEAD', () => {
  test('returns what GET returns, without the body', async () => {
    for (const target of [
      '/healthz',
      '/v1/projects',
      '/v1/flows/x',
      `/v1/flows/${newId('flow')}`,
      '/nothing',
    ]) {
      const [head, get] = [await raw('HEAD', target), await raw('GET', target)];
      const comparable = ({ status, headers }: typeof head) => [
        status,
        headers.get('content-type'),
        headers.get('content-length'),
      ];
      expect(comparable(head), target).toStrictEqual(comparable(get));
      expect(head.text).toBe('');
      expect(head.headers.get('x-request-id')).toMatch(/\S/);
    }
  });

  test('needs a key like GET', async () => {
    const statusOf = async (route: string) => (await fetch(world.base + route, { method: 'HEAD' })).status;
    expect([await statusOf('/v1/projects'), await statusOf('/healthz')]).toStrictEqual([401, 200]);
  });
});

describe('a broken percent escape', () => {
  test.each(['%FF', '%zz', '%', '%4', 'c%C3', '%ED%A0%80'])('%s in the path returns 400', async (broken) => {
    for (const [method, target] of [
      ['GET', `/v1/flows/${broken}`],
      ['DELETE', `/v1/flows/${broken}`],
      ['GET', `/v1/flows/${broken}/versions`],
      ['POST', `/v1/flow-versions/${broken}/activate`],
    ] as const) {
      const { status, text } = await raw(method, target);
      expect(status, target).toBe(400);
      expect(issuesOf(JSON.parse(text))).toStrictEqual(['params ']);
    }
  });

  test('in the query returns 400', async () => {
    for (const query of ['limit=%FF', 'cursor=%zz', 'limit=1&cursor=%', '%FF=1']) {
      const { status, text } = await raw('GET', `/v1/projects/${tenant.projectId}/flows?${query}`);
      expect(status, query).toBe(400);
      expect(issuesOf(JSON.parse(text)).every((issue) => issue.startsWith('querystring '))).toBe(true);
    }
  });

  test('does not hide other issues', async () => {
    const { text } = await raw('GET', '/v1/flows/%FF/versions?limit=0&x=1');
    expect(issuesOf(JSON.parse(text)).toSorted()).toStrictEqual([
      'params ',
      'querystring /limit',
      'querystring /x',
    ]);
  });
});

test('decodes an id in the path once, and accepts nothing but an id', async () => {
  for (const id of ['%00', 'c%2Fflows', '%63fl0000%20', '%2e%2e', `c'or'1`, '%2563fl0000']) {
    const { status, text } = await raw('GET', `/v1/flows/${id}`);
    expect(status, id).toBe(400);
    expect(issuesOf(JSON.parse(text)).every((issue) => issue === 'params /flowId')).toBe(true);
  }
  const { body: flow } = await world.rest('POST', `/v1/projects/${tenant.projectId}/flows`, {
    key: tenant.key,
    body: { name: 'F', flowSchema: {} },
  });
  expect((await raw('GET', `/v1/flows/%63${flow.id.slice(1)}`)).status).toBe(200);
});

describe('a query parameter', () => {
  const flows = () => `/v1/projects/${tenant.projectId}/flows`;

  test('that is unknown returns 400 with the known names', async () => {
    for (const [target, name, known] of [
      [flows(), 'x', 'limit, cursor'],
      [flows(), 'Limit', 'limit, cursor'],
      [flows(), 'projectId', 'limit, cursor'],
      [flows(), 'a/b~c', 'limit, cursor'],
      ['/v1/keys/current', 'limit', ''],
    ] as const) {
      const query = new URLSearchParams({ [name]: '1' });
      const { status, body } = await world.rest('GET', `${target}?${query}`, { key: tenant.key });
      expect(status).toBe(400);
      const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      expect(body.error.details.issues).toStrictEqual([
        { in: 'querystring', path, message: expect.stringContaining(known) },
      ]);
    }
  });

  test('that is unknown returns 400 for a write, and writes nothing', async () => {
    const { status, body } = await world.rest('POST', `${flows()}?dryRun=true`, {
      key: tenant.key,
      body: { name: 'Not this', flowSchema: {} },
    });
    expect({ status, issues: issuesOf(body) }).toStrictEqual({
      status: 400,
      issues: ['querystring /dryRun'],
    });
    expect(await world.rows(`select 1 from flows where name = 'Not this'`)).toStrictEqual([]);
  });

  test('that is repeated returns 400, with the same value or another', async () => {
    for (const query of [
      'limit=1&limit=2',
      'limit=1&limit=1',
      `cursor=cfl${'0'.repeat(26)}&limit=1&cursor=cfl${'1'.repeat(26)}`,
    ]) {
      const { status, body } = await world.rest('GET', `${flows()}?${query}`, { key: tenant.key });
      expect(status).toBe(400);
      expect(issuesOf(body)).toStrictEqual([`querystring /${query.split('=', 1)[0]}`]);
    }
  });

  test('may be percent-encoded', async () => {
    expect((await raw('GET', `${flows()}?%6cimit=%31`)).status).toBe(200);
    expect((await raw('GET', `${flows()}?`)).status).toBe(200);
    expect((await raw('GET', `${flows()}?&&limit=1&`)).status).toBe(200);
  });
});

test('lists all issues of path, query and body at once', async () => {
  const { status, body } = await world.rest('POST', '/v1/projects/NO/flows?limit=1&y=2', {
    key: tenant.key,
    body: { name: '', type: 'x', agentProfileId: 'nope', description: 5, other: 1 },
  });
  expect(status).toBe(400);
  expect(body.error.code).toBe('invalid_request');
  expect(issuesOf(body).toSorted()).toStrictEqual([
    'body /agentProfileId',
    'body /description',
    'body /flowSchema',
    'body /name',
    'body /other',
    'body /type',
    'params /projectId',
    'querystring /limit',
    'querystring /y',
  ]);
});
