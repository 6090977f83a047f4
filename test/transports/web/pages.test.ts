import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoKeyFor } from '../../../src/transports/web/demo-key.ts';
import { openWorld, type World } from '../../helpers/world.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const demo = 'parley_sk_of_the_demo';

let world: World;
beforeAll(async () => {
  world = await openWorld({ pages: { demoKey: demoKeyFor(() => demo) } });
});
afterAll(() => world.close());

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** Sends any header, such as Host, which fetch refuses to set. */
function send(method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(world.base + path, { method, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        const { statusCode = 0 } = response;
        resolve({ status: statusCode, headers: response.headers, body: Buffer.concat(pieces).toString() });
      });
    });
    sent.on('error', reject).end();
  });
}

const get = (path: string, headers?: Readonly<Record<string, string>>) => send('GET', path, headers);

describe('GET /', () => {
  it('returns the Studio to a browser', async () => {
    const { status, headers, body } = await get('/', { accept: browser });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['vary']).toContain('Accept');
    expect(body).toContain('<div id="root">');
  });

  it.for(['*/*', 'application/json', undefined])(
    'returns JSON to a client that accepts %s',
    async (accept) => {
      const { status, body } = await get('/', accept === undefined ? {} : { accept });
      expect(status).toBe(200);
      expect(JSON.parse(body)).toEqual({
        name: 'Parley',
        version: '0.0.0-test',
        documentation: { openapi: '/openapi.json', mcp: '/mcp', studio: '/studio/' },
        demo: true,
        models: { speech: true, transcription: true },
      });
    },
  );
});

describe('the pages of the Studio', () => {
  it('allow no outside host, no frame and no inline script', async () => {
    const { headers } = await get('/studio/conversations/c123', { accept: browser });
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    const rooms = ' wss://livekit.test https://livekit.test;';
    expect(policy).toContain(`connect-src 'self'${rooms}`);
    expect(String(policy).replace(rooms, ';')).not.toMatch(/unsafe|https?:|wss?:|\*/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });

  it.for([
    ['ws://127.0.0.1:7880', "connect-src 'self' ws://127.0.0.1:7880 http://127.0.0.1:7880;"],
    ['https://rooms.example/', "connect-src 'self' wss://rooms.example https://rooms.example;"],
    [undefined, "connect-src 'self';"],
  ] as const)('connect to no other host than the LiveKit server %s', async ([liveKitUrl, connections]) => {
    const keys = { apiKey: 'key', apiSecret: 'secret' };
    const other = await openWorld({ pages: {}, liveKit: liveKitUrl && { url: liveKitUrl, ...keys } });
    const page = await fetch(`${other.base}/studio/`, { headers: { accept: 'text/html' } });
    await other.close();
    expect(page.headers.get('content-security-policy')).toContain(connections);
    expect(page.headers.get('permissions-policy')).toContain('microphone=(self)');
  });

  it('load files that never change, compressed, and the page itself is checked each time', async () => {
    const { headers: pageHeaders, body } = await get('/', { accept: browser });
    expect(pageHeaders['cache-control']).toBe('no-cache');
    const etag = String(pageHeaders['etag']);
    for (const known of [etag, `"other", W/${etag}`, '*'])
      expect(await get('/', { accept: browser, 'if-none-match': known })).toMatchObject({
        status: 304,
        body: '',
      });
    const script = /src="(\/studio\/assets\/[^"]+\.js)"/.exec(body)?.[1] ?? '';
    const file = await get(script, { 'accept-encoding': 'gzip, br' });
    expect(file.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect((await get(script)).headers['content-encoding']).toBeUndefined();
  });

  it.for([
    '/studio/assets/index-0000.js',
    '/studio/../package.json',
    '/studio/%2e%2e/package.json',
    '/pages',
  ])('do not include %s', async (path) => {
    const { status, headers } = await get(path, { accept: '*/*' });
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('are not sent to a client that wants JSON', async () => {
    expect((await get('/studio/conversations', { accept: 'application/json' })).status).toBe(404);
    expect((await get('/v1/no-such-path', { accept: browser })).headers['content-type']).toMatch(/json/);
  });
});

describe('POST /studio/demo-key', () => {
  const own = () => ({ 'sec-fetch-site': 'same-origin', origin: world.base });
  const ask = (headers: Readonly<Record<string, string>>) => send('POST', '/studio/demo-key', headers);

  it("returns the demo's key to a browser on the same machine", async () => {
    const { status, body, headers } = await ask(own());
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ key: demo });
    expect(headers['cache-control']).toBe('no-store');
  });

  it.for<[attack: string, headers: Record<string, string>]>([
    ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a page of another port', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }],
    ['a wrong origin with the right site', { origin: 'http://evil.example' }],
    ['a link that was followed', { 'sec-fetch-site': 'none' }],
    ['a rebound name', { host: 'evil.example:80', origin: 'http://evil.example:80' }],
    [
      'a name that only starts like this machine',
      { host: '127.0.0.1.evil.example', origin: 'http://127.0.0.1.evil.example' },
    ],
    ['X-Forwarded-For', { 'x-forwarded-for': '203.0.113.9' }],
    ['X-Forwarded-Host', { 'x-forwarded-host': '127.0.0.1' }],
    ['Forwarded', { forwarded: 'for=127.0.0.1' }],
    ['X-Real-IP', { 'x-real-ip': '127.0.0.1' }],
    ['Via', { via: '1.1 proxy' }],
  ])('refuses %s', async ([, headers]) => {
    const { status, body } = await ask({ ...own(), ...headers });
    expect(status).toBe(403);
    expect(body).not.toContain(demo);
  });

  it('refuses a program that sends no fetch metadata', async () => {
    expect((await ask({})).status).toBe(403);
  });

  it('does not offer the demo through a proxy', async () => {
    const { body } = await get('/', { 'x-forwarded-for': '203.0.113.9' });
    expect(JSON.parse(body)).toMatchObject({ demo: false });
  });
});

describe('a server in production', () => {
  it('has no route to the demo', async () => {
    const production = await openWorld({ pages: {} });
    try {
      const asked = await fetch(`${production.base}/studio/demo-key`, { method: 'POST' });
      expect(asked.status).toBe(404);
      expect(await (await fetch(production.base)).json()).toMatchObject({ demo: false });
    } finally {
      await production.close();
    }
  });
});
