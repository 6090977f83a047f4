import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tenant } from '../../helpers/world.ts';
import { listen } from './listen.ts';
import { connect, refresh, sendForm } from './oauth-client.ts';
import { openReplicas, type Replicas } from './replicas.ts';

let replicas: Replicas;
let tenant: Tenant;
let address: string;

beforeAll(async () => {
  replicas = await openReplicas();
  tenant = await replicas.first.tenant();
  const { body: flow } = await replicas.first.rest('POST', `/v1/projects/${tenant.projectId}/flows`, {
    key: tenant.key,
    body: { name: 'Night line', type: 'simple', flowSchema: {} },
  });
  address = `parley://flows/${flow.id}`;
});
afterAll(() => replicas.close());

const anyClient = { redirect: 'https://client.example/callback' };

/** A client that hears of changes through both replicas, and one of another sign-in that still does afterwards. */
async function openStreams() {
  const { client, tokens } = await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
  const other = await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
  const bases = [replicas.first.base, replicas.second.base];
  const streams = await Promise.all(bases.map((base) => listen(base, tokens.access_token, address)));
  const others = await Promise.all(bases.map((base) => listen(base, other.tokens.access_token, address)));
  return {
    client,
    tokens,
    async expectToEnd() {
      await expect
        .poll(() => streams.map(({ isOpen }) => isOpen()), { timeout: 5_000 })
        .toEqual([false, false]);
      expect(others.map(({ isOpen }) => isOpen())).toEqual([true, true]);
    },
  };
}

describe('the streams of a token end on both replicas within seconds', () => {
  it.each(['access_token', 'refresh_token'] as const)('if its client revokes the %s', async (kind) => {
    const { client, tokens, expectToEnd } = await openStreams();
    const token = tokens[kind] ?? '';
    await sendForm(client.server.revocation_endpoint, { token, client_id: client.clientId });
    await expectToEnd();
  });

  it('if a refresh token of its family is used twice', async () => {
    const { client, tokens, expectToEnd } = await openStreams();
    const token = tokens.refresh_token ?? '';
    expect((await refresh(client, token)).status).toBe(200);
    expect((await refresh(client, token)).body.error).toBe('invalid_grant');
    await expectToEnd();
  });

  it('if it expires, while the sign-in lasts', async () => {
    const { client, tokens } = await connect(replicas.mcpUrl, anyClient, { key: tenant.key });
    await replicas.first.rows(
      `update oauth_records set expires_at = now() + interval '2 seconds' where id_hash = $1`,
      [createHash('sha256').update(tokens.access_token).digest()],
    );
    const stream = await listen(replicas.second.base, tokens.access_token, address);
    await expect.poll(stream.isOpen, { timeout: 8_000 }).toBe(false);
    const next = await refresh(client, tokens.refresh_token ?? '');
    const again = await listen(replicas.second.base, next.body.access_token, address);
    expect(again.isOpen()).toBe(true);
  });
});
