import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { describeError } from '../../../src/platform/log.ts';
import { mintKey } from '../../../src/resources/keys/key.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';
import { exchangeRaw, type RawExchange } from './raw-socket.ts';

interface Line extends Record<string, unknown> {
  readonly msg: string;
  readonly requestId?: string;
}

const written: string[] = [];
const lines = () => written.map((line) => JSON.parse(line) as Line);
/** Stands for every value of a request that must not be logged. */
const marker = 'zq7marker';
const unknownKey = mintKey('secret').text;

let world: World;
let tenant: Tenant;
let reader: string;
let flowId: string;
const secrets: string[] = [marker, unknownKey, 'Bearer'];

beforeAll(async () => {
  const log = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    { write: (line: string) => void written.push(line) },
  );
  world = await openWorld({ log });
  tenant = await world.tenant();
  reader = (await world.key(tenant.projectId, { access: ['read'] })).key;
  secrets.push(tenant.key, reader);
  const body = { name: `Flow ${marker}`, flowSchema: { greeting: marker } };
  flowId = (await call('POST', `/v1/projects/${tenant.projectId}/flows`, { body })).body.id;
});
afterAll(() => world?.close());

function call(method: string, route: string, options: Parameters<World['rest']>[2] = {}) {
  return world.rest(method, route, { key: tenant.key, ...options });
}

/** Returns the log lines of one request after the last one is written. */
async function linesOf(requestId: string | null | undefined): Promise<Line[]> {
  const own = () => lines().filter((line) => line.requestId === requestId);
  await vi.waitFor(() => expect(own().map(({ msg }) => msg)).toContain('request'));
  return own();
}

async function requestLine(requestId: string | null | undefined): Promise<Line> {
  const requests = (await linesOf(requestId)).filter(({ msg }) => msg === 'request');
  expect(requests).toHaveLength(1);
  return requests[0] as Line;
}

const flows = '/v1/projects/{projectId}/flows';
const flow = '/v1/flows/{flowId}';
const seen: [
  name: string,
  method: string,
  target: () => string,
  options: () => Parameters<World['rest']>[2],
  status: number,
  route: string,
][] = [
  ['a listing', 'GET', () => listing(), () => ({}), 200, flows],
  ['a creation', 'POST', () => listing(), () => ({ body: { name: marker, flowSchema: {} } }), 201, flows],
  ['a refused body', 'POST', () => listing(), () => ({ body: { name: 1, [marker]: marker } }), 400, flows],
  ['a body that is not JSON', 'POST', () => listing(), () => ({ body: `{"${marker}` }), 400, flows],
  ['a refused query', 'GET', () => `${listing()}?limit=${marker}`, () => ({}), 400, flows],
  ['a refused id', 'GET', () => `/v1/flows/${marker}%00`, () => ({}), 400, flow],
  ['a missing key', 'GET', () => listing(), () => ({ key: undefined }), 401, flows],
  ['an unknown key', 'GET', () => listing(), () => ({ key: unknownKey }), 401, flows],
  ['a malformed key', 'GET', () => listing(), () => ({ key: marker }), 401, flows],
  ['a key without the access', 'DELETE', () => `/v1/flows/${flowId}`, () => ({ key: reader }), 403, flow],
  ['a missing record', 'GET', () => `/v1/flows/c${marker}`, () => ({}), 404, flow],
  ['an unknown path', 'GET', () => `/v1/${marker}?${marker}`, () => ({}), 404, 'none'],
  ['a body too large', 'POST', () => listing(), () => ({ body: marker.repeat(40_000) }), 413, flows],
  ['a health check', 'GET', () => '/healthz', () => ({ key: undefined }), 200, '/healthz'],
  ['a request to the MCP endpoint', 'GET', () => `/mcp?${marker}`, () => ({ key: reader }), 400, '/mcp'],
];

const listing = () => `/v1/projects/${tenant.projectId}/flows`;

test.each(seen)('%s logs one line', async (_name, method, target, options, status, route) => {
  const chosen = options() ?? {};
  const answer = await call(method, target(), chosen);
  expect(answer.status).toBe(status);
  const line = await requestLine(answer.headers.get('x-request-id'));
  const known = 'key' in chosen && chosen.key !== reader ? {} : { projectId: tenant.projectId };
  expect(line).toMatchObject({
    method,
    route,
    status,
    ms: expect.any(Number),
    ...(route.includes('{') && known),
  });
  expect(line['ms']).toBeLessThan(5_000);
  if (route.includes('{') && !('key' in chosen)) expect(line).toMatchObject({ keyId: tenant.keyId });
  else if (!('key' in chosen && chosen.key === reader)) expect(line).not.toHaveProperty('keyId');
});

const head = 'GET /healthz HTTP/1.1\r\n';
const start = () =>
  `POST ${listing()} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n`;
const unseen: [name: string, pieces: () => string[], status: number, route: string][] = [
  ['garbage', () => [`${marker}\r\n\r\n`], 404, 'none'],
  ['a bad header', () => [`${head}${marker}\r\n\r\n`], 400, 'none'],
  ['CONNECT', () => [`CONNECT ${marker}:1 HTTP/1.1\r\n\r\n`], 404, 'none'],
  ['an unknown Expect', () => [`${head}Host: h\r\nExpect: ${marker}\r\n\r\n`], 400, 'none'],
  ['a bad Host', () => [`${head}Host: ${marker}@h\r\n\r\n`], 400, 'none'],
  ['a bad target', () => [`GET http://[${marker}/ HTTP/1.1\r\nHost: h\r\n\r\n`], 400, 'none'],
  ['a bad chunk', () => [`${start()}Transfer-Encoding: chunked\r\n\r\n`, `${marker}\r\n`], 400, flows],
  ['the OpenAPI document', () => ['GET /openapi.json HTTP/1.1\r\nHost: h\r\n\r\n'], 200, '/openapi.json'],
  ['HEAD', () => [`${head}Host: h\r\nConnection: close\r\n\r\n`.replace('GET', 'HEAD')], 200, '/healthz'],
];

test.each(unseen)('%s logs one line with the id of its response', async (name, pieces, status, route) => {
  const before = lines().filter(({ msg }) => msg === 'request').length;
  const { answers } = await send(pieces(), name === 'HEAD');
  expect(answers.map((answer) => answer.status)).toEqual([status]);
  const line = await requestLine(answers[0]?.headers.get('x-request-id')?.[0]);
  expect(line).toMatchObject({ route, status, ms: expect.any(Number) });
  // The line of a later request is written after all lines of this one.
  await requestLine((await world.rest('GET', '/healthz')).headers.get('x-request-id'));
  expect(lines().filter(({ msg }) => msg === 'request')).toHaveLength(before + 2);
});

function send(pieces: string[], bodiless = false): Promise<RawExchange> {
  return exchangeRaw(Number(new URL(world.base).port), pieces, { answers: 1, gap: 30, bodiless });
}

test('a client that leaves before its response logs one line with status 499', async () => {
  const before = lines().length;
  await exchangeRaw(Number(new URL(world.base).port), [`${start()}Content-Length: 99\r\n\r\n{`], {
    deadline: 100,
    reset: true,
  });
  const more = () =>
    lines()
      .slice(before)
      .filter(({ msg }) => msg === 'request');
  await vi.waitFor(() => expect(more()).not.toEqual([]));
  await requestLine((await world.rest('GET', '/healthz')).headers.get('x-request-id'));
  expect(more()).toHaveLength(2);
  expect(more()[0]).toMatchObject({ msg: 'request', method: 'POST', route: flows, status: 499 });
});

test('a refusal that may be an attack logs a security event', async () => {
  const stranger = await world.tenant();
  const events = async (method: string, route: string, options: Parameters<World['rest']>[2] = {}) => {
    const { headers } = await call(method, route, options);
    return (await linesOf(headers.get('x-request-id'))).filter(({ msg }) => msg === 'security event');
  };
  const address = '127.0.0.1';
  const { projectId, keyId } = tenant;
  expect(await events('GET', listing(), { key: undefined })).toMatchObject([
    { event: 'unauthorized', level: 40, tool: 'list_flows', address },
  ]);
  expect(await events('DELETE', `/v1/flows/${flowId}`, { key: reader })).toMatchObject([
    { event: 'forbidden', tool: 'delete_flow', address, projectId },
  ]);
  expect(await events('GET', `/v1/projects/${stranger.projectId}/flows`)).toMatchObject([
    { event: 'not_found', tool: 'list_flows', address, projectId, keyId },
  ]);
  expect(await events('GET', '/v1/flows/cflaaaaaaaa')).toMatchObject([
    { event: 'not_found', projectId, keyId },
  ]);
  expect(await events('GET', '/v1/nowhere')).toEqual([]);
  expect(await events('GET', listing())).toEqual([]);
  expect(await events('POST', listing(), { body: {} })).toEqual([]);
});

test('no line contains a minted key, an idempotency key or a value that the database quotes', async () => {
  const headers = { 'idempotency-key': `once-${marker}` };
  const mint = () =>
    call('POST', `/v1/projects/${tenant.projectId}/keys`, {
      headers,
      body: { keyType: 'publishable', name: marker },
    });
  const minted = await mint();
  expect(minted.status).toBe(201);
  secrets.push(minted.body.key);
  await expect(mint()).resolves.toMatchObject({
    status: 409,
    body: { error: { code: 'secret_shown_once' } },
  });
  // Postgres quotes the failed row in the detail of its error.
  await world.rows(`alter table flows add constraint refused check (name not like '%${marker}%') not valid`);
  const failed = await call('POST', listing(), { headers, body: { name: marker, flowSchema: {} } });
  await world.rows('alter table flows drop constraint refused');
  expect(failed.status).toBe(500);
  const [cause] = (await linesOf(failed.headers.get('x-request-id'))).filter(({ level }) => level === 50);
  expect(cause).toMatchObject({ msg: 'request failed', code: '23514', err: { constraint: 'refused' } });
  await world.rows(`create function refuse() returns trigger language plpgsql as
    'begin raise exception ''%'', new.name; end'`);
  await world.rows('create trigger refused before insert on flows for each row execute function refuse()');
  const quoted = await call('POST', listing(), { headers, body: { name: marker, flowSchema: {} } });
  await world.rows('drop function refuse cascade');
  expect(quoted.status).toBe(500);
  await requestLine(quoted.headers.get('x-request-id'));
  for (const secret of secrets) expect(written.filter((line) => line.includes(secret))).toEqual([]);
});

test('every line is a JSON object with its time in UTC', () => {
  expect(written.length).toBeGreaterThan(30);
  for (const line of written) expect(line).toMatch(/^\{[^\n]*\}\n$/);
  for (const line of lines())
    expect(line).toMatchObject({ level: expect.any(Number), time: expect.stringMatching(/^\d{4}-.*Z$/) });
});
