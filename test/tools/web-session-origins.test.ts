import fc from 'fast-check';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canMatch, isAllowedOrigin } from '../../src/resources/web-sessions/origins.ts';
import { refused } from '../helpers/design-project.ts';
import { openWebProject, type WebProject } from '../helpers/web-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: WebProject;
let conversationId: string;
/** The lines of the log. */
const logged: Record<string, unknown>[] = [];
const log = pino({ base: null }, { write: (line: string) => void logged.push(JSON.parse(line)) });
beforeAll(async () => {
  world = await openWorld({ log });
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

describe('an entry that a page can match is stored as given and allows', () => {
  test.for<[entry: string, ...origins: string[]]>([
    ['https://www.example.com', 'https://www.example.com'],
    ['https://example.com:8443', 'https://example.com:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://[::1]:5173', 'http://[::1]:5173'],
    ['https://exa_mple.test', 'https://exa_mple.test'],
    ['capacitor://localhost', 'capacitor://localhost'],
    ['Capacitor://localhost/', 'capacitor://localhost'],
    ['chrome-extension://abcdefghijklmnop', 'chrome-extension://abcdefghijklmnop'],
    ['https://Example.com', 'https://example.com'],
    ['HTTPS://example.com', 'https://example.com'],
    ['https://example.com/', 'https://example.com'],
    ['https://example.com/shop?a=1#b', 'https://example.com'],
    ['https://example.com/*', 'https://example.com'],
    ['https://user:word@example.com', 'https://example.com'],
    ['https://example.com:443', 'https://example.com'],
    ['http://example.com:80', 'http://example.com'],
    ['https://example.com:0443', 'https://example.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    [' https://example.com', 'https://example.com'],
    ['http://0x7f.1', 'http://127.0.0.1'],
    ['www.example.com', 'https://www.example.com'],
    ['//example.com', 'https://example.com'],
    ['example.com:8443', 'https://example.com:8443'],
    ['localhost:3000', 'https://localhost:3000', 'http://localhost:3000'],
    ['127.0.0.1', 'https://127.0.0.1', 'http://127.0.0.1'],
    ['null', 'null'],
    ['https://*.a.example.co.uk', 'https://b.a.example.co.uk'],
    ['https://*.localhost', 'https://a.localhost'],
    ['https://*.example.com:8443', 'https://a.b.example.com:8443'],
    ['https://*.Example.com/', 'https://a.example.com'],
    ['https://*.bücher.example', 'https://a.xn--bcher-kva.example'],
    ['http://*.example.com', 'http://a.example.com'],
    ['*.example.com', 'https://a.example.com'],
    ['*', 'https://www.example.com', 'http://localhost:3000', 'capacitor://localhost', 'null'],
    [' * ', 'https://www.example.com'],
  ])('%j', async ([entry, ...origins]) => {
    const { body } = await project.createWebAgent({ conversationId, allowedOrigins: [entry] });
    expect(body.allowedOrigins).toEqual([entry]);
    for (const origin of origins) expect(await isAllowed(body.id, origin), origin).toBe(true);
    expect(await isAllowed(body.id, 'https://evil.example')).toBe(entry.trim() === '*');
    // Without an Origin, any publishable key could be used outside of a page.
    expect(await isAllowed(body.id, undefined)).toBe(false);
    expect(canMatch(entry)).toBe(true);
  });
});

test('stores an entry that matches no page, allows nothing by it, and logs a warning', async () => {
  const unmatched = [
    '',
    'not an origin',
    'https://',
    'https://exa mple.com',
    'https://.example.com',
    '.example.com',
    'https://a.1.2.3.4',
    'user@example.com',
    'mailto:me@example.com',
    'file:///index.html',
    'file://host',
    'wss://example.com',
    'data:text/html',
    'https://*',
    'https://www.*.com',
    'https://*example.com',
    'https://*.',
    'https://*.*.example.com',
    'https://*.:8443',
    'https://*.1.2.3.4',
    'https://*.[::1]',
    'https://*.me@example.com',
    'capacitor://*.example.com',
  ];
  expect(unmatched.filter(canMatch)).toEqual([]);
  logged.length = 0;
  const { body } = await project.createWebAgent({ conversationId, allowedOrigins: unmatched });
  expect(body.allowedOrigins).toEqual(unmatched);
  for (const origin of ['null', 'https://example.com', 'https://a.example.com', 'http://host'])
    expect(await isAllowed(body.id, origin), origin).toBe(false);
  const { projectId } = project;
  const warning = { level: 40, projectId, webAgentId: body.id, unmatched: unmatched.length };
  const warnings = () => logged.filter(({ unmatched }) => unmatched !== undefined);
  expect(warnings()).toEqual([expect.objectContaining(warning)]);
  const path = `/v1/web-sessions/agents/${body.id}`;
  await project.call('PATCH', path, { name: 'Renamed' });
  await project.call('PATCH', path, { removeOrigins: unmatched.slice(1) });
  expect(warnings().slice(1)).toEqual([expect.objectContaining({ ...warning, unmatched: 1 })]);
  await project.call('PATCH', path, { allowedOrigins: ['*'] });
  expect(warnings()).toHaveLength(2);
});

test('accepts any origin on MCP as well', async () => {
  const client = await world.mcp('modern http', project.key);
  const { projectId } = project;
  const allowedOrigins = ['*', 'example.com', 'https://Example.com/', 'not an origin'];
  const input = { projectId, name: 'Website', conversationId, scopes: ['chat'], allowedOrigins };
  const { structuredContent } = await client.callTool({ name: 'create_web_agent', arguments: input });
  expect(structuredContent?.['allowedOrigins']).toEqual(allowedOrigins);
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

test('tells a page whether its origin or a disabled agent is why it gets no session', async () => {
  const id = await agentOf('https://www.example.com');
  const start = (origin: string) => project.startSession({ webAgentId: id }, { origin });
  const other = refused(await start('https://evil.example'), 403, 'forbidden');
  expect(other.details).toEqual({ reason: 'origin' });
  await project.call('PATCH', `/v1/web-sessions/agents/${id}`, { status: 'disabled' });
  const disabled = refused(await start('https://www.example.com'), 403, 'forbidden');
  expect(disabled.details).toEqual({ reason: 'disabled' });
});
