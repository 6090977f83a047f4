import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openWebProject, type WebProject } from '../../helpers/web-project.ts';
import { openWorld, type RestAnswer, type World } from '../../helpers/world.ts';
import { openSecondServer } from './edge-server.ts';
import { exchangeRaw } from './raw-socket.ts';

let world: World;
let project: WebProject;
let webAgentId: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openWebProject(world);
  webAgentId = await project.newWebAgent({ allowedOrigins: ['https://shop.example'] });
});
afterAll(() => world.close());

const path = '/v1/web-sessions';
const headersOf = ({ headers }: RestAnswer) => ({
  allow: headers.get('access-control-allow-origin'),
  expose: headers.get('access-control-expose-headers'),
  vary: headers.get('vary'),
});
/** The headers that let a page of this origin read a response. */
const readableBy = (origin: string) => ({
  allow: origin,
  expose: 'x-request-id, retry-after, ratelimit, ratelimit-policy',
  vary: 'Origin',
});

const preflight = (route: string, headers: Record<string, string>) =>
  world.rest('OPTIONS', route, { headers });
const preflightHeaders = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

test.each(['https://shop.example', 'http://localhost:3000', 'https://evil.example', 'null'])(
  'a preflight from %s needs no key',
  async (origin) => {
    const response = await preflight(path, { origin, ...preflightHeaders });
    expect(response.status).toBe(204);
    expect(response.body).toBe('');
    expect(headersOf(response)).toStrictEqual(readableBy(origin));
    expect(response.headers.get('access-control-allow-methods')).toBe('POST');
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'authorization, x-api-key, content-type, idempotency-key',
    );
    expect(response.headers.get('access-control-max-age')).toBe('7200');
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  },
);

test('returns 404 for an OPTIONS that is not a preflight, or on another path', async () => {
  const origin = 'https://shop.example';
  for (const response of [
    await preflight(path, { origin }),
    await preflight(path, preflightHeaders),
    await preflight('/v1/projects', { origin, ...preflightHeaders }),
    await preflight(`${path}/agents/${webAgentId}`, { origin, ...preflightHeaders }),
    await preflight(`${path}/`, { origin, ...preflightHeaders }),
    await preflight('/v1/WEB-SESSIONS', { origin, ...preflightHeaders }),
    await world.rest('GET', path, { key: project.key, headers: { origin } }),
  ]) {
    expect(response.status).toBe(404);
    expect(response.body.error.code).toBe('not_found');
    expect(response.headers.has('access-control-allow-methods')).toBe(false);
  }
});

test('a page cannot read any other path', async () => {
  const headers = { origin: 'https://shop.example' };
  for (const route of [`/v1/projects/${project.projectId}`, '/healthz', '/v1/projects', `${path}/agents/x`]) {
    const response = await world.rest('GET', route, { key: project.key, headers });
    expect(headersOf(response)).toStrictEqual({ allow: null, expose: null, vary: null });
  }
});

const origin = 'https://shop.example';
const post = (body: unknown, key: string | undefined, headers: Record<string, string> = {}) =>
  world.rest('POST', path, { key, body, headers: { origin, ...headers } });

test.each<[status: number, code: string, request: () => Promise<RestAnswer>]>([
  [401, 'unauthorized', () => post({ webAgentId }, undefined)],
  [401, 'unauthorized', () => post({ webAgentId }, `${project.key}x`)],
  [403, 'forbidden', () => post({ webAgentId }, project.publishableKey, { origin: 'https://evil.example' })],
  [413, 'payload_too_large', () => post(' '.repeat(262_145), project.key)],
  [400, 'invalid_request', () => post('{', project.key)],
  [400, 'invalid_request', () => post({}, project.key)],
  [400, 'invalid_request', () => post({ webAgentId }, project.key, { 'content-type': 'text/plain' })],
  [400, 'invalid_request', () => post({ webAgentId, mode: 'video' }, project.key)],
  [404, 'not_found', () => post({ webAgentId: project.projectId }, project.key)],
  [404, 'not_found', () => world.rest('GET', path, { key: project.key, headers: { origin } })],
  [201, '', () => post({ webAgentId }, project.publishableKey)],
])('a page can read the response %i %s', async (status, code, request) => {
  const response = await request();
  expect({ status: response.status, code: response.body.error?.code ?? '' }).toStrictEqual({ status, code });
  const sender = status === 403 ? 'https://evil.example' : origin;
  expect(headersOf(response)).toStrictEqual(readableBy(sender));
  if (status !== 201) expect(response.headers.get('x-request-id')).toBe(response.body.error.requestId);
});

test('a page can read that the database is down, and when to retry', async () => {
  await world.rows(`create function refuse() returns trigger language plpgsql as $$
    begin raise exception using errcode = '53300'; end $$`);
  await world.rows(`create trigger refuse before insert on audit_log execute function refuse()`);
  try {
    const response = await post({ webAgentId }, project.publishableKey);
    expect({ status: response.status, code: response.body.error.code }).toStrictEqual({
      status: 500,
      code: 'internal_error',
    });
    expect(headersOf(response)).toStrictEqual(readableBy(origin));
    expect(response.headers.get('retry-after')).toBe('1');
  } finally {
    await world.rows('drop trigger refuse on audit_log');
  }
});

test('a response without an origin only varies by origin', async () => {
  const response = await project.startSession({ webAgentId });
  expect(headersOf(response)).toStrictEqual({ allow: null, expose: null, vary: 'Origin' });
});

test('a page can read that its request was malformed or too slow after its headers arrived', async () => {
  const { port, close } = await openSecondServer(world, {
    headersTimeout: 300,
    bodyTimeout: 300,
    connectionsCheckingInterval: 50,
  });
  const head = (more: string) =>
    `POST ${path} HTTP/1.1\r\nHost: h\r\nOrigin: ${origin}\r\nAuthorization: Bearer ${project.key}\r\n${more}\r\n`;
  try {
    for (const sent of [
      head('Content-Type: application/json\r\nContent-Length: 10\r\n'),
      head('Transfer-Encoding: gzip, chunked\r\n'),
      head('Host: another\r\n'),
    ]) {
      const { answers } = await exchangeRaw(port, [sent], { answers: 1 });
      expect(answers.map(({ status }) => status)).toEqual([400]);
      expect(answers[0]?.headers.get('access-control-allow-origin'), sent).toEqual([origin]);
      expect(answers[0]?.headers.get('vary')).toEqual(['Origin']);
    }
  } finally {
    close();
  }
});
