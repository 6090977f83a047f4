import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { Blocked } from '../../../src/platform/outbound/fetch-failure.ts';
import { type ConnectorOptions, wallConnector } from '../../../src/platform/outbound/wall-connector.ts';
import { openSecureSite, openSite, trustSelfSigned } from '../../helpers/wall-trial.ts';

/** An agent that treats 127.0.0.1 as the open internet, and every other address as forbidden. */
function openAgent(options: Partial<ConnectorOptions>) {
  const agent = new Agent({
    connect: wallConnector({
      resolve: () => Promise.reject(new Error('unexpected DNS query')),
      allowed: new Set(),
      timeout: 1_000,
      passes: (address) => address === '127.0.0.1',
      ...options,
    }),
  });
  onTestFinished(() => agent.destroy());
  return {
    get: async (origin: string) => {
      const { body } = await agent.request({ origin, path: '/', method: 'GET', reset: true });
      return body.text();
    },
  };
}

test('resolves a name once for each connection, and dials the address that it checked', async () => {
  const site = await openSite(({ headers }, response) => response.end(headers.host));
  const queries: string[] = [];
  // DNS rebinding: the second query returns another address.
  const resolve = (name: string) => Promise.resolve(queries.push(name) === 1 ? ['127.0.0.1'] : ['127.0.0.2']);
  const { get } = openAgent({ resolve });
  const origin = `http://rebinding.example:${site.port}`;
  expect(await get(origin)).toBe(`rebinding.example:${site.port}`);
  expect(queries).toEqual(['rebinding.example']);
  await expect(get(origin)).rejects.toMatchObject({ reason: 'address 127.0.0.2' });
  expect([queries.length, site.connections()]).toEqual([2, 1]);
});

test.for<readonly string[]>([
  ['127.0.0.1', '127.0.0.2'],
  ['127.0.0.2', '127.0.0.1'],
  ['127.0.0.1', '::1'],
  [],
])('blocks a name that resolves to %j', async (addresses) => {
  const site = await openSite((_, response) => response.end());
  const { get } = openAgent({ resolve: () => Promise.resolve(addresses) });
  await expect(get(`http://mixed.example:${site.port}`)).rejects.toBeInstanceOf(Blocked);
  expect(site.connections()).toBe(0);
});

test('checks an address in the URL without a DNS query', async () => {
  const site = await openSite((_, response) => response.end('there'));
  const { get } = openAgent({});
  expect(await get(site.url)).toBe('there');
  await expect(get(`http://127.0.0.2:${site.port}`)).rejects.toBeInstanceOf(Blocked);
  await expect(get(`http://[::1]:${site.port}`)).rejects.toBeInstanceOf(Blocked);
});

test('allows a host at any address on its allowed port, and on no other port', async () => {
  const [site, other] = [
    await openSite((_, response) => response.end('there')),
    await openSite(() => undefined),
  ];
  const { get } = openAgent({ passes: () => false, allowed: new Set([`127.0.0.1:${site.port}`, '[::1]:1']) });
  expect(await get(site.url)).toBe('there');
  await expect(get(other.url)).rejects.toBeInstanceOf(Blocked);
  await expect(get('http://[::1]:1')).rejects.not.toBeInstanceOf(Blocked);
  expect(other.connections()).toBe(0);
});

test('sends and verifies the name in TLS, whichever address it dials', async () => {
  trustSelfSigned();
  const names: string[] = [];
  const SNICallback = (name: string, done: (error: null) => void) => {
    names.push(name);
    done(null);
  };
  const site = await openSecureSite((_, response) => response.end('there'), { SNICallback });
  const { get } = openAgent({ resolve: () => Promise.resolve(['127.0.0.1']) });
  expect(await get(`https://good.example:${site.port}`)).toBe('there');
  await expect(get(`https://bad.example:${site.port}`)).rejects.toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
  expect(names).toEqual(['good.example', 'bad.example']);
});

test('rejects a self-signed certificate', async () => {
  const site = await openSecureSite((_, response) => response.end('there'));
  const { get } = openAgent({ resolve: () => Promise.resolve(['127.0.0.1']) });
  await expect(get(`https://good.example:${site.port}`)).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
});
