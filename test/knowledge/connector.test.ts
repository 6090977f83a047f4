import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { Blocked } from '../../src/knowledge/fetch/fetch-failure.ts';
import { type ConnectorOptions, wallConnector } from '../../src/knowledge/fetch/wall-connector.ts';
import { openSecureSite, openSite, trustSelfSigned } from './wall-trial.ts';

/** Loopback stands for the open internet here, but for one address of it. */
function openAgent(options: Partial<ConnectorOptions>) {
  const agent = new Agent({
    connect: wallConnector({
      resolve: () => Promise.reject(new Error('nobody may ask')),
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

test('a name is resolved once for a connection, and what was checked is dialled', async () => {
  const site = await openSite(({ headers }, response) => response.end(headers.host));
  const asked: string[] = [];
  // Rebinding: what is asked a second time is answered otherwise.
  const resolve = (name: string) => Promise.resolve(asked.push(name) === 1 ? ['127.0.0.1'] : ['127.0.0.2']);
  const { get } = openAgent({ resolve });
  const origin = `http://rebinding.example:${site.port}`;
  expect(await get(origin)).toBe(`rebinding.example:${site.port}`);
  expect(asked).toEqual(['rebinding.example']);
  await expect(get(origin)).rejects.toMatchObject({ reason: 'address 127.0.0.2' });
  expect([asked.length, site.connections()]).toEqual([2, 1]);
});

test.for<readonly string[]>([
  ['127.0.0.1', '127.0.0.2'],
  ['127.0.0.2', '127.0.0.1'],
  ['127.0.0.1', '::1'],
  [],
])('all of %j have to pass', async (addresses) => {
  const site = await openSite((_, response) => response.end());
  const { get } = openAgent({ resolve: () => Promise.resolve(addresses) });
  await expect(get(`http://mixed.example:${site.port}`)).rejects.toBeInstanceOf(Blocked);
  expect(site.connections()).toBe(0);
});

test('an address in the URL is checked like any, and nobody is asked', async () => {
  const site = await openSite((_, response) => response.end('there'));
  const { get } = openAgent({});
  expect(await get(site.url)).toBe('there');
  await expect(get(`http://127.0.0.2:${site.port}`)).rejects.toBeInstanceOf(Blocked);
  await expect(get(`http://[::1]:${site.port}`)).rejects.toBeInstanceOf(Blocked);
});

test('a host and port that are allowed may be anywhere, and no other port of it', async () => {
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

test('the name is what TLS asks for and compares, whatever is dialled', async () => {
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

test('a certificate that nobody vouches for is refused', async () => {
  const site = await openSecureSite((_, response) => response.end('there'));
  const { get } = openAgent({ resolve: () => Promise.resolve(['127.0.0.1']) });
  await expect(get(`https://good.example:${site.port}`)).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
});
