import jwt from 'jsonwebtoken';
import { TokenVerifier } from 'livekit-server-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { newId } from '../../src/platform/id.ts';
import { liveKitRooms } from '../../src/services/livekit.ts';
import { created, refused, renamed } from '../helpers/design-project.ts';
import { claimsOf, openWebProject, sessionClaimsOf, type WebProject } from '../helpers/web-project.ts';
import { liveKit, openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: WebProject;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openWebProject(world);
});
afterAll(() => world.close());

const origin = 'https://www.example.com';
const seconds = (time: string | number) => new Date(time).getTime() / 1000;
const metadataOf = (claims: { roomConfig?: unknown }) =>
  JSON.parse((claims.roomConfig as { metadata: string }).metadata);

describe('the token', () => {
  test('joins one unguessable room for ten minutes with its own identity, and expiresAt is its exp', async () => {
    const conversationId = await project.newConversation();
    const webAgentId = await project.newWebAgent({ conversationId });
    const answer = await project.startSession({ webAgentId });
    expect(Object.keys(answer.body).toSorted()).toEqual(['expiresAt', 'roomUrl', 'token']);
    expect(answer.body.roomUrl).toBe(liveKit.url);
    const claims = await claimsOf(answer);
    expect(seconds(answer.body.expiresAt)).toBe(claims.exp);
    expect(answer.body.expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
    expect(Number(claims.exp) - Number(claims.nbf)).toBeGreaterThanOrEqual(599);
    expect(Number(claims.exp) - Number(claims.nbf)).toBeLessThanOrEqual(601);
    expect(claims.iss).toBe(liveKit.apiKey);
    expect(claims.sub).toMatch(/^web-[0-9a-f]{32}$/);
    expect(claims.video?.room).toMatch(/^room-[0-9a-f]{32}$/);
    expect(metadataOf(claims)).toStrictEqual({ webAgentId, conversationId, version: 1, mode: 'voice' });
    const other = await claimsOf(await project.startSession({ webAgentId }));
    expect(other.video?.room).not.toBe(claims.video?.room);
    expect(other.sub).not.toBe(claims.sub);
  });

  test('allows a voice session to speak, to listen and to send data', async () => {
    const webAgentId = await project.newWebAgent();
    const { video } = await claimsOf(await project.startSession({ webAgentId, mode: 'voice' }));
    expect(video).toStrictEqual({
      room: expect.stringMatching(/^room-/),
      roomJoin: true,
      canPublish: true,
      canPublishSources: ['microphone'],
      canSubscribe: true,
      canPublishData: true,
    });
  });

  test('is invalid with another secret, issuer or algorithm, and after it expires', async () => {
    const { token } = (await project.startSession({ webAgentId: await project.newWebAgent() })).body;
    const [header, payload, signature] = token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toStrictEqual({ alg: 'HS256' });
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const verifier = new TokenVerifier(liveKit.apiKey, liveKit.apiSecret);
    for (const forged of [`${none}.${payload}.`, `${none}.${payload}.${signature}`, `${header}.${payload}.`])
      await expect(verifier.verify(forged)).rejects.toThrow(/alg|signature/i);
    await expect(new TokenVerifier(liveKit.apiKey, 'another').verify(token)).rejects.toThrow(/signature/);
    await expect(new TokenVerifier('another', liveKit.apiSecret).verify(token)).rejects.toThrow(/iss/);
    const clockTimestamp = Math.floor(Date.now() / 1000) + 602;
    expect(() => jwt.verify(token, liveKit.apiSecret, { clockTimestamp })).toThrow('jwt expired');
  });

  test('expires by the database clock if the host is behind, and is refused if the host is far ahead', async () => {
    const { open } = liveKitRooms(liveKit);
    const purpose = {
      projectId: 'p',
      webAgentId: '',
      conversationId: '',
      version: 1,
      mode: 'voice',
    } as const;
    for (const skew of [0, 45_000, -30_000, -3_600_000]) {
      const now = new Date(Date.now() - skew);
      const { token, expiresAt } = await open(purpose, now);
      expect(Math.abs(seconds(expiresAt) - seconds(now.getTime()) - 600)).toBeLessThanOrEqual(1.5);
      expect((jwt.decode(token) as { exp: number }).exp).toBe(seconds(expiresAt));
    }
    await expect(open(purpose, new Date(Date.now() - 3_600_000))).rejects.toThrow('3600 s ahead');
  });
});

describe('the version', () => {
  test('is the one that was active when the session began, even if another is activated later', async () => {
    const conversationId = await project.newConversation();
    const webAgentId = await project.newWebAgent({ conversationId });
    const version = async () =>
      metadataOf(await claimsOf(await project.startSession({ webAgentId }))).version;
    created(await project.write(conversationId, renamed(starterDesign, 'Second')));
    expect(await version()).toBe(1);
    await project.activate(conversationId, 2);
    expect(await version()).toBe(2);
    await project.activate(conversationId, 1);
    expect(await version()).toBe(1);
  });

  test('is its number for a conversation of kind simple and for a hidden design', async () => {
    const simple = created(await project.create({ kind: 'simple' })).id;
    const imported = await project.newConversation();
    await project.store(imported, 1, { schemaVersion: 'cd/1', steps: { survey: { kind: 'npsSurvey' } } });
    for (const conversationId of [simple, imported]) {
      const webAgentId = await project.newWebAgent({ conversationId });
      const claims = await claimsOf(await project.startSession({ webAgentId }));
      expect(metadataOf(claims)).toMatchObject({ conversationId, version: 1 });
    }
  });
});

describe('the mode', () => {
  test.for([
    [['voice'], undefined, 'voice'],
    [['chat', 'voice'], undefined, 'voice'],
    [['chat'], undefined, 'chat'],
    [['chat', 'voice'], 'chat', 'chat'],
    [['voice'], 'chat', 400],
    [['chat'], 'voice', 400],
    [['voice', 'chat'], 'video', 400],
    [['voice', 'chat'], null, 400],
  ] as const)('with the scopes %j and the requested mode %j is %j', async ([scopes, mode, expected]) => {
    const webAgentId = await project.newWebAgent({ scopes });
    const answer = await project.startSession({ webAgentId, ...(mode !== undefined && { mode }) });
    if (expected === 400) {
      const { issues } = refused(answer, 400, 'invalid_request').details;
      expect(issues).toMatchObject([{ in: 'body', path: '/mode' }]);
    } else if (expected === 'chat') expect(sessionClaimsOf(answer)['channel']).toBe('chat');
    else expect(metadataOf(await claimsOf(answer)).mode).toBe(expected);
  });
});

describe('a session is refused', () => {
  test('with 404 for a web agent that is missing or belongs to another project', async () => {
    const foreign = await (await openWebProject(world)).newWebAgent();
    for (const webAgentId of [newId('webAgent'), foreign, await project.newConversation()])
      for (const key of [project.key, project.publishableKey])
        refused(await project.startSession({ webAgentId }, { key, origin }), 404, 'not_found');
  });

  test('with 403 for a disabled web agent, for every key', async () => {
    const webAgentId = await project.newWebAgent({ allowedOrigins: [origin] });
    await project.call('PATCH', `/v1/web-sessions/agents/${webAgentId}`, { status: 'disabled' });
    for (const key of [project.key, project.publishableKey])
      refused(await project.startSession({ webAgentId }, { key, origin }), 403, 'forbidden');
    await project.call('PATCH', `/v1/web-sessions/agents/${webAgentId}`, { status: 'active' });
    await claimsOf(await project.startSession({ webAgentId }, { key: project.publishableKey, origin }));
  });

  test.for(['paused', 'archived'])('with 403 in a project that is %s', async (status) => {
    const webAgentId = await project.newWebAgent({ allowedOrigins: [origin] });
    await world.rows('update projects set status = $1 where id = $2', [status, project.projectId]);
    for (const key of [project.key, project.publishableKey])
      refused(await project.startSession({ webAgentId }, { key, origin }), 403, 'forbidden');
  });

  test('in the order origin, disabled web agent, mode', async () => {
    const webAgentId = await project.newWebAgent({ scopes: ['chat'], allowedOrigins: [origin] });
    const message = async (from: string) => {
      const request = { key: project.publishableKey, origin: from };
      const { status, body } = await project.startSession({ webAgentId, mode: 'voice' }, request);
      return `${status} ${body.error.message}`;
    };
    expect(await message(origin)).toMatch(/^400 .*chat only/);
    await project.call('PATCH', `/v1/web-sessions/agents/${webAgentId}`, { status: 'disabled' });
    expect(await message(origin)).toMatch(/^403 .*disabled/);
    expect(await message('https://evil.example')).toMatch(/^403 .*origin/);
  });
});

describe('a publishable key', () => {
  test('cannot call any other operation', async () => {
    const webAgentId = await project.newWebAgent({ allowedOrigins: [origin] });
    const headers = { origin };
    const key = project.publishableKey;
    for (const [method, route] of [
      ['GET', `/v1/web-sessions/agents/${webAgentId}`],
      ['DELETE', `/v1/web-sessions/agents/${webAgentId}`],
      ['GET', `/v1/projects/${project.projectId}/web-sessions/agents`],
      ['GET', '/v1/keys/current'],
      ['GET', '/v1/projects'],
    ] as const)
      refused(await world.rest(method, route, { key, headers }), 403, 'forbidden');
    await claimsOf(await project.startSession({ webAgentId }, { key, origin }));
  });

  test('starts no session if it is revoked', async () => {
    const webAgentId = await project.newWebAgent({ allowedOrigins: [origin] });
    const { key, keyId } = await world.key(project.projectId, { type: 'publishable' });
    await claimsOf(await project.startSession({ webAgentId }, { key, origin }));
    await project.call('POST', `/v1/keys/${keyId}/revoke`);
    refused(await project.startSession({ webAgentId }, { key, origin }), 401, 'unauthorized');
  });
});

test('an Idempotency-Key joins no visitors: each request starts a session of its own, and nothing is stored', async () => {
  const webAgentId = await project.newWebAgent({ allowedOrigins: [origin], scopes: ['voice', 'chat'] });
  const headers = { origin, 'idempotency-key': 'the same for all visitors' };
  const { publishableKey: key } = project;
  const visitors = ['chat', 'chat', 'voice', 'voice'].map(async (mode) => {
    const started = await world.rest('POST', '/v1/web-sessions', {
      key,
      body: { webAgentId, mode },
      headers,
    });
    expect(started.status).toBe(201);
    return started.body.token;
  });
  expect(new Set(await Promise.all(visitors)).size).toBe(4);
  for (const table of ['sessions', 'idempotency_keys'])
    expect(await world.rows(`select 1 from ${table} where project_id = $1`, [project.projectId])).toEqual([]);
});
