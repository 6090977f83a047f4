import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../../helpers/world.ts';

/** Bytes of the widget on the wire. */
const mostBytes = 30_000;

let world: World;
beforeAll(async () => {
  world = await openWorld({ pages: {} });
});
afterAll(() => world.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(world.base + path, { headers });

describe('GET /widget.js', () => {
  it('serves the widget to pages of every origin, without a key', async () => {
    const response = await get('/widget.js', { origin: 'https://shop.example' });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    });
    expect(await response.text()).toContain('parley-chat');
  });

  it('sends nothing again to a browser that has these bytes', async () => {
    const { headers } = await get('/widget.js');
    const etag = headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/widget.js', { 'if-none-match': known });
      expect([known, again.status]).toEqual([known, 304]);
      expect(again.headers.get('access-control-allow-origin')).toBe('*');
    }
    expect((await get('/widget.js', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('takes less than 30 KB on the wire', async () => {
    const sizes = await Promise.all(
      ['gzip', 'br'].map(async (encoding) => {
        const response = await fetch(`${world.base}/widget.js`, {
          method: 'HEAD',
          headers: { 'accept-encoding': encoding },
        });
        expect(response.headers.get('content-encoding')).toBe(encoding);
        return Number(response.headers.get('content-length'));
      }),
    );
    for (const size of sizes) {
      expect(size).toBeGreaterThan(1000);
      expect(size).toBeLessThan(mostBytes);
    }
  });

  it('writes no markup that a page with Trusted Types refuses', async () => {
    const text = await (await get('/widget.js')).text();
    expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/);
  });
});

describe('GET /widget', () => {
  it('serves the page to try the widget on, under a strict policy', async () => {
    const response = await get('/widget', { accept: 'text/html' });
    expect(response.status).toBe(200);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`connect-src 'self' ${world.base};`);
    expect(policy?.replace(world.base, '')).not.toMatch(/unsafe|https?:|\*/);
    const files = [...(await response.text()).matchAll(/(?:src|href)="(\/widget\/assets\/[^"]+)"/g)];
    expect(files).toHaveLength(2);
    for (const [, file = ''] of files) {
      const asset = await get(file);
      expect(asset.status).toBe(200);
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('lets the page reach sessions at the public address of another origin', async () => {
    const elsewhere = await openWorld({ pages: {}, publicUrl: 'https://parley.example:8443/base' });
    try {
      const { headers } = await fetch(`${elsewhere.base}/widget`);
      expect(headers.get('content-security-policy')).toContain(
        "connect-src 'self' https://parley.example:8443;",
      );
    } finally {
      await elsewhere.close();
    }
  });

  it.for(['/widget/', '/widget/assets/other.js', '/widget/../index.html', '/widget.css'])(
    'returns 404 for %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});
