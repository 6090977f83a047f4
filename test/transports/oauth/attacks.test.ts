import { createHash } from 'node:crypto';
import http from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tenant } from '../../helpers/world.ts';
import {
  allow,
  authorizationUrl,
  Browser,
  callMcp,
  connect,
  discover,
  openClient,
  redeem,
  refresh,
  send,
  sendForm,
  sendJson,
} from './oauth-client.ts';
import { openReplicas, type Replicas } from './replicas.ts';

let replicas: Replicas;
let tenant: Tenant;

beforeAll(async () => {
  replicas = await openReplicas();
  tenant = await replicas.first.tenant();
});
afterAll(() => replicas.close());

const anyClient = { redirect: 'https://client.example/callback' };

/** The code that a client gets. */
async function codeFor(client: Parameters<typeof allow>[0]): Promise<string> {
  const back = await allow(client, { key: tenant.key });
  return back.searchParams.get('code') ?? '';
}

/** Expects a request to be refused on a page of the server, without a redirect. */
async function expectNoRedirect(url: string): Promise<void> {
  const { status, headers } = await send(url);
  expect(status, url).toBe(400);
  expect(headers.get('location')).toBeNull();
}

describe('a stolen code', () => {
  it('is worth nothing without the verifier, its client and its redirect, and a right request still redeems it', async () => {
    const client = await openClient(replicas.mcpUrl, anyClient);
    const other = await openClient(replicas.mcpUrl, anyClient);
    const code = await codeFor(client);
    for (const changes of [
      { code_verifier: other.verifier },
      { code_verifier: '' },
      { code_verifier: createHash('sha256').update(client.verifier).digest('base64url') },
      { client_id: other.clientId },
      { redirect_uri: `${client.redirect}/other` },
    ]) {
      const { status, body } = await redeem(client, code, changes);
      expect(status, JSON.stringify(changes)).toBe(400);
      expect(body.error).toBe('invalid_grant');
    }
    expect((await redeem(client, code)).status).toBe(200);
  });

  it('ends the grant if it is used twice, one after the other or both at once', async () => {
    const client = await openClient(replicas.mcpUrl, anyClient);
    const code = await codeFor(client);
    const { body } = await redeem(client, code);
    expect((await callMcp(replicas.mcpUrl, body.access_token)).status).toBe(200);
    expect((await redeem(client, code)).body.error).toBe('invalid_grant');
    expect((await callMcp(replicas.mcpUrl, body.access_token)).status).toBe(401);

    const second = await codeFor(client);
    // The requests meet at a lock, so that each has read the code before one of them uses it.
    const lock = new pg.Client({ connectionString: replicas.first.databaseUrl });
    await lock.connect();
    await lock.query(`begin; select 1 from oauth_records where kind = 'AuthorizationCode' for update`);
    const together = Array.from({ length: 6 }, () => redeem(client, second));
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => replicas.first.rows(waiting), { timeout: 20_000 }).toHaveLength(together.length);
    await lock.end();
    const replies = await Promise.all(together);
    for (const reply of replies)
      if (reply.status === 200)
        expect((await callMcp(replicas.mcpUrl, reply.body.access_token)).status).toBe(401);
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('cannot be made for a request without PKCE, or with the plain method', async () => {
    const client = await openClient(replicas.mcpUrl, anyClient);
    for (const changes of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge: client.verifier, code_challenge_method: 'plain' },
    ]) {
      const reply = await send(authorizationUrl(client, changes));
      expect(reply.status).toBe(400);
      expect(reply.text).toContain('invalid_request');
    }
  });
});

describe('a stolen refresh token', () => {
  it('ends its family if it is used twice', async () => {
    const { client, tokens } = await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
    const first = tokens.refresh_token ?? '';
    const { body: second } = await refresh(client, first);
    expect(second.refresh_token).not.toBe(first);
    expect((await callMcp(replicas.mcpUrl, second.access_token)).status).toBe(200);
    expect((await refresh(client, first)).body.error).toBe('invalid_grant');
    for (const token of [tokens.access_token, second.access_token])
      expect((await callMcp(replicas.mcpUrl, token)).status).toBe(401);
    expect((await refresh(client, second.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('gives at most one new token, which is ended, if both use it at once', async () => {
    const { client, tokens } = await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => refresh(client, tokens.refresh_token ?? '')),
    );
    const won = replies.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const { body } of won) expect((await callMcp(replicas.mcpUrl, body.access_token)).status).toBe(401);
    expect((await callMcp(replicas.mcpUrl, tokens.access_token)).status).toBe(401);
  });

  it('serves no other client, and gives no more access than before', async () => {
    const { client, tokens } = await connect(replicas.mcpUrl, anyClient, {
      key: tenant.key,
      access: ['read'],
    });
    const other = await openClient(replicas.mcpUrl, anyClient);
    const token = tokens.refresh_token ?? '';
    expect((await refresh({ ...client, clientId: other.clientId }, token)).body.error).toBe('invalid_grant');
    const wider = await refresh(client, token, { scope: 'read publish' });
    expect(wider.body.error).toBe('invalid_scope');
  });
});

describe('a token', () => {
  it('is not given out for another resource', async () => {
    const client = await openClient(replicas.mcpUrl, anyClient);
    for (const resource of [
      'https://other.example/mcp',
      `${replicas.base}/v1`,
      `${replicas.base}/mcp/`,
      `${replicas.base}@evil.example/mcp`,
      'https://127.0.0.1/mcp',
    ]) {
      const reply = await send(authorizationUrl(client, { resource }));
      expect(reply.status, resource).toBe(400);
      expect(reply.text, resource).toContain('invalid_target');
    }
    const code = await codeFor(client);
    const elsewhere = await redeem(client, code, { resource: 'https://other.example/mcp' });
    expect(elsewhere.body.error).toBe('invalid_target');
  });

  it('opens neither REST nor another installation, and REST takes it for no key', async () => {
    const { tokens } = await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
    const rest = await send(`${replicas.base}/v1/projects`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(rest.status).toBe(401);
    // As if the database had been that of another address.
    await replicas.first.rows(
      `update oauth_records set payload = jsonb_set(payload::jsonb, '{aud}', '"https://other.example/mcp"')
       where kind = 'AccessToken' and id_hash = $1`,
      [createHash('sha256').update(tokens.access_token).digest()],
    );
    const { status, headers } = await callMcp(replicas.mcpUrl, tokens.access_token);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('ends by itself after an hour, also where it was used before', async () => {
    const { tokens } = await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
    const { first } = replicas;
    await first.rows(`update oauth_records set expires_at = now() + interval '1 second' where id_hash = $1`, [
      createHash('sha256').update(tokens.access_token).digest(),
    ]);
    const firstUrl = `${first.base}/mcp`;
    expect((await callMcp(firstUrl, tokens.access_token)).status).toBe(200);
    await expect
      .poll(async () => (await callMcp(firstUrl, tokens.access_token)).status, {
        timeout: 5_000,
        interval: 100,
      })
      .toBe(401);
  });
});

describe('a redirect', () => {
  const registered = ['https://client.example/callback', 'http://127.0.0.1/callback', 'app.client:/callback'];

  it('leads nowhere but to a registered address', async () => {
    const registration = { redirect_uris: registered };
    const client = await openClient(replicas.mcpUrl, { ...anyClient, registration });
    for (const redirect of [
      'https://client.example/callback/../evil',
      'https://client.example/callback/more',
      'https://client.example/callback?more=1',
      'https://client.example/callback#fragment',
      'https://client.example.evil.example/callback',
      'https://client.example@evil.example/callback',
      'https://user@client.example/callback',
      'https://client.example:8443/callback',
      'http://client.example/callback',
      'HTTPS://CLIENT.example/callback',
      'https://evil.example/?https://client.example/callback',
      'http://localhost:4000/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://127.0.0.1:4000/other',
      'http://127.0.0.1:4000@evil.example/callback',
      'http://[::1]:4000/callback',
      'https://127.0.0.1/callback',
      'app.client:/other',
      'app.client.evil:/callback',
      '//client.example/callback',
      'javascript:alert(1)',
      '',
    ])
      await expectNoRedirect(authorizationUrl(client, { redirect_uri: redirect }));
    for (const redirect of [...registered, 'http://127.0.0.1:4000/callback'])
      expect((await send(authorizationUrl(client, { redirect_uri: redirect }))).status, redirect).toBe(303);
  });

  it.for([
    'http://client.example/callback',
    'http://localhost.evil.example/callback',
    'https://user:password@client.example/callback',
    'https://client.example/callback#fragment',
    'https://client.example;script-src/callback',
    'javascript:alert(1)//',
    'data:text/html,x',
    'file:///etc/passwd',
    'chrome-extension://abc/callback',
    'search-ms:query=x&crumb=location:%5C%5Cevil.example%5Cshare',
    'search:query=x',
    'smb://evil.example/share',
    'shell:startup',
    'ms-settings:display',
    'ms-msdt:/id',
    'microsoft.windows.camera:',
    'ms-x.example:/callback',
    'x-apple.systempreferences:com.apple.preference',
    'vbscript:x',
    'mailto:someone@client.example',
    'tel:112',
    'ssh://client.example/callback',
    'steam://run/1',
    'app:/callback',
    'not a url',
    `https://client.example/${'x'.repeat(2_000)}`,
    7,
  ])('cannot be registered to %s', async (redirect) => {
    const { server } = await discover(replicas.mcpUrl);
    const { status, body } = await sendJson(server.registration_endpoint, { redirect_uris: [redirect] });
    expect(status).toBe(400);
    expect(body.error).toMatch(/^invalid_(?:client_metadata|redirect_uri)$/);
  });

  it.for([
    'com.example.app:/callback',
    'com.example.app://callback',
    'claude://callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.example/callback',
    'vscode-insiders://vscode.example/callback',
    'vscodium://vscode.example/callback',
    'windsurf://callback',
    'zed://callback',
    'http://127.0.0.1:33418/callback',
    'http://[::1]/callback',
  ])('can be registered to %s', async (redirect) => {
    const client = await openClient(replicas.mcpUrl, { redirect });
    expect((await send(authorizationUrl(client))).status).toBe(303);
  });

  it('that was stored under older rules leads nowhere', async () => {
    const client = await openClient(replicas.mcpUrl, anyClient);
    const redirect = 'search-ms:query=x';
    await replicas.first.rows(
      `update oauth_clients set metadata = jsonb_set(metadata::jsonb, '{redirect_uris}', $2) where id = $1`,
      [client.clientId, JSON.stringify([redirect])],
    );
    await expectNoRedirect(authorizationUrl({ ...client, redirect }));
  });

  it('of an unknown client leads nowhere', async () => {
    const client = await openClient(replicas.mcpUrl, anyClient);
    await expectNoRedirect(authorizationUrl({ ...client, clientId: 'unknown' }));
  });
});

describe('a browser that follows a link of an attacker', () => {
  /** What an authorization request can get wrong, after its client and its redirect. */
  const mistakes: readonly Record<string, string | undefined>[] = [
    { prompt: 'none' },
    { prompt: 'none login' },
    { prompt: 'unknown' },
    { response_type: undefined },
    { response_type: 'token' },
    { response_type: 'code id_token' },
    { response_type: 'none' },
    { response_type: 'unknown' },
    { code_challenge: undefined },
    { code_challenge: 'short' },
    { code_challenge_method: 'plain' },
    { resource: 'https://other.example/mcp' },
    { resource: 'not a url' },
    { request: 'eyJhbGciOiJub25lIn0.e30.' },
    { request_uri: 'https://other.example/request' },
    { registration: '{}' },
    { max_age: '-1' },
    { id_token_hint: 'x' },
    { claims: 'x' },
    { dpop_jkt: 'x' },
    { response_mode: 'unknown' },
  ];

  it.for(['a new client', 'a client that a person let in'])(
    'stays on a page of the server, whatever is wrong with the request of %s',
    async (which) => {
      const client = which.startsWith('a new')
        ? await openClient(replicas.mcpUrl, anyClient)
        : (await connect(replicas.mcpUrl, anyClient, { key: tenant.key })).client;
      let refused = 0;
      for (const mistake of mistakes)
        for (const response_mode of [undefined, 'query', 'fragment', 'form_post']) {
          const url = authorizationUrl(client, { response_mode, ...mistake });
          const { status, headers, text } = await send(url);
          expect(text, url).not.toContain('<form');
          expect(text, url).not.toContain('<script');
          const location = headers.get('location') ?? '/';
          expect(new URL(location, url).origin, url).toBe(replicas.base);
          expect(headers.get('refresh')).toBeNull();
          if (status === 400) refused += 1;
          else expect(location, url).toMatch(/^\/oauth\/sign-in\//);
        }
      // The others are parameters that oidc-provider ignores.
      expect(refused).toBeGreaterThan(60);
    },
  );

  it('stays there if it skips the page', async () => {
    const client = await openClient(replicas.mcpUrl, anyClient);
    const browser = new Browser();
    const { address } = await browser.openSignIn(authorizationUrl(client));
    const resumed = await browser.open(address.replace('/sign-in/', '/authorize/'));
    expect(resumed.headers.get('location') ?? '').toMatch(/^\/oauth\/sign-in\//);
  });
});

describe('a flood of registrations', () => {
  /** Sends a request from another address of this machine. */
  const from = (localAddress: string, url: string, body?: unknown): Promise<string> =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const headers = { 'content-type': 'application/json' };
      const request = http.request(url, { localAddress, method, headers }, (response) => {
        response.setEncoding('utf8');
        let text = '';
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve(text));
      });
      request.on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });

  /** Registers clients from one address, as an attacker does, until the server removes the surplus. */
  async function registerSome(address: string): Promise<string> {
    const url = `${replicas.first.base}/oauth/register`;
    const registered = await Promise.all(
      Array.from({ length: 50 }, () => from(address, url, { redirect_uris: [anyClient.redirect] })),
    );
    return JSON.parse(registered[0] ?? '').client_id;
  }

  it('removes no client that has been let in or is being let in, and none of another address', async () => {
    const { first } = replicas;
    const { client: letIn } = await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
    const beingLetIn = await openClient(replicas.mcpUrl, anyClient);
    const idle = await openClient(replicas.mcpUrl, anyClient);
    const browser = new Browser();
    const { address } = await browser.openSignIn(authorizationUrl(beingLetIn));
    const elsewhere = { ...idle, clientId: await registerSome('127.0.0.2') };
    await first.rows(
      `insert into oauth_clients (id, metadata, created_at, expires_at, network)
       select 'flood-' || n, '{}', now() + interval '1 second', now() + interval '1 day', '127.0.0.1'
       from generate_series(1, 1500) n`,
    );
    await registerSome('127.0.0.1');

    const [kept] = await first.rows(
      `select count(*)::int <= 1050 as bounded from oauth_clients where used_at is null
         and not exists (select 1 from oauth_records where kind = 'Interaction' and client_id = id)`,
    );
    expect(kept).toEqual({ bounded: true });
    for (const client of [letIn, elsewhere]) expect((await send(authorizationUrl(client))).status).toBe(303);
    await expectNoRedirect(authorizationUrl(idle));
    const decision = await browser.decide(address, [
      ['access', 'read'],
      ['key', tenant.key],
      ['decision', 'allow'],
    ]);
    const back = await browser.finish(decision);
    expect((await redeem(beingLetIn, back.searchParams.get('code') ?? '')).status).toBe(200);
  });

  it('and of sign-ins ends none of another address, and none of a client with fewer', async () => {
    const { first } = replicas;
    const flood = (clientId: string) =>
      first.rows(
        `insert into oauth_records (kind, id_hash, payload, expires_at, client_id, network)
         select 'Interaction', sha256(cast(${clientId} || n::text as bytea)), '{}', now() + interval '16 minutes', ${clientId}, '127.0.0.1'
         from generate_series(1, 12000) n`,
      );
    const client = await openClient(replicas.mcpUrl, anyClient);
    const other = await openClient(replicas.mcpUrl, anyClient);
    const browser = new Browser();
    const { address } = await browser.openSignIn(authorizationUrl(client));
    const beginSome = () =>
      Promise.all(Array.from({ length: 100 }, () => from('127.0.0.1', authorizationUrl(other))));
    await flood(`'few-' || n % 100`);
    await beginSome();
    expect((await browser.open(address)).status).toBe(200);

    await from('127.0.0.2', authorizationUrl(client).replace(replicas.base, first.base));
    await flood(`'many-' || n`);
    await beginSome();
    const [counts] = await first.rows(
      `select count(*) filter (where network = '127.0.0.2')::int as elsewhere, count(*)::int <= 10100 as bounded
       from oauth_records where kind = 'Interaction'`,
    );
    expect(counts).toEqual({ elsewhere: 1, bounded: true });
  });
});

describe('a metadata document', () => {
  /** Expects a client id to be refused without a redirect. */
  async function expectRefused(clientId: string): Promise<void> {
    const client = await openClient(replicas.mcpUrl, anyClient);
    await expectNoRedirect(authorizationUrl({ ...client, clientId }));
  }
  const honest = { redirect_uris: [anyClient.redirect] };

  it.for([
    'https://127.0.0.1/client.json',
    'https://127.0.0.1:22/client.json',
    'https://localhost/client.json',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://[::ffff:10.0.0.1]/client.json',
    'https://metadata.google.internal/client.json',
    'http://client.example/client.json',
    'https://user@client.example/client.json',
    'https://client.example/../client.json',
    'https://client.example/client.json#fragment',
    'file:///etc/passwd',
  ])('is not read from %s', async (clientId) => {
    await expectRefused(clientId);
  });

  it('is not read from an internal server, although it is there', async () => {
    const inside = await replicas.openInternalSite((clientId) => ({ client_id: clientId, ...honest }));
    await expectRefused(inside.clientId);
    expect(inside.connections()).toBe(0);
  });

  it('that lies about its client_id is refused', async () => {
    const other = replicas.publish('/other.json', honest);
    await expectRefused(replicas.publish('/lying.json', { ...honest, client_id: other }));
  });

  it('is not looked for behind a redirect', async () => {
    const real = replicas.publish('/real.json', honest);
    await expectRefused(replicas.publishRedirect('/moved.json', real));
    await expectRefused(replicas.publishRedirect('/inside.json', 'http://169.254.169.254/'));
  });

  it('has bounds, and brings no secret', async () => {
    await expectRefused(replicas.publish('/large.json', { ...honest, client_name: 'x'.repeat(20_000) }));
    await expectRefused(replicas.publish('/secret.json', { ...honest, client_secret: 'secret' }));
    await expectRefused(
      replicas.publish('/many.json', {
        redirect_uris: Array.from({ length: 21 }, (_, n) => `https://client.example/${n}`),
      }),
    );
  });
});

describe('a client with a key of its own', () => {
  it('has to sign its requests for tokens, for this server only', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
    const document = replicas.publish('/signing.json', {
      redirect_uris: [anyClient.redirect],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks: { keys: [jwk] },
    });
    const client = await openClient(replicas.mcpUrl, { ...anyClient, document });
    const code = await codeFor(client);
    const signed = async (audience: string) => ({
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await new SignJWT({})
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(document)
        .setSubject(document)
        .setAudience(audience)
        .setJti(crypto.randomUUID())
        .setIssuedAt()
        .setExpirationTime('1 minute')
        .sign(privateKey),
    });
    for (const assertion of [{}, await signed('https://other.example')])
      expect((await redeem(client, code, assertion)).body.error).toBe('invalid_client');
    const { status, body } = await redeem(client, code, await signed(replicas.base));
    expect(status, JSON.stringify(body)).toBe(200);
    expect((await callMcp(replicas.mcpUrl, body.access_token)).status).toBe(200);
  });
});

describe('a mixed-up server', () => {
  it('is noticed: each response names its issuer, errors included', async () => {
    const client = await openClient(replicas.mcpUrl, anyClient);
    const browser = new Browser();
    const { address } = await browser.openSignIn(authorizationUrl(client));
    const back = await browser.finish(await browser.decide(address, [['decision', 'deny']]));
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The person refused.',
      state: client.state,
      iss: replicas.base,
    });
  });

  it('names addresses of its own only, whatever a Host or a proxy says', async () => {
    const reply = await send(`${replicas.first.base}/.well-known/oauth-authorization-server`, {
      headers: {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      },
    });
    expect(reply.text).not.toContain('evil');
    expect(reply.body.issuer).toBe(replicas.base);
  });

  it('takes no key that belongs to a web page, and no other token, as a sign-in', async () => {
    const publishable = await replicas.first.key(tenant.projectId, {
      type: 'publishable',
      scope: 'service_app',
    });
    const { tokens } = await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
    const client = await openClient(replicas.mcpUrl, anyClient);
    for (const key of [publishable.key, tokens.access_token, tokens.refresh_token ?? '', 'x', '']) {
      const browser = new Browser();
      const { address } = await browser.openSignIn(authorizationUrl(client));
      const reply = await browser.decide(address, [
        ['access', 'read'],
        ['key', key],
        ['decision', 'allow'],
      ]);
      expect(reply.status).toBe(401);
      expect(reply.text).toContain('The API key is missing, invalid or revoked.');
      if (key.length > 1) expect(reply.text).not.toContain(key);
    }
  });
});

describe('a revoked key', () => {
  it('ends its tokens on every replica at once: 0 of 300 calls succeed after the revocation', async () => {
    const { first, second } = replicas;
    let succeeded = 0;
    for (let round = 0; round < 3; round++) {
      const { key, keyId } = await first.key(tenant.projectId);
      const { client, tokens } = await connect(replicas.mcpUrl, anyClient, { key });
      const urls = [`${first.base}/mcp`, `${second.base}/mcp`];
      for (const url of urls) expect((await callMcp(url, tokens.access_token)).status).toBe(200);
      const { status } = await first.rest('POST', `/v1/keys/${keyId}/revoke`, { key: tenant.key });
      expect(status).toBe(200);
      const replies = await Promise.all(
        Array.from({ length: 100 }, (_, n) => callMcp(urls[(n + 1) % 2] ?? '', tokens.access_token)),
      );
      succeeded += replies.filter((reply) => reply.status !== 401).length;
      expect((await refresh(client, tokens.refresh_token ?? '')).body.error).toBe('invalid_grant');
    }
    expect(succeeded).toBe(0);
  });

  it('ends a grant whose code is not redeemed yet', async () => {
    const { key, keyId } = await replicas.first.key(tenant.projectId);
    const client = await openClient(replicas.mcpUrl, anyClient);
    const back = await allow(client, { key });
    await replicas.second.rest('POST', `/v1/keys/${keyId}/revoke`, { key: tenant.key });
    const { body } = await redeem(client, back.searchParams.get('code') ?? '');
    expect(body.error).toBe('invalid_grant');
  });

  it('that expires takes its tokens along', async () => {
    const { key, keyId } = await replicas.first.key(tenant.projectId);
    await replicas.first.rows(`update api_keys set expires_at = now() + interval '2 seconds' where id = $1`, [
      keyId,
    ]);
    const { client, tokens } = await connect(replicas.mcpUrl, anyClient, { key });
    await expect
      .poll(async () => (await callMcp(replicas.mcpUrl, tokens.access_token)).status, { timeout: 5_000 })
      .toBe(401);
    expect((await refresh(client, tokens.refresh_token ?? '')).body.error).toBe('invalid_grant');
  });
});

it('refuses a revocation by another client', async () => {
  const { tokens } = await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
  const other = await openClient(replicas.mcpUrl, anyClient);
  await sendForm(other.server.revocation_endpoint, { token: tokens.access_token, client_id: other.clientId });
  expect((await callMcp(replicas.mcpUrl, tokens.access_token)).status).toBe(200);
});
