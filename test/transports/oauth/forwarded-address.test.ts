import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openWorld, type World } from '../../helpers/world.ts';
import { authorizationUrl, Browser, openClient, redeem, send, sendJson } from './oauth-client.ts';

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

describe('a flood from all networks of a site of IPv6, and from some of many sites', () => {
  let world: World;
  let key: string;
  beforeAll(async () => {
    world = await openWorld({ trustedProxies: '127.0.0.1' });
    ({ key } = await world.tenant());
  });
  afterAll(() => world.close());

  const behind = (address: string) => ({ 'x-forwarded-for': address });
  /** An address in the network of this number. */
  const flooder = (n: number) => `2001:db8:1:${n.toString(16)}::1`;

  /** Names and networks: all of one site, one of each line of so many other sites, and one network with 300. */
  const flood = (sites: number) => `(
    select 'site-' || n as name, cast('2001:db8:1:' || to_hex(n) || '::/64' as inet) as network
      from generate_series(1, 10100) n
    union all select 'line-' || n, cast('2001:db8:' || to_hex(256 + n / 256) || ':' || to_hex(n % 256) || '00::/64' as inet)
      from generate_series(0, ${256 * sites - 1}) n
    union all select 'near-' || n, '2001:db8:1:ff01::/64' from generate_series(1, 300) n
  ) as flood`;

  /** Registers a client. */
  async function registerFrom(address: string): Promise<string> {
    const registered = await sendJson(
      `${world.base}/oauth/register`,
      { redirect_uris: [anyClient.redirect] },
      behind(address),
    );
    expect(registered.status).toBe(201);
    return registered.body.client_id;
  }
  const asClient = async (clientId: string) => ({
    ...(await openClient(`${world.base}/mcp`, anyClient)),
    clientId,
  });

  it.each(['2001:db8:2:3::4', '2001:db8:1:ff00::4', '203.0.113.9'])(
    'neither ends the sign-in nor removes the client of a person at %s',
    async (address) => {
      const clientId = await registerFrom(address);
      const waiting = await registerFrom(address);
      const client = await asClient(clientId);
      const browser = new Browser();
      const begun = await browser.openSignIn(authorizationUrl(client), { headers: behind(address) });
      // Their times are those of real ones that came later.
      await world.rows(
        `insert into oauth_clients (id, metadata, created_at, expires_at, network)
         select name, '{}', now() + interval '1 second', now() + interval '1 day', network from ${flood(5)}
         on conflict do nothing`,
      );
      await world.rows(
        `insert into oauth_records (kind, id_hash, payload, expires_at, client_id, network)
         select 'Interaction', sha256(cast(name as bytea)), '{}', now() + interval '16 minutes', 'of-' || name, network from ${flood(40)}
         on conflict do nothing`,
      );
      const other = await asClient(await registerFrom(flooder(1)));
      for (let n = 0; n < 50; n++) {
        await registerFrom(flooder(20_000 + n));
        await send(authorizationUrl(other), { headers: behind(flooder(20_000 + n)) });
      }
      const [counts] = await world.rows(
        `select (select count(*)::int <= 10050 from oauth_records where kind = 'Interaction') as sign_ins,
           (select count(*)::int <= 1100 from oauth_clients) as clients`,
      );
      expect(counts).toEqual({ sign_ins: true, clients: true });
      const decision = await browser.decide(begun.address, [
        ['access', 'read'],
        ['key', key],
        ['decision', 'allow'],
      ]);
      const back = await browser.finish(decision);
      expect((await redeem(client, back.searchParams.get('code') ?? '')).status).toBe(200);
      expect((await send(authorizationUrl(await asClient(waiting)))).status).toBe(303);
    },
  );
});
