import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../../src/platform/config/config.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';
import { listen } from './listen.ts';
import { callMcp, callTool, parameters, send } from './oauth-client.ts';

/** The identity provider of the tests. */
async function openIdentityProvider() {
  const pairs = [await newPair('one'), await newPair('two')];
  const published = 1;
  const server = http.createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      request.url === '/.well-known/openid-configuration'
        ? JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` })
        : JSON.stringify({ keys: pairs.slice(0, published).map(({ jwk }) => jwk) }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    pairs,
    /** Makes a token with claims, by default a valid one of a member of the support. */
    token(claims: JWTPayload, { pair = 0, alg = 'ES256', iss = issuer, lasts = '1 minute' } = {}) {
      const signing = pairs[pair] ?? pairs[0];
      return new SignJWT({ groups: ['staff', 'support'], ...claims })
        .setProtectedHeader({ alg, kid: signing?.kid ?? '' })
        .setIssuer(iss)
        .setExpirationTime(lasts)
        .sign(signing?.privateKey ?? new Uint8Array());
    },
    close: () => server.close(),
  };
}

async function newPair(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return {
    kid,
    privateKey,
    publicKey,
    jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' },
  };
}

describe('an identity provider of the operator', () => {
  let provider: Awaited<ReturnType<typeof openIdentityProvider>>;
  let world: World;
  let tenant: Tenant;
  let reader: { keyId: string; key: string };
  let mcpUrl: string;
  const rules: { claim: string; value: string; projectId: string; keyId: string }[] = [];

  beforeAll(async () => {
    provider = await openIdentityProvider();
    world = await openWorld({
      publicUrl: 'http://127.0.0.1:9',
      identityProvider: { issuer: provider.issuer, audience: 'parley', rules },
    });
    tenant = await world.tenant();
    reader = await world.key(tenant.projectId, { access: ['read', 'draft'] });
    const { projectId } = tenant;
    rules.push(
      { claim: 'email', value: 'root@example.com', projectId, keyId: tenant.keyId },
      { claim: 'groups', value: 'support', projectId, keyId: reader.keyId },
      { claim: 'groups', value: 'elsewhere', projectId: 'cpr000000', keyId: reader.keyId },
    );
    mcpUrl = `${world.base}/mcp`;
  });
  afterAll(async () => {
    await world.close();
    provider.close();
  });

  /** The access with which a token calls; the status if it cannot. */
  async function accessOf(token: string) {
    const { status, body } = await callTool(mcpUrl, token, 'get_current_key');
    return status === 200 ? body.result.structuredContent : status;
  }

  it('is where clients are sent, in place of the sign-in page', async () => {
    const { status, headers } = await callMcp(mcpUrl, undefined);
    expect(status).toBe(401);
    const metadata = parameters(headers.get('www-authenticate') ?? '')['resource_metadata'] ?? '';
    expect((await send(metadata)).body).toMatchObject({
      resource: mcpUrl,
      authorization_servers: [provider.issuer],
    });
    for (const route of ['/.well-known/oauth-authorization-server', '/oauth/authorize', '/oauth/jwks'])
      expect((await send(world.base + route)).status).toBe(404);
  });

  it('lets people call as the key of the first rule that matches their claims', async () => {
    const aud = 'parley';
    expect(await accessOf(await provider.token({ aud }))).toMatchObject({ id: reader.keyId });
    const root = await provider.token({ aud: ['other', aud], email: 'root@example.com' });
    expect(await accessOf(root)).toMatchObject({ id: tenant.keyId });
    const narrowed = await provider.token({ aud, scope: 'openid read publish' });
    const listed = await callMcp(mcpUrl, narrowed);
    expect(listed.text).toContain('"list_flows"');
    expect(listed.text).not.toContain('"create_flow"');
    expect((await callMcp(mcpUrl, tenant.key)).status).toBe(200);
  });

  it('refuses tokens for others, of others, without an end, and with another algorithm', async () => {
    const aud = 'parley';
    const stranger = await newPair('one');
    const publicText = new TextEncoder().encode(
      await exportSPKI(provider.pairs[0]?.publicKey ?? stranger.publicKey),
    );
    const signed = (claims: JWTPayload) =>
      new SignJWT({ groups: ['support'], aud, iss: provider.issuer, ...claims });
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    const payload = (await provider.token({ aud })).split('.')[1];
    for (const token of [
      await provider.token({ aud: 'other' }),
      await provider.token({}),
      await provider.token({ aud }, { iss: 'https://other.example' }),
      await provider.token({ aud }, { lasts: '-1 minute' }),
      await provider.token({ aud, groups: ['staff'] }),
      await provider.token({ aud, groups: ['elsewhere'] }),
      await provider.token({ aud, groups: 'staff support' }),
      await provider.token({ aud }, { pair: 1 }),
      await signed({})
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .sign(provider.pairs[0]?.privateKey ?? publicText),
      await signed({})
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setExpirationTime('1 minute')
        .sign(stranger.privateKey),
      await signed({})
        .setProtectedHeader({ alg: 'HS256', kid: 'one' })
        .setExpirationTime('1 minute')
        .sign(publicText),
      `${unsigned}.${payload}.AA`,
    ])
      expect(await accessOf(token), token).toBe(401);
  });

  it('ends the stream of a token that expires, and no other', async () => {
    const { key, projectId } = tenant;
    const body = { name: 'Night line', type: 'simple', flowSchema: {} };
    const { body: flow } = await world.rest('POST', `/v1/projects/${projectId}/flows`, { key, body });
    // Clocks may differ by five seconds.
    const tokens = ['-3 seconds', '1 minute'].map((lasts) => provider.token({ aud: 'parley' }, { lasts }));
    const [expiring, lasting] = await Promise.all(
      tokens.map(async (token) => listen(world.base, await token, `parley://flows/${flow.id}`)),
    );
    await expect.poll(() => expiring?.isOpen(), { timeout: 8_000 }).toBe(false);
    expect(lasting?.isOpen()).toBe(true);
  });

  it('cannot outlive the key, whose revocation counts at once', async () => {
    const { key, keyId } = await world.key(tenant.projectId);
    rules.unshift({ claim: 'email', value: 'gone@example.com', projectId: tenant.projectId, keyId });
    const token = await provider.token({ aud: 'parley', email: 'gone@example.com', groups: [] });
    expect(await accessOf(token)).toMatchObject({ id: keyId });
    await world.rest('POST', `/v1/keys/${keyId}/revoke`, { key: tenant.key });
    expect(await accessOf(token)).toBe(401);
    expect((await callMcp(mcpUrl, key)).status).toBe(401);
  });
});

describe('PARLEY_OIDC_KEYS', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-oidc-'));
  let files = 0;
  const write = (text: string) => {
    files += 1;
    const file = path.join(folder, `${files}.json`);
    writeFileSync(file, text);
    return { PARLEY_OIDC_ISSUER: 'https://id.example', PARLEY_OIDC_KEYS: file };
  };
  const rule = { claim: 'groups', value: 'support', projectId: 'cpr1', keyId: 'cak1' };

  it('is read with the issuer', () => {
    expect(readConfig(write(JSON.stringify({ keys: [rule] }))).identityProvider).toEqual({
      issuer: 'https://id.example',
      audience: undefined,
      rules: [rule],
    });
  });

  it.for<[environment: Record<string, string>, message: RegExp]>([
    [{ PARLEY_OIDC_ISSUER: 'https://id.example' }, /need each other/],
    [{ PARLEY_OIDC_AUDIENCE: 'parley' }, /need each other/],
    [write('{'), /not valid JSON/],
    [{ ...write(''), PARLEY_OIDC_KEYS: '/nowhere' }, /cannot be read \(ENOENT\)/],
  ])('is refused with a reason', ([environment, message]) => {
    expect(() => readConfig(environment)).toThrow(ConfigError);
    expect(() => readConfig(environment)).toThrow(message);
  });

  it('names the place of a mistake', () => {
    expect(() => readConfig(write(JSON.stringify({ keys: [{ ...rule, keyId: '' }] })))).toThrow(
      /keys\.0\.keyId/,
    );
    expect(() => readConfig(write(JSON.stringify({ keys: [] })))).toThrow(/keys/);
  });
});
