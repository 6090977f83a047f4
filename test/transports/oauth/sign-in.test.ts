import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoKeyFor } from '../../../src/transports/web/demo-key.ts';
import type { Tenant } from '../../helpers/world.ts';
import { authorizationUrl, Browser, type ClientForm, openClient, redeem } from './oauth-client.ts';
import { openReplicas, type Replicas } from './replicas.ts';

let replicas: Replicas;
let tenant: Tenant;
/** The log of both servers. */
const lines: string[] = [];

beforeAll(async () => {
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  replicas = await openReplicas({ log, pages: { demoKey: demoKeyFor(() => tenant.key) } });
  tenant = await replicas.first.tenant();
});
afterAll(() => replicas.close());

const anyClient = { redirect: 'https://client.example/callback' };

/** Opens the sign-in page for a client, in a browser of its own. */
async function openPage(form: ClientForm) {
  const client = await openClient(replicas.mcpUrl, form);
  const browser = new Browser();
  const { page, address } = await browser.openSignIn(authorizationUrl(client));
  return { client, browser, page, address };
}

const allowed = () =>
  [
    ['access', 'read'],
    ['key', tenant.key],
    ['decision', 'allow'],
  ] as const;

it('cannot be framed, runs no script, and sends its form to this server and on to the client only', async () => {
  for (const [redirect, source] of [
    ['https://client.example/callback', 'https://client.example'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor:'],
    ['http://localhost:4000/callback', 'http://localhost:4000'],
  ] as const) {
    const { page } = await openPage({ redirect });
    expect(page.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src ${/'sha256-[^']+'/.exec(page.headers.get('content-security-policy') ?? '')?.[0]}; form-action 'self' ${source}; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.text).not.toMatch(/<script| on\w+=|javascript:/i);
  }
});

it('shows the words of the client as text that nobody has verified', async () => {
  const name = '<img src=x onerror=alert(1)>\u202e"Parley\u0000 itself';
  const { page } = await openPage({ ...anyClient, registration: { client_name: name } });
  expect(page.text).toContain(
    '<dt>It calls itself (not verified)</dt><dd><bdi>&lt;img src=x onerror=alert(1)&gt;&quot;Parley itself</bdi></dd>',
  );
  expect(page.text).toContain('<h1>client.example asks for access to Parley</h1>');
  const document = replicas.publish('/named.json', {
    redirect_uris: [anyClient.redirect],
    client_name: 'N'.repeat(5_000),
  });
  const named = await openPage({ ...anyClient, document });
  expect(named.page.text).toContain(`<h1>${new URL(document).host} asks for access to Parley</h1>`);
  expect(named.page.text).toContain(`<bdi>${'N'.repeat(100)}</bdi>`);
  const app = await openPage({ redirect: 'http://localhost:4000/callback' });
  expect(app.page.text).toContain('<h1>An app on your device asks for access to Parley</h1>');
  expect(app.page.text).toContain('<dd>http://localhost:4000 (on your device)</dd>');
});

it('takes no decision from another browser, another site, or a second time', async () => {
  const { browser, address } = await openPage(anyClient);
  const stranger = await new Browser().decide(address, allowed());
  expect(stranger.status).toBe(404);
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])
    expect((await browser.decide(address, allowed(), headers)).status, JSON.stringify(headers)).toBe(403);
  const cookies = (await openPage(anyClient)).browser;
  expect([...cookies.cookies.keys()]).toEqual([
    'parley_sign_in',
    'parley_sign_in.sig',
    'parley_authorization',
    'parley_authorization.sig',
  ]);
  await browser.finish(await browser.decide(address, allowed()));
  expect((await browser.decide(address, allowed())).status).toBe(404);
});

it('keeps its cookies from scripts, other paths and other sites', async () => {
  const client = await openClient(replicas.mcpUrl, anyClient);
  const reply = await new Browser().open(authorizationUrl(client));
  const lines = reply.headers.getSetCookie();
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    expect(line).toMatch(/; httponly/i);
    expect(line).toMatch(/; samesite=lax/i);
    expect(line).toMatch(/; path=\/oauth\/(?:sign-in|authorize)\/[\w-]+/i);
  }
});

it('asks again for a wrong key and for access that the key lacks, and keeps what was chosen', async () => {
  const { browser, address } = await openPage(anyClient);
  const wrong = await browser.decide(address, [
    ['access', 'draft'],
    ['key', 'parley_sk_wrong'],
    ['decision', 'allow'],
  ]);
  expect(wrong.status).toBe(401);
  expect(wrong.text).toContain('value="draft" checked');
  expect(wrong.text).not.toContain('value="read" checked');
  const reader = await replicas.first.key(tenant.projectId, { access: ['read'] });
  const lacking = await browser.decide(address, [
    ['access', 'publish'],
    ['access', 'admin'],
    ['key', reader.key],
    ['decision', 'allow'],
  ]);
  expect(lacking.status).toBe(403);
  expect(lacking.text).toContain('This key has none of the access that you chose; it has read.');
  const nothing = await browser.decide(address, [
    ['key', tenant.key],
    ['decision', 'allow'],
  ]);
  expect(nothing.text).toContain('Choose what the app may do.');
  const back = await browser.finish(await browser.decide(address, allowed()));
  expect(back.searchParams.get('code')).not.toBeNull();
});

it('asks for a key each time, also in a browser that has just signed in', async () => {
  const { browser, client, address } = await openPage(anyClient);
  await browser.finish(await browser.decide(address, allowed()));
  for (const prompt of [undefined, 'consent', 'login']) {
    const again = await browser.openSignIn(authorizationUrl(client, { prompt }));
    expect(again.page.text).toContain('Your Parley key');
  }
});

it('needs one click in the demo, and that only from the page itself', async () => {
  const { browser, page, address } = await openPage(anyClient);
  expect(page.text).toContain('value="demo"');
  const fields = [
    ['access', 'read'],
    ['decision', 'demo'],
  ] as const;
  // A proxy stands between, so that the server cannot tell whose browser it is.
  const proxied = await browser.decide(address, fields, { 'x-forwarded-for': '203.0.113.7' });
  expect(proxied.status).toBe(403);
  const back = await browser.finish(await browser.decide(address, fields));
  expect(back.searchParams.get('code')).not.toBeNull();
});

it('logs no key, no code, no token, and no address of a sign-in', async () => {
  const { browser, client, address } = await openPage(anyClient);
  const back = await browser.finish(await browser.decide(address, allowed()));
  const code = back.searchParams.get('code') ?? '';
  const { body } = await redeem(client, code);
  await redeem(client, code);
  const text = lines.join('');
  expect(text).toContain('"route":"/oauth/sign-in/{uid}"');
  expect(text).toContain('"event":"oauth_grant"');
  const uid = new URL(address).pathname.split('/').at(-1) ?? '';
  for (const secret of [tenant.key, code, body.access_token, body.refresh_token, uid])
    expect(text.includes(secret)).toBe(false);
});
