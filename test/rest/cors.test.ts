import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openWorld, type RestAnswer, type World } from '../helpers/world.ts';
import { openWebProject, type WebProject } from '../tools/web-project.ts';
import { serveBeside } from './edge-server.ts';
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
/** What lets a page of this origin read an answer. */
const readableBy = (origin: string) => ({
  allow: origin,
  expose: 'x-request-id, retry-after',
  vary: 'Origin',
});

const ask = (route: string, headers: Record<string, string>) => world.rest('OPTIONS', route, { headers });
const question = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

test.each(['https://shop.example', 'http://localhost:3000', 'https://evil.example', 'null'])(
  'a preflight from %s is answered without a key',
  async (origin) => {
    const answer = await ask(path, { origin, ...question });
    expect(answer.status).toBe(204);
    expect(answer.body).toBe('');
    expect(headersOf(answer)).toStrictEqual(readableBy(origin));
    expect(answer.headers.get('access-control-allow-methods')).toBe('POST');
    expect(answer.headers.get('access-control-allow-headers')).toBe(
      'authorization, x-api-key, content-type, idempotency-key',
    );
    expect(answer.headers.get('access-control-max-age')).toBe('7200');
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  },
);

test('an OPTIONS that asks nothing, or stands elsewhere, is 404 as any other wrong method', async () => {
  const origin = 'https://shop.example';
  for (const answer of [
    await ask(path, { origin }),
    await ask(path, question),
    await ask('/v1/projects', { origin, ...question }),
    await ask(`${path}/agents/${webAgentId}`, { origin, ...question }),
    await ask(`${path}/`, { origin, ...question }),
    await ask('/v1/WEB-SESSIONS', { origin, ...question }),
    await world.rest('GET', path, { key: project.key, headers: { origin } }),
  ]) {
    expect(answer.status).toBe(404);
    expect(answer.body.error.code).toBe('not_found');
    expect(answer.headers.has('access-control-allow-methods')).toBe(false);
  }
});

test('no other path can be read by a page', async () => {
  const headers = { origin: 'https://shop.example' };
  for (const route of [`/v1/projects/${project.projectId}`, '/healthz', '/v1/projects', `${path}/agents/x`]) {
    const answer = await world.rest('GET', route, { key: project.key, headers });
    expect(headersOf(answer)).toStrictEqual({ allow: null, expose: null, vary: null });
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
])('a page can read the answer %i %s', async (status, code, request) => {
  const answer = await request();
  expect({ status: answer.status, code: answer.body.error?.code ?? '' }).toStrictEqual({ status, code });
  const asked = status === 403 ? 'https://evil.example' : origin;
  expect(headersOf(answer)).toStrictEqual(readableBy(asked));
  if (status !== 201) expect(answer.headers.get('x-request-id')).toBe(answer.body.error.requestId);
});

test('a page can read that the database is down, and when to try again', async () => {
  await world.rows(`create function refuse() returns trigger language plpgsql as $$
    begin raise exception using errcode = '53300'; end $$`);
  await world.rows(`create trigger refuse before insert on audit_log execute function refuse()`);
  try {
    const answer = await post({ webAgentId }, project.publishableKey);
    expect({ status: answer.status, code: answer.body.error.code }).toStrictEqual({
      status: 500,
      code: 'internal_error',
    });
    expect(headersOf(answer)).toStrictEqual(readableBy(origin));
    expect(answer.headers.get('retry-after')).toBe('1');
  } finally {
    await world.rows('drop trigger refuse on audit_log');
  }
});

test('an answer without an origin says only that it would differ with one', async () => {
  const answer = await project.startSession({ webAgentId });
  expect(headersOf(answer)).toStrictEqual({ allow: null, expose: null, vary: 'Origin' });
});

test('a page can read that its request was malformed or took too long, once its headers were there', async () => {
  const { port, close } = await serveBeside(world, {
    headersTimeout: 300,
    requestTimeout: 300,
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
