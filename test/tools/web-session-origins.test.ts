import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAllowedOrigin } from '../../src/resources/web-sessions/origins.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { refused } from './design-project.ts';
import { openWebProject, type WebProject } from './web-project.ts';

let world: World;
let project: WebProject;
let conversationId: string;
beforeAll(async () => {
  world = await openWorld();
  project = await openWebProject(world);
  conversationId = await project.newConversation();
});
afterAll(() => world.close());

const agentOf = (...allowedOrigins: string[]) => project.newWebAgent({ conversationId, allowedOrigins });

/** True if a page of this origin gets a session with the publishable key. */
async function isAllowed(webAgentId: string, origin: string | undefined): Promise<boolean> {
  const request = { key: project.publishableKey, ...(origin !== undefined && { origin }) };
  const answer = await project.startSession({ webAgentId }, request);
  if (answer.status === 201) return true;
  refused(answer, 403, 'forbidden');
  return false;
}

describe('a list of origins accepts', () => {
  test.for([
    'https://www.example.com',
    'https://example.com:8443',
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]:5173',
    'https://xn--bcher-kva.example',
    'https://exa_mple.test',
    'https://*.example.com',
    'https://*.localhost',
    'https://*.a.b.example.co.uk',
    'capacitor://localhost',
    'chrome-extension://abcdefghijklmnop',
  ])('%s unchanged', async (origin) => {
    const { body } = await project.createWebAgent({ conversationId, allowedOrigins: [origin] });
    expect(body.allowedOrigins).toEqual([origin]);
  });

  test.for<[entry: string, message: string]>([
    ['', 'scheme://host'],
    ['null', 'scheme://host'],
    ['www.example.com', 'scheme://host'],
    ['//example.com', 'scheme://host'],
    ['https://', 'scheme://host'],
    ['https://exa mple.com', 'scheme://host'],
    ['https://a.1.2.3.4', 'scheme://host'],
    ['file:///index.html', 'scheme://host'],
    ['file://host', 'scheme://host'],
    ['wss://example.com', 'scheme://host'],
    ['data:text/html', 'scheme://host'],
    ['capacitor://localhost/', 'scheme://host'],
    ['Capacitor://localhost', 'write it capacitor://localhost'],
    ['https://Example.com', 'write it https://example.com.'],
    ['HTTPS://example.com', 'write it https://example.com.'],
    ['https://example.com/', 'write it https://example.com.'],
    ['https://example.com/shop?a=1#b', 'write it https://example.com.'],
    ['https://user:word@example.com', 'write it https://example.com.'],
    ['https://example.com:443', 'write it https://example.com.'],
    ['http://example.com:80', 'write it http://example.com.'],
    ['https://example.com:0443', 'write it https://example.com.'],
    ['https://bücher.example', 'write it https://xn--bcher-kva.example.'],
    [' https://example.com', 'scheme://host'],
    ['http://0x7f.1', 'write it http://127.0.0.1.'],
    ['*', 'subdomains only'],
    ['*.example.com', 'subdomains only'],
    ['http://*.example.com', 'subdomains only'],
    ['https://*', 'subdomains only'],
    ['https://www.*.com', 'subdomains only'],
    ['https://*example.com', 'subdomains only'],
    ['https://*.', 'https://*.host'],
    ['https://*.*.example.com', 'https://*.host'],
    ['https://*.example.com:8443', 'https://*.host'],
    ['https://*.example.com/', 'https://*.host'],
    ['https://*.Example.com', 'https://*.host'],
    ['https://*.bücher.example', 'https://*.host'],
    ['https://*.1.2.3.4', 'https://*.host'],
    ['https://*.[::1]', 'https://*.host'],
  ])('not %j, which matches no page', async ([entry, message]) => {
    const allowedOrigins = ['https://good.example', entry];
    const answer = await project.createWebAgent({ conversationId, allowedOrigins });
    const { issues } = refused(answer, 400, 'invalid_request').details;
    expect(issues).toEqual([
      { in: 'body', path: '/allowedOrigins/1', message: expect.stringContaining(message) },
    ]);
  });
});

test('an exact origin allows pages of this origin only', async () => {
  const id = await agentOf('https://www.example.com', 'http://localhost:3000', 'capacitor://localhost');
  for (const origin of ['https://www.example.com', 'http://localhost:3000', 'capacitor://localhost'])
    expect(await isAllowed(id, origin), origin).toBe(true);
  for (const origin of [
    undefined,
    'null',
    'http://www.example.com',
    'https://example.com',
    'https://a.www.example.com',
    'https://www.example.com:8443',
    'https://www.example.com:443',
    'https://WWW.example.com',
    'https://www.example.com/',
    'https://www.example.com.evil.example',
    'https://evil.example#https://www.example.com',
    'http://localhost',
    'http://localhost:30001',
    'http://127.0.0.1:3000',
  ])
    expect(await isAllowed(id, origin), origin ?? 'none').toBe(false);
});

test('a wildcard allows subdomains of any depth on the default port, and no other host with the same ending', async () => {
  const id = await agentOf('https://*.example.com');
  for (const origin of [
    'https://a.example.com',
    'https://a.b-c.d_e.example.com',
    'https://xn--bcher-kva.example.com',
  ])
    expect(await isAllowed(id, origin), origin).toBe(true);
  for (const origin of [
    'https://example.com',
    'https://.example.com',
    'https://a..example.com',
    'https://*.example.com',
    'https://evil-example.com',
    'https://evilexample.com',
    'https://a.example.com.evil.example',
    'https://evil.example/.example.com',
    'https://evil.example?.example.com',
    'https://evil.example:1.example.com',
    'https://evil.example@a.example.com',
    'http://a.example.com',
    'https://a.example.com:8443',
    'https://A.example.com',
    'null',
    undefined,
  ])
    expect(await isAllowed(id, origin), origin ?? 'none').toBe(false);
});

test('only a secret key starts a session without a list or without an origin', async () => {
  const [open, listed] = [await agentOf(), await agentOf('https://www.example.com')];
  const start = async (key: string, webAgentId: string, origin?: string) =>
    (await project.startSession({ webAgentId }, { key, ...(origin !== undefined && { origin }) })).status;
  const { key: secret, publishableKey } = project;
  for (const origin of [undefined, 'https://www.example.com', 'null']) {
    expect(await start(publishableKey, open, origin)).toBe(403);
    expect(await start(secret, open, origin)).toBe(201);
  }
  expect(await start(publishableKey, listed)).toBe(403);
  expect(await start(secret, listed)).toBe(201);
  // A secret key does not help a page whose origin is not allowed.
  expect(await start(secret, listed, 'https://evil.example')).toBe(403);
  expect(await start(secret, listed, 'https://www.example.com')).toBe(201);
});

test('refuses a header with two origins', async () => {
  const id = await agentOf('https://www.example.com');
  expect(await isAllowed(id, 'https://www.example.com, https://www.example.com')).toBe(false);
});

/** A second implementation of the rule, which compares labels. */
function oracle(entry: string, origin: string): boolean {
  if (!entry.includes('*')) return entry === origin;
  const { protocol, port, hostname } = new URL(origin);
  if (protocol !== 'https:' || port !== '') return false;
  const wanted = entry.replace('https://*.', '').split('.').toReversed();
  const given = hostname.split('.').toReversed();
  return given.length > wanted.length && wanted.every((label, depth) => given[depth] === label);
}

test('agrees with a second implementation for any entry and any origin', () => {
  const label = fc.constantFrom('a', 'b', 'ab', 'b-a', 'example', 'evil-example', 'com');
  const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
  const scheme = fc.constantFrom('https', 'https', 'http');
  const port = fc.constantFrom('', '', ':8443', ':3000');
  const origin = fc.tuple(scheme, host, port).map(([name, at, where]) => `${name}://${at}${where}`);
  const entry = fc.oneof(
    origin,
    host.map((at) => `https://*.${at}`),
  );
  // Origins close to the entries, because others would nearly never match.
  const near = fc
    .tuple(entry, fc.constantFrom('a.', 'a.b.', 'a', 'evil-', '', ''))
    .map(([one, before]) => one.replace('*.', before).replace('*', ''));
  const entries = fc.array(entry, { minLength: 1, maxLength: 3 });
  const origins = fc.array(fc.oneof(near, origin), { minLength: 4, maxLength: 8 });
  let allowed = 0;
  fc.assert(
    fc.property(entries, origins, (entries, origins) => {
      const related = entries.flatMap((one) => [
        one.replace('*', 'www'),
        one.replace('*.', ''),
        one.replace('*.', 'evil-'),
      ]);
      for (const from of [...origins, ...related]) {
        const wanted = entries.some((one) => oracle(one, from));
        expect(isAllowedOrigin(entries, from), `${from} in ${entries.join(' ')}`).toBe(wanted);
        if (wanted) allowed += 1;
      }
    }),
    { numRuns: 1000 },
  );
  expect(allowed).toBeGreaterThan(1000);
});
