import { expect, test } from 'vitest';
import { unreachable } from '../../../src/platform/outbound/fetch-failure.ts';
import {
  failureOf,
  never,
  openSecureSite,
  openSite,
  openTrialWall,
  trustSelfSigned,
} from '../../helpers/wall-trial.ts';

/** A site whose paths redirect: `/to?url=…` to that URL, and `/n` to `/n-1` down to `/0`. */
async function openRedirectingSite(status = 302) {
  const asked: string[] = [];
  const site = await openSite(({ url = '' }, response) => {
    asked.push(url);
    const steps = /^\/(\d+)$/.exec(url)?.[1];
    const location =
      steps === undefined ? new URL(url, 'http://x').searchParams.get('url') : `/${Number(steps) - 1}`;
    if (steps === '0' || location === null) response.setHeader('content-type', 'text/plain').end('there');
    else response.writeHead(status, { location }).end('go on');
  });
  const lead = (to: string) => `${site.url}/to?url=${encodeURIComponent(to)}`;
  return { ...site, asked, lead };
}

test.for([301, 302, 303, 307, 308])(
  'follows a %d, and returns the canonical URL of the target',
  async (status) => {
    const site = await openRedirectingSite(status);
    const { wall } = openTrialWall(site);
    const fetched = await wall.fetch(site.lead('/%7ejoe?utm_source=x#part'), { signal: never });
    expect(fetched).toMatchObject({ url: `${site.url}/~joe`, status: 200, contentType: 'text/plain' });
    expect(Buffer.from(fetched.bytes).toString()).toBe('there');
  },
);

test('follows three redirects, but not a fourth', async () => {
  const site = await openRedirectingSite();
  const { wall } = openTrialWall(site);
  expect((await wall.fetch(`${site.url}/3`, { signal: never })).url).toBe(`${site.url}/0`);
  expect(site.asked).toEqual(['/3', '/2', '/1', '/0']);
  const message = 'The page redirects more than 3 times.';
  expect(await failureOf(wall.fetch(`${site.url}/4`, { signal: never }))).toEqual({ message, final: true });
  expect(site.asked.slice(4)).toEqual(['/4', '/3', '/2', '/1']);
});

test('ends a redirect loop', async () => {
  const site = await openSite((_, response) => response.writeHead(302, { location: '/loop' }).end());
  const { wall } = openTrialWall(site);
  expect(await failureOf(wall.fetch(`${site.url}/loop`, { signal: never }))).toMatchObject({ final: true });
  expect(site.connections()).toBeLessThanOrEqual(4);
});

test.for<[to: string, message: string]>([
  ['http://127.0.0.1/', unreachable],
  ['http://169.254.169.254/latest/meta-data/', unreachable],
  ['http://2852039166/', unreachable],
  ['//[::ffff:169.254.169.254]/', unreachable],
  ['http://inside.example/', unreachable],
  ['http://example.com:22/', 'The address must use port 80 or 443, not 22.'],
  ['http://user:secret@example.com/', 'The address must not name a user or a password.'],
  ['file:///etc/passwd', 'The address must begin with http or https.'],
  ['ftp://example.com/', 'The address must begin with http or https.'],
  ['gopher://127.0.0.1:6379/_FLUSHALL', 'The address must begin with http or https.'],
])('blocks and logs a redirect to %s', async ([to, message]) => {
  const site = await openRedirectingSite();
  const { wall, events } = openTrialWall({ allow: site.allow, resolve: () => Promise.resolve(['10.0.0.1']) });
  expect(await failureOf(wall.fetch(site.lead(to), { signal: never }))).toEqual({ message, final: true });
  expect(events).toEqual([expect.objectContaining({ event: 'fetch_blocked' })]);
  const outbound = { host: new URL(to, site.url).host, reason: expect.any(String) };
  expect(events).toEqual([expect.objectContaining({ outbound })]);
});

test('follows redirects from http to https, but not back', async () => {
  trustSelfSigned();
  const plain = await openSite(({ url }, response) => {
    response.writeHead(url === '/up' ? 302 : 200, { location: `${secure.url}/` }).end('plain');
  });
  const secure = await openSecureSite(({ url }, response) => {
    response.writeHead(url === '/down' ? 302 : 200, { location: `${plain.url}/` }).end('secure');
  });
  const { wall, events } = openTrialWall({ allow: [...plain.allow, ...secure.allow] });
  const { url, bytes } = await wall.fetch(`${plain.url}/up`, { signal: never });
  expect([url, Buffer.from(bytes).toString()]).toEqual([`${secure.url}/`, 'secure']);
  expect(await failureOf(wall.fetch(`${secure.url}/down`, { signal: never }))).toEqual({
    message: 'The page redirects from https to http.',
    final: true,
  });
  expect(events).toEqual([
    expect.objectContaining({ outbound: { host: `127.0.0.1:${plain.port}`, reason: 'downgrade' } }),
  ]);
});

test('checks the target of a redirect from an allowed host', async () => {
  const [site, other] = [await openRedirectingSite(), await openRedirectingSite()];
  const { wall } = openTrialWall({ allow: site.allow, limits: { ports: [other.port] } });
  expect(await failureOf(wall.fetch(site.lead(other.url), { signal: never }))).toEqual({
    message: unreachable,
    final: true,
  });
  expect(other.connections()).toBe(0);
});

test('does not follow a redirect that the caller rejects', async () => {
  const site = await openRedirectingSite();
  const { wall, events } = openTrialWall(site);
  const offered: string[] = [];
  const follow = (url: string) => offered.push(url) > 1;
  expect(await failureOf(wall.fetch(`${site.url}/2`, { signal: never, follow }))).toEqual({
    message: 'The page redirects to another site.',
    final: true,
  });
  expect([offered, site.asked, events]).toEqual([[`${site.url}/1`], ['/2'], []]);
});

test('fails finally for a redirect without a valid target', async () => {
  const site = await openRedirectingSite();
  const { wall } = openTrialWall(site);
  const message = 'The address is not a valid URL.';
  expect(await failureOf(wall.fetch(site.lead('http://[::'), { signal: never }))).toEqual({
    message,
    final: true,
  });
  const silent = await openSite((_, response) => response.writeHead(302).end());
  const other = openTrialWall(silent);
  expect(await failureOf(other.wall.fetch(silent.url, { signal: never }))).toEqual({
    message: 'The site responded with status 302.',
    final: true,
  });
});
