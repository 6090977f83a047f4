import { describe, expect, it, onTestFinished } from 'vitest';
import { openWorld } from '../helpers/world.ts';
import { authorizationUrl, openClient, send } from './oauth-client.ts';

const anyClient = { redirect: 'https://client.example/callback' };

/** Registers a client and begins a sign-in with a header of proxies. Returns the networks that count for both. */
async function networksOf(trustedProxies: string, headers: Record<string, string>): Promise<unknown[]> {
  const world = await openWorld({ trustedProxies });
  onTestFinished(() => world.close());
  const registered = await send(`${world.base}/oauth/register`, {
    method: 'POST',
    body: JSON.stringify({ redirect_uris: [anyClient.redirect] }),
    headers: { 'content-type': 'application/json', ...headers },
  });
  expect(registered.status).toBe(201);
  const client = await openClient(`${world.base}/mcp`, anyClient);
  const url = authorizationUrl({ ...client, clientId: registered.body.client_id });
  expect((await send(url, { headers })).status).toBe(303);
  const rows = await world.rows(
    `select network(network)::text as network from oauth_clients where id = $1
     union all select network(network)::text from oauth_records where kind = 'Interaction'`,
    [registered.body.client_id],
  );
  return rows.map(({ network }) => network);
}

describe('a registration and a sign-in', () => {
  it.each([
    ['X-Forwarded-For', { 'x-forwarded-for': '203.0.113.7, 127.0.0.1' }, '203.0.113.7/32'],
    ['X-Forwarded-For of IPv6', { 'x-forwarded-for': '2001:db8:1:2:3:4:5:6' }, '2001:db8:1:2::/64'],
    ['Forwarded', { forwarded: 'for=203.0.113.8;proto=https' }, '203.0.113.8/32'],
  ])('count for the client that a trusted proxy names in %s', async (_, headers, network) => {
    expect(await networksOf('127.0.0.1', headers)).toEqual([network, network]);
  });

  it('count for the connection if anybody else sends the header', async () => {
    const forged = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
    for (const trusted of ['', '192.0.2.1'])
      expect(await networksOf(trusted, forged)).toEqual(['127.0.0.1/32', '127.0.0.1/32']);
  });
});
