import { describe, expect, onTestFinished, test } from 'vitest';
import { openWorld } from '../../helpers/world.ts';
import { expectRefused, message, sender } from './raw-message.ts';

const list = message('tools/list');

/** Opens an endpoint with this public URL. Returns a sender that has the key of a project there. */
async function endpoint(publicUrl?: string) {
  const world = await openWorld({ ...(publicUrl !== undefined && { publicUrl }) });
  onTestFinished(() => world.close());
  return sender(world.base, (await world.tenant()).key);
}

const loopback = [
  ...['localhost', 'localhost:8080', 'LOCALHOST:1', '127.0.0.1', '127.0.0.1:9', '[::1]', '[::1]:80'].map(
    (host) => ({ host }),
  ),
  ...['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:5173'].map((origin) => ({ origin })),
];

const strange = [
  { host: 'evil.example' },
  { host: 'localhost.evil.example:80' },
  { host: '127.0.0.1.evil.example' },
  { host: '10.0.0.1' },
  { host: '0.0.0.0' },
  { origin: 'https://evil.example' },
  { origin: 'http://localhost.evil.example' },
  { origin: 'null' },
  { origin: 'evil' },
];

test('serves loopback under all of its names, and returns 403 for everything else', async () => {
  const send = await endpoint();
  for (const headers of loopback)
    expect((await send({ headers, body: list })).status, JSON.stringify(headers)).toBe(200);
  for (const headers of [...strange, { host: 'parley.example' }, { origin: 'https://parley.example' }])
    expectRefused(await send({ headers, body: list }), 403, 'forbidden');
});

test('serves the public address besides loopback, and none similar to it', async () => {
  const send = await endpoint('https://parley.example/base');
  const own = [
    { host: 'parley.example' },
    { host: 'parley.example:443', origin: 'https://parley.example' },
    { host: 'localhost', origin: 'https://parley.example' },
  ];
  for (const headers of [...loopback, ...own])
    expect((await send({ headers, body: list })).status, JSON.stringify(headers)).toBe(200);
  const neighbours = [
    { host: 'sub.parley.example' },
    { origin: 'https://parley.example.evil' },
    { host: 'parley' },
  ];
  for (const headers of [...strange, ...neighbours])
    expectRefused(await send({ headers, body: list }), 403, 'forbidden');
});

test('checks Host and Origin before the key and everything else', async () => {
  const send = await endpoint();
  for (const method of ['POST', 'GET', 'DELETE'])
    for (const headers of strange) {
      const sent = { method, headers: { ...headers, authorization: '' }, query: '?x=1', body: '{' };
      expectRefused(await send(sent), 403, 'forbidden');
    }
});

describe('for a page in a browser, /mcp', () => {
  const allowed = ['http://localhost:6274', 'https://parley.example'];
  const preflight = {
    authorization: '',
    'content-type': '',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,mcp-protocol-version,mcp-param-flow',
  };

  test('responds to a preflight of an allowed origin without a key, and lets it send what it asks for', async () => {
    const send = await endpoint('https://parley.example');
    for (const origin of allowed) {
      const { status, headers } = await send({ method: 'OPTIONS', headers: { ...preflight, origin } });
      expect(status).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': preflight['access-control-request-headers'],
        vary: 'Origin',
      });
    }
  });

  test('lets an allowed origin read every response, errors included', async () => {
    const send = await endpoint('https://parley.example');
    for (const origin of allowed)
      for (const [body, authorization] of [[list], ['{'], [list, 'Bearer wrong']] as const) {
        const { headers } = await send({
          headers: { origin, ...(authorization && { authorization }) },
          body,
        });
        expect(headers['access-control-allow-origin']).toBe(origin);
        expect(headers['access-control-expose-headers']).toMatch(/mcp-session-id.*www-authenticate/);
      }
  });

  test('returns 403 without CORS headers to a preflight and a call of any other origin', async () => {
    const send = await endpoint('https://parley.example');
    for (const method of ['OPTIONS', 'POST']) {
      const answer = await send({ method, headers: { ...preflight, origin: 'https://evil.example' } });
      expectRefused(answer, 403, 'forbidden');
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toStrictEqual(
        [],
      );
    }
  });
});
