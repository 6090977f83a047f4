import { createHmac, hkdfSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  desk,
  openSessionProject,
  type SessionProject,
  type Visit,
  visitOf,
} from '../../helpers/session-project.ts';
import { openTestCore, openWorld, type World } from '../../helpers/world.ts';

const origin = 'https://shop.example';
/** The secret of the tests' servers, and the key that follows from it. */
const secret = 'a secret key of the tests';
const keyOf = (text: string) => Buffer.from(hkdfSync('sha256', text, 'parley', 'session token key', 32));

let world: World;
let project: SessionProject;
let webAgentId: string;
beforeAll(async () => {
  world = await openWorld({ models: undefined });
  project = await openSessionProject(world);
  webAgentId = await project.agentOf(desk, { allowedOrigins: [origin, 'https://other.example'] });
});
afterAll(() => world.close());

const statusOf = async (visit: Visit, body: unknown = { start: true }) =>
  (await visit.request('POST', '/messages', body)).status;
const claimsOf = (token: string) => jwt.decode(token) as jwt.JwtPayload;
const signed = (claims: object, key: Buffer | string = keyOf(secret), options: jwt.SignOptions = {}) =>
  jwt.sign(claims, key, { algorithm: 'HS256', ...options });

test('a token names its session, version and origin, and is valid for ten minutes', async () => {
  const { status, body } = await project.startSession(
    { webAgentId },
    { key: project.publishableKey, origin },
  );
  expect(status).toBe(201);
  expect(Object.keys(body).toSorted()).toEqual(['expiresAt', 'roomUrl', 'token']);
  const claims = jwt.verify(body.token, keyOf(secret), { algorithms: ['HS256'] }) as jwt.JwtPayload;
  expect(claims).toEqual({
    iss: 'parley',
    aud: 'web-session',
    sub: body.roomUrl.split('/').at(-1),
    exp: new Date(body.expiresAt).getTime() / 1000,
    projectId: project.projectId,
    conversationId: expect.stringMatching(/^ccv/),
    version: 1,
    webAgentId,
    channel: 'chat',
    origin,
  });
  const seconds = Number(claims.exp) - Date.now() / 1000;
  expect(seconds).toBeGreaterThan(590);
  expect(seconds).toBeLessThanOrEqual(601);
});

describe('is refused with 401', () => {
  test('a token that is missing, changed, unsigned, or signed by another key or for something else', async () => {
    const { token, roomUrl } = await project.visit(webAgentId, origin);
    const claims = claimsOf(token);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = encoded({ alg: 'none' });
    const rs = encoded({ alg: 'RS256' });
    const raised = encoded({ ...claims, version: 2 });
    for (const forged of [
      '',
      'x',
      `${header}.${payload}.`,
      `${header}.${raised}.${signature}`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${rs}.${payload}.${createHmac('sha256', keyOf(secret)).update(`${rs}.${payload}`).digest('base64url')}`,
      signed(claims, secret),
      signed(claims, keyOf('another secret')),
      signed({ ...claims, aud: 'other' }),
      signed({ ...claims, iss: 'other' }),
      jwt.sign(claims, keyOf(secret), { algorithm: 'HS512' }),
      project.key,
      project.publishableKey,
    ])
      expect(await statusOf(visitOf(roomUrl, forged, origin)), forged).toBe(401);
    expect(await world.rows('select 1 from sessions where web_agent_id = $1', [webAgentId])).toEqual([]);
    expect(await statusOf(visitOf(roomUrl, token, origin))).toBe(200);
  });

  test('a token that starts its session too late', async () => {
    const { token, roomUrl } = await project.visit(webAgentId, origin);
    const late = signed({ ...claimsOf(token), exp: Math.floor(Date.now() / 1000) - 1 });
    const visit = visitOf(roomUrl, late, origin);
    expect(await statusOf(visit)).toBe(401);
    expect((await visit.request('GET', '')).status).toBe(401);
    expect((await visit.request('POST', '/end', {})).status).toBe(401);
  });
});

test('a session that has started keeps its token after ten minutes', async () => {
  const { token, roomUrl } = await project.visit(webAgentId, origin);
  await visitOf(roomUrl, token, origin).start();
  const old = signed({ ...claimsOf(token), exp: Math.floor(Date.now() / 1000) - 3_600 });
  const visit = visitOf(roomUrl, old, origin);
  expect((await visit.say('Book a table')).at(-1)).toEqual({ event: 'done', turn: 1 });
  expect((await visit.show()).status).toBe('open');
});

test('a token opens only its own session, and is not a key', async () => {
  const [one, other] = [await project.visit(webAgentId, origin), await project.visit(webAgentId, origin)];
  await other.start();
  const mixed = visitOf(other.roomUrl, one.token, origin);
  for (const [method, path, body] of [
    ['POST', '/messages', { start: true }],
    ['POST', '/messages', { text: 'Hello', messageId: 'm' }],
    ['GET', '', undefined],
    ['POST', '/end', {}],
  ] as const)
    expect((await mixed.request(method, path, body)).status).toBe(404);
  expect((await world.rest('GET', '/v1/projects', { key: one.token })).status).toBe(401);
});

test('a session is used from the origin that started it, and from no other', async () => {
  const { token, roomUrl } = await project.visit(webAgentId, origin);
  const own = visitOf(roomUrl, token, origin);
  await own.start();
  for (const from of ['https://other.example', 'https://evil.example', 'null', `${origin}.evil.example`])
    for (const [method, path, body] of [
      ['POST', '/messages', { text: 'Hello', messageId: 'm' }],
      ['GET', '', undefined],
      ['POST', '/end', {}],
    ] as const) {
      const response = await visitOf(roomUrl, token, from).request(method, path, body);
      expect(response.status, `${method} ${path} from ${from}`).toBe(403);
    }
  expect(await statusOf(visitOf(roomUrl, token), { text: 'Hello', messageId: 'm' })).toBe(403);
  expect((await own.show()).turns).toHaveLength(1);
});

test('a page of any origin reads every response, errors included, and asks before it sends', async () => {
  const { roomUrl, token } = await project.visit(webAgentId, origin);
  for (const [path, method] of [
    ['', 'GET'],
    ['/messages', 'POST'],
    ['/end', 'POST'],
  ] as const) {
    const preflight = await fetch(roomUrl + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-methods')).toBe(method);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
  }
  const refused = await visitOf(roomUrl, token, 'https://evil.example').request('GET', '');
  expect(refused.headers.get('access-control-allow-origin')).toBe('https://evil.example');
});

test('a token that was used before is refused once the time to start is over', async () => {
  const { token, roomUrl } = await project.visit(webAgentId, origin);
  const visit = visitOf(roomUrl, token, origin);
  expect((await visit.show()).status).toBe('waiting');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
  try {
    expect(await statusOf(visit)).toBe(401);
  } finally {
    vi.useRealTimers();
  }
});

test('another secret key signs, and tokens of the one before it stay valid', async () => {
  const { token, roomUrl } = await project.visit(webAgentId, origin);
  for (const [secrets, opens] of [
    [['a new secret of the tests', secret], true],
    [['a new secret of the tests'], false],
  ] as const) {
    const core = await openTestCore(world.databaseUrl, { secrets });
    try {
      expect((await core.runtime.openSessionToken(token)) !== undefined).toBe(opens);
      const minted = await core.runtime.services.mintSession(
        {
          projectId: project.projectId,
          conversationId: 'c',
          version: 1,
          webAgentId,
          channel: 'chat',
          origin: null,
        },
        new Date(),
      );
      expect(await statusOf(visitOf(roomUrl, minted.token))).toBe(401);
    } finally {
      await core.close();
    }
  }
});

test('a visitor who sends too much waits, and others do not', async () => {
  const limited = await openWorld({
    models: undefined,
    rateLimits: { session: { requests: 3, seconds: 600 } },
  });
  try {
    const own = await openSessionProject(limited);
    const agent = await own.agentOf(desk);
    const [one, other] = [await own.visit(agent), await own.visit(agent)];
    const statuses: number[] = [];
    for (let sent = 0; sent < 5; sent++) statuses.push((await one.request('GET', '')).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await one.request('POST', '/messages', { start: true });
    expect(refused.headers.get('ratelimit-policy')).toContain('"session";q=3;w=600');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await other.start()).at(-1)).toEqual({ event: 'done', turn: 0 });
  } finally {
    await limited.close();
  }
});
