import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgeExpired } from '../../../src/resources/trash/purge.ts';
import { openWorld, type Tenant } from '../../helpers/world.ts';
import {
  allow,
  authorizationUrl,
  Browser,
  callMcp,
  callTool,
  connect,
  discover,
  openClient,
  parameters,
  redeem,
  refresh,
  send,
  sendForm,
} from './oauth-client.ts';
import { request } from './raw-host.ts';
import { openReplicas, type Replicas } from './replicas.ts';

let replicas: Replicas;
let tenant: Tenant;

beforeAll(async () => {
  replicas = await openReplicas();
  tenant = await replicas.first.tenant();
});
afterAll(() => replicas.close());

/** Expects a first tool call to succeed. */
async function expectToolCall(mcpUrl: string, token: string): Promise<void> {
  const { status, body } = await callTool(mcpUrl, token, 'list_projects');
  expect(status).toBe(200);
  expect(body.result.structuredContent.projects[0].id).toBe(tenant.projectId);
}

/** A client with a redirect of its own, for tests in which it does not matter which. */
const anyClient = { redirect: 'https://client.example/callback' };

describe('a client that knows nothing but the URL', () => {
  const both = ['authorization_code', 'refresh_token'];
  it.for<[name: string, redirect: string, metadata: Record<string, unknown>]>([
    [
      'claude.ai',
      'https://claude.ai/api/mcp/auth_callback',
      {
        client_name: 'Claude',
        client_uri: 'https://claude.ai',
        logo_uri: 'https://claude.ai/favicon.ico',
        redirect_uris: [
          'https://claude.ai/api/mcp/auth_callback',
          'https://claude.com/api/mcp/auth_callback',
        ],
        grant_types: both,
      },
    ],
    [
      'ChatGPT',
      'https://chatgpt.com/connector_platform_oauth_redirect',
      {
        client_name: 'ChatGPT',
        redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
        grant_types: both,
        scope: 'openid email',
      },
    ],
    [
      'VS Code',
      'http://127.0.0.1:59656/',
      {
        client_name: 'Visual Studio Code',
        redirect_uris: ['https://vscode.dev/redirect', 'http://127.0.0.1/', 'http://127.0.0.1:33418/'],
        grant_types: [...both, 'urn:ietf:params:oauth:grant-type:device_code'],
        application_type: 'native',
      },
    ],
    [
      'Cursor',
      'cursor://anysphere.cursor-mcp/oauth/callback',
      {
        client_name: 'Cursor',
        redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
        grant_types: both,
      },
    ],
    [
      'Claude Code',
      'http://localhost:51234/callback',
      {
        client_name: 'Claude Code',
        redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
        grant_types: both,
      },
    ],
  ])('connects like %s, by its metadata document and by registration', async ([name, redirect, metadata]) => {
    const usual = { response_types: ['code'], token_endpoint_auth_method: 'none', ...metadata };
    const document = replicas.publish(`/${encodeURIComponent(name)}/client.json`, usual);
    for (const form of [
      { redirect, document },
      { redirect, registration: usual },
    ]) {
      const { client, tokens } = await connect(replicas.mcpUrl, form, { key: tenant.key });
      await expectToolCall(replicas.mcpUrl, tokens.access_token);
      const { status, body } = await refresh(client, tokens.refresh_token ?? '');
      expect(status).toBe(200);
      await expectToolCall(replicas.mcpUrl, body.access_token);
    }
  });

  it('connects without scope, resource and a grant for refresh tokens, which older clients leave out', async () => {
    const registration = { grant_types: undefined, scope: undefined };
    const client = await openClient(replicas.mcpUrl, { ...anyClient, registration });
    const browser = new Browser();
    const { page, address } = await browser.openSignIn(
      authorizationUrl(client, { scope: undefined, resource: undefined }),
    );
    expect(page.text).toContain('value="publish"');
    expect(page.text).not.toContain('value="admin"');
    const back = await browser.finish(
      await browser.decide(address, [
        ['access', 'read'],
        ['key', tenant.key],
        ['decision', 'allow'],
      ]),
    );
    const { body } = await sendForm(client.server.token_endpoint, {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: client.redirect,
      client_id: client.clientId,
      code_verifier: client.verifier,
    });
    expect(body).toEqual({
      access_token: expect.any(String),
      expires_in: 3600,
      scope: 'read',
      token_type: 'Bearer',
    });
    await expectToolCall(replicas.mcpUrl, body.access_token);
  });

  it('reads a metadata document once for several requests', async () => {
    const document = replicas.publish('/once.json', { redirect_uris: [anyClient.redirect] });
    const before = replicas.documentReads();
    for (let round = 0; round < 3; round++)
      await connect(replicas.mcpUrl, { ...anyClient, document }, { key: tenant.key });
    // The authorization server is behind the load balancer, so each of the two replicas reads it.
    expect(replicas.documentReads() - before).toBeLessThanOrEqual(2);
  });
});

describe('the metadata', () => {
  it.for(['/mcp', '/mcp?toolsets=flows,designs&access=read,draft', '/mcp?tools=list_flows'])(
    'names the resource as it was typed: %s',
    async (path) => {
      const { challenge, resource, server } = await discover(`${replicas.base}${path}`);
      const expected = path.includes('access=') ? 'read draft' : 'read run draft publish';
      expect(challenge).toEqual({
        scope: expected,
        resource_metadata: `${replicas.base}/.well-known/oauth-protected-resource${path}`,
      });
      expect(resource).toEqual({
        resource: `${replicas.base}${path}`,
        authorization_servers: [replicas.base],
        scopes_supported: ['read', 'run', 'draft', 'publish'],
        bearer_methods_supported: ['header'],
        resource_name: 'Parley',
      });
      expect(server).toMatchObject({
        scopes_supported: ['read', 'run', 'draft', 'publish', 'admin'],
        authorization_endpoint: `${replicas.base}/oauth/authorize`,
        token_endpoint: `${replicas.base}/oauth/token`,
        registration_endpoint: `${replicas.base}/oauth/register`,
        revocation_endpoint: `${replicas.base}/oauth/revoke`,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        response_types_supported: ['code'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      });
    },
  );

  it('names localhost if the client did, and the root document names the MCP endpoint', async () => {
    const typed = replicas.first.base.replace('127.0.0.1', 'localhost');
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])
      expect((await send(typed + path)).body).toMatchObject({ resource: `${typed}/mcp` });
    const { tokens } = await connect(`${typed}/mcp`, anyClient, { key: tenant.key });
    await expectToolCall(`${typed}/mcp`, tokens.access_token);
  });

  it('offers no identity, neither as an authorization server nor as an OpenID provider', async () => {
    for (const path of ['oauth-authorization-server', 'openid-configuration']) {
      const { text } = await send(`${replicas.base}/.well-known/${path}`);
      expect(text).toContain('scopes_supported');
      expect(text).not.toMatch(/"openid"|"claims_supported"|userinfo/);
    }
  });

  it('keeps the path of the public address', async () => {
    const world = await openWorld({ publicUrl: 'https://parley.example/base/' });
    try {
      const refusal = await request(`${world.base}/mcp`, { method: 'POST', host: 'parley.example' });
      expect(parameters(refusal.headers['www-authenticate'] ?? '')).toMatchObject({
        resource_metadata: 'https://parley.example/base/.well-known/oauth-protected-resource/mcp',
      });
      const resource = await request(`${world.base}/.well-known/oauth-protected-resource/mcp`, {
        host: 'parley.example',
      });
      expect(JSON.parse(resource.text)).toMatchObject({
        resource: 'https://parley.example/base/mcp',
        authorization_servers: ['https://parley.example/base'],
      });
      const server = await request(`${world.base}/.well-known/openid-configuration`, {
        host: 'parley.example',
      });
      expect(JSON.parse(server.text)).toMatchObject({
        issuer: 'https://parley.example/base',
        authorization_endpoint: 'https://parley.example/base/oauth/authorize',
        token_endpoint: 'https://parley.example/base/oauth/token',
      });
    } finally {
      await world.close();
    }
  });

  it('may be read by pages of every origin, as may the endpoints that they then call', async () => {
    const origin = 'https://inspector.example';
    for (const [path, method] of [
      ['/.well-known/oauth-protected-resource/mcp', 'GET'],
      ['/.well-known/oauth-authorization-server', 'GET'],
      ['/oauth/token', 'POST'],
      ['/oauth/revoke', 'POST'],
      ['/oauth/register', 'POST'],
    ] as const) {
      const preflight = await send(`${replicas.base}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type,mcp-protocol-version',
        },
      });
      expect(preflight.status, path).toBe(204);
      expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type');
      const reply = await send(`${replicas.base}${path}`, { method, headers: { origin } });
      for (const { headers } of [preflight, reply])
        expect(headers.get('access-control-allow-origin'), path).toMatch(
          /^(?:\*|https:\/\/inspector.example)$/,
        );
    }
  });

  it('is not served under a foreign Host', async () => {
    const { status } = await request(`${replicas.first.base}/.well-known/oauth-protected-resource/mcp`, {
      host: 'evil.example',
    });
    expect(status).toBe(403);
  });
});

describe('access', () => {
  it('is narrowed by the person, and never exceeds that of the key', async () => {
    const { key } = await replicas.first.key(tenant.projectId, { access: ['read', 'draft'] });
    const all = await connect(replicas.mcpUrl, anyClient, { key });
    expect(all.tokens.scope).toBe('read draft');
    const some = await connect(replicas.mcpUrl, anyClient, { key: tenant.key, access: ['read', 'run'] });
    expect(some.tokens.scope).toBe('read run');
    const me = await callTool(replicas.mcpUrl, some.tokens.access_token, 'get_current_key');
    expect(me.body.result.structuredContent.access).toEqual(['read', 'run']);
    const listed = await callMcp(replicas.mcpUrl, some.tokens.access_token);
    expect(listed.text).toContain('"list_flows"');
    expect(listed.text).not.toContain('"create_flow"');
  });

  it('is stepped up: a call beyond it names all that is needed, if the key has it', async () => {
    const input = { name: 'Night line' };
    const { tokens } = await connect(replicas.mcpUrl, anyClient, { key: tenant.key, access: ['read'] });
    const refusal = await callTool(replicas.mcpUrl, tokens.access_token, 'create_flow', input);
    expect(refusal.status).toBe(403);
    expect(parameters(refusal.headers.get('www-authenticate') ?? '')).toEqual({
      error: 'insufficient_scope',
      scope: 'read draft',
      resource_metadata: `${replicas.base}/.well-known/oauth-protected-resource/mcp`,
    });
    const reader = await replicas.first.key(tenant.projectId, { access: ['read'] });
    const limited = await connect(replicas.mcpUrl, anyClient, { key: reader.key });
    for (const [url, token] of [
      [replicas.mcpUrl, limited.tokens.access_token],
      [`${replicas.mcpUrl}?access=read`, tokens.access_token],
      [replicas.mcpUrl, reader.key],
    ] as const) {
      const reply = await callTool(url, token, 'create_flow', input);
      expect(reply.status, url).toBe(200);
      expect(reply.headers.get('www-authenticate')).toBeNull();
    }
  });

  it('shows in the list of keys and in the changes whose it is, and through which client', async () => {
    const { client, tokens } = await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
    expect(client.redirect).toContain('client.example');
    const flow = await callTool(replicas.mcpUrl, tokens.access_token, 'create_flow', {
      name: `Flow ${client.state}`,
      type: 'simple',
      flowSchema: {},
    });
    expect(flow.body.result.isError, JSON.stringify(flow.body)).toBeFalsy();
    const { projectId, key } = tenant;
    const changes = await replicas.second.rest('GET', `/v1/projects/${projectId}/changes`, { key });
    expect(changes.body.changes.slice(0, 2)).toMatchObject([
      { operation: 'create_flow', keyName: 'Key via client.example (A client)' },
      { operation: 'create_restricted_key', keyName: 'Key', summary: expect.stringContaining('OAuth') },
    ]);
    const keys = await replicas.second.rest('GET', `/v1/projects/${projectId}/keys?details=true`, { key });
    const [newest] = keys.body.keys;
    expect(newest).toMatchObject({ name: 'Key via client.example (A client)', status: 'active' });
    // Idle for 30 days, the client has to sign in again.
    const days = (Date.parse(newest.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
    // An administrator can end it like any key.
    await replicas.first.rest('POST', `/v1/keys/${newest.id}/revoke`, { key });
    expect((await callMcp(replicas.mcpUrl, tokens.access_token)).status).toBe(401);
  });

  it('ends with the revocation of either token', async () => {
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const { client, tokens } = await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
      expect((await callMcp(replicas.mcpUrl, tokens.access_token)).status).toBe(200);
      const { status } = await sendForm(client.server.revocation_endpoint, {
        token: tokens[kind] ?? '',
        client_id: client.clientId,
      });
      expect(status).toBe(200);
      for (let replica = 0; replica < 2; replica++)
        expect((await callMcp(replicas.mcpUrl, tokens.access_token)).status).toBe(401);
      expect((await refresh(client, tokens.refresh_token ?? '')).body.error).toBe('invalid_grant');
    }
  });
});

it('stores codes and tokens as hashes only', async () => {
  const client = await openClient(replicas.mcpUrl, anyClient);
  const back = await allow(client, { key: tenant.key });
  const code = back.searchParams.get('code') ?? '';
  const { body } = await redeem(client, code);
  const rows = await replicas.first.rows('select * from oauth_records');
  const stored = JSON.stringify(rows);
  expect(rows.length).toBeGreaterThan(3);
  for (const secret of [code, body.access_token, body.refresh_token, tenant.key])
    expect(stored.includes(secret)).toBe(false);
});

it('forgets what has expired', async () => {
  const { first } = replicas;
  await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
  await first.rows(`update oauth_records set expires_at = now() where kind = 'AuthorizationCode'`);
  await first.rows(`update oauth_clients set expires_at = now() where used_at is null`);
  await purgeExpired(first.core.knex);
  const [left] = await first.rows(
    `select (select count(*)::int from oauth_records where kind = 'AuthorizationCode') as codes,
       (select count(*)::int from oauth_records where kind = 'RefreshToken') > 0 as tokens,
       (select count(*)::int from oauth_clients where used_at is null) as unused`,
  );
  expect(left).toEqual({ codes: 0, tokens: true, unused: 0 });
});
