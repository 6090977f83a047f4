import { afterAll, beforeAll, expect, it } from 'vitest';
import { purgeExpired } from '../../../src/resources/trash/purge.ts';
import type { Tenant } from '../../helpers/world.ts';
import { callMcp, callTool, connect, sendForm, type Tokens } from './oauth-client.ts';
import { openReplicas, type Replicas } from './replicas.ts';

let replicas: Replicas;
let tenant: Tenant;

beforeAll(async () => {
  replicas = await openReplicas();
});
afterAll(() => replicas.close());

const website = { redirect: 'https://client.example/callback' };

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly oauthClient: string | null;
}

/** The keys of the project, as REST lists them with details. */
async function listed(query = ''): Promise<Listed[]> {
  const { projectId, key } = tenant;
  const path = `/v1/projects/${projectId}/keys?details=true${query}`;
  return (await replicas.second.rest('GET', path, { key })).body.keys;
}

/** True if a client can still call. */
async function isAlive({ access_token: token }: Tokens): Promise<boolean> {
  return (await callMcp(replicas.mcpUrl, token)).status === 200;
}

it('lists a sign-in with the client, where it is first, and what it calls itself', async () => {
  tenant = await replicas.first.tenant();
  const document = replicas.publish('/code.json', {
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  });
  const loopback = 'http://localhost:3118/callback';
  await connect(replicas.mcpUrl, { document, redirect: loopback }, { key: tenant.key });
  await connect(replicas.mcpUrl, { redirect: loopback }, { key: tenant.key });
  const impostor = { ...website, registration: { client_name: 'claude.ai' } };
  const { tokens } = await connect(replicas.mcpUrl, impostor, { key: tenant.key });
  const site = new URL(document).host;
  expect((await listed()).map(({ name, oauthClient }) => ({ name, oauthClient }))).toEqual([
    { name: 'Key via client.example (claude.ai)', oauthClient: 'client.example (claude.ai)' },
    { name: 'Key via app (A client)', oauthClient: 'app (A client)' },
    { name: `Key via ${site} (Claude Code)`, oauthClient: `${site} (Claude Code)` },
    { name: 'Key', oauthClient: null },
  ]);
  await callTool(replicas.mcpUrl, tokens.access_token, 'list_flows');
  const { body } = await callTool(replicas.mcpUrl, tenant.key, 'list_keys', { limit: 1 });
  expect(body.result.structuredContent.keys).toEqual([
    {
      id: expect.any(String),
      name: 'Key via client.example (claude.ai)',
      signedInThroughOAuth: 'client.example (claude.ai)',
      may: 'read, run, draft, publish',
      lastUsed: expect.any(String),
      expires: expect.any(String),
    },
  ]);
});

it('leaves out a sign-in that has ended, also of names, and pages over those that are left', async () => {
  tenant = await replicas.first.tenant();
  const connected = [];
  for (let count = 0; count < 3; count++)
    connected.push(await connect(replicas.mcpUrl, website, { key: tenant.key }));
  const [revoked, , expired] = await listed();
  const [{ client, tokens }] = connected.slice(-1) as [(typeof connected)[number]];
  await sendForm(client.server.revocation_endpoint, {
    token: tokens.access_token,
    client_id: client.clientId,
  });
  await replicas.first.rows('update api_keys set expires_at = now() where id = $1', [expired?.id]);
  const names = ['Key via client.example (A client)', 'Key'];
  expect((await listed()).map(({ name }) => name)).toEqual(names);
  expect((await listed('&limit=1')).map(({ name }) => name)).toEqual(names.slice(0, 1));
  await purgeExpired(replicas.first.core.knex);
  const rows = await replicas.first.rows('select status from api_keys where id = any($1)', [
    [revoked?.id, expired?.id],
  ]);
  expect(rows).toEqual([{ status: 'revoked' }, { status: 'revoked' }]);
  // Its name is that of the two others, too.
  const { body } = await callTool(replicas.mcpUrl, tenant.key, 'revoke_key', { keyId: names[0] });
  expect(body.result.structuredContent).toMatchObject({ name: names[0], status: 'revoked' });
  expect((await listed()).map(({ name }) => name)).toEqual(['Key']);
});

it('keeps ten sign-ins of a client with a key: the next one ends that which was idle longest', async () => {
  tenant = await replicas.first.tenant();
  const { projectId, key } = tenant;
  const other = await replicas.first.key(projectId);
  const kept = [
    await connect(replicas.mcpUrl, website, { key: other.key }),
    await connect(replicas.mcpUrl, { ...website, registration: { client_name: 'Another' } }, { key }),
  ];
  const before = new Set((await listed()).map(({ id }) => id));
  const signedIn = [];
  for (let count = 0; count < 10; count++)
    signedIn.push((await connect(replicas.mcpUrl, website, { key })).tokens);
  const ids = (await listed()).map(({ id }) => id).filter((id) => !before.has(id));
  expect(ids).toHaveLength(10);
  // The first is used every day, the second has been idle for a week.
  await replicas.first.rows(
    `update api_keys set created_at = now() - interval '20 days', last_used_at = now() - interval '7 days'
     where id = any($1)`,
    [ids.slice(-2)],
  );
  await replicas.first.rows('update api_keys set last_used_at = now() where id = $1', [ids.at(-1)]);
  const next = await connect(replicas.mcpUrl, website, { key });
  const alive = await Promise.all(signedIn.map(isAlive));
  expect(alive).toEqual([true, false, ...Array.from({ length: 8 }, () => true)]);
  expect(await Promise.all([next, ...kept].map(({ tokens }) => isAlive(tokens)))).toEqual([true, true, true]);
  const after = (await listed()).map(({ id }) => id).filter((id) => !before.has(id));
  expect(after).toHaveLength(10);
  expect(after).not.toContain(ids.at(-2));
  const changes = await replicas.first.rest('GET', `/v1/projects/${projectId}/changes?operation=revoke_key`, {
    key,
  });
  expect(changes.body.changes).toMatchObject([{ resourceId: ids.at(-2), keyId: tenant.keyId }]);
});
