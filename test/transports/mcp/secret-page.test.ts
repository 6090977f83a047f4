import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type McpToolResult,
  mcpTransports,
  openWorld,
  type Person,
  type Tenant,
  type World,
} from '../../helpers/world.ts';
import { modernMessage } from './modern-message.ts';
import { rpc, sender } from './raw-message.ts';

const value = 'sk-live-päss"word<&>';

const logged: string[] = [];
let world: World;
/** Another replica on the same database. */
let replica: World;
let tenant: Tenant;
beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  world = await openWorld({ log });
  replica = await openWorld({ log, database: { url: world.databaseUrl, drop: async () => undefined } });
  tenant = await world.tenant({ name: 'Salon <script>alert(1)</script>' });
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

/** The page of an address, on a server of this test. */
const pageOf = (url: string | undefined, at = world) => `${at.base}${new URL(url ?? '').pathname}`;

const enter = (page: string, text: string, headers: Record<string, string> = {}) =>
  fetch(page, { method: 'POST', body: new URLSearchParams({ value: text }), headers });

/** A person who enters the secret on the page, and then says so. */
const willing: Person = async ({ url }) => {
  expect((await enter(pageOf(url), value)).status).toBe(200);
  return { action: 'accept' };
};

const textOf = ({ content }: McpToolResult) => JSON.parse(content[0]?.text ?? '');
const set = (name: string, more: object = {}) => ({ name: 'set_secret', arguments: { name, ...more } });

/** The stored value of a secret; undefined if there is none. */
async function stored(name: string, { projectId } = tenant): Promise<string | undefined> {
  const [secret] = await world.stores(projectId).secrets.sealed([name]);
  const { services } = world.core.runtime;
  return secret && services.open({ projectId }, 'secrets', name, secret.value).toString();
}

/** Asks for a secret as a client of 2026-07-28 does, and returns the result and the page. */
async function ask(name: string, { key = tenant.key, reply = {}, at = world } = {}) {
  const params = { ...set(name), ...reply };
  const message = modernMessage('tools/call', params, { elicitation: { url: {} } });
  const { result } = rpc(await sender(at.base, key)(message));
  const { params: shown } = result.inputRequests?.question ?? {};
  return { result, shown, page: shown && pageOf(shown.url) };
}

const accepted = (requestState: string) => ({
  inputResponses: { question: { action: 'accept' } },
  requestState,
});

describe.each(mcpTransports.filter((transport) => transport !== 'legacy http'))('over %s', (transport) => {
  it('keeps a secret that a person enters on a page, past the model', async () => {
    const client = await world.mcp(transport, tenant.key, {}, willing);
    const name = `A_${transport.replace(' ', '_')}`;
    const result = await client.callTool(set(name));
    expect(textOf(result)).toMatchObject({ name });
    expect(JSON.stringify(result)).not.toContain(value);
    expect(textOf(result)).not.toHaveProperty('warnings');
    expect(await stored(name)).toBe(value);
  });
});

it('waits for a person who takes a while', async () => {
  const client = await world.mcp('modern http', tenant.key, {}, async ({ url }) => {
    void sleep(1_500).then(() => enter(pageOf(url), value));
    return { action: 'accept' };
  });
  expect(textOf(await client.callTool(set('SLOW')))).toMatchObject({ name: 'SLOW' });
  expect(await stored('SLOW')).toBe(value);
});

it('sets nothing if the person declines, and says so', async () => {
  const client = await world.mcp('modern http', tenant.key, {}, async () => ({ action: 'decline' }));
  const result = await client.callTool(set('DECLINED'));
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatchObject({ error: { code: 'declined' } });
  expect(await stored('DECLINED')).toBeUndefined();
});

it.each(mcpTransports)('takes the value in the call over %s, with a warning', async (transport) => {
  const client = await world.mcp(transport, tenant.key);
  const result = await client.callTool(set('GIVEN', { value }));
  expect(textOf(result)).toMatchObject({ name: 'GIVEN', warnings: [{ path: '/value' }] });
  const left = await client.callTool(set('GIVEN'));
  expect(left.isError).toBe(true);
  expect(textOf(left)).toMatchObject({
    error: { code: 'invalid_request', details: { issues: [{ path: '/value' }] } },
    hint: expect.stringContaining('cannot open a page'),
  });
});

describe('where a secret may be sent', () => {
  const bound = async (name: string) =>
    (await world.stores(tenant.projectId).secrets.sealed([name])).map(({ binding }) => binding);
  const form = (page: string, fields: Record<string, string>) =>
    fetch(page, { method: 'POST', body: new URLSearchParams(fields) });

  const setBound = async (name: string, hosts: string[]) => {
    const route = `/v1/projects/${tenant.projectId}/secrets/${name}`;
    const { status } = await world.rest('PATCH', route, { key: tenant.key, body: { value, hosts } });
    expect(status).toBe(200);
  };

  it('is shown as the call wants it, and is what the person enters', async () => {
    const client = await world.mcp('modern http', tenant.key, {}, async ({ url }) => {
      const page = await (await fetch(pageOf(url))).text();
      expect(page).toContain('value="evil.example"');
      expect(page).toContain('value="authorization"');
      const fields = { value, hosts: 'api.example.com, *.Example.org', headers: 'X-Key', inUrl: 'on' };
      expect((await form(pageOf(url), fields)).status).toBe(200);
      return { action: 'accept' };
    });
    const result = textOf(await client.callTool(set('BOUND', { hosts: ['evil.example'] })));
    expect(result).toMatchObject({ name: 'BOUND', hosts: ['api.example.com', '*.example.org'], inUrl: true });
    expect(await bound('BOUND')).toEqual([
      { hosts: ['api.example.com', '*.example.org'], headers: ['x-key'], inUrl: true },
    ]);
  });

  it('changes without a value, and the value stays', async () => {
    await setBound('KEPT', ['api.example.com', '*.example.org']);
    const client = await world.mcp('modern http', tenant.key, {}, async ({ url }) => {
      const page = await (await fetch(pageOf(url))).text();
      expect(page).toContain('value="api.example.com *.example.org"');
      expect((await form(pageOf(url), { value: '' })).status).toBe(400);
      const fields = { value: '', hosts: 'api.example.com', headers: 'authorization' };
      expect((await form(pageOf(url), fields)).status).toBe(200);
      return { action: 'accept' };
    });
    expect(textOf(await client.callTool(set('KEPT')))).toMatchObject({ hosts: ['api.example.com'] });
    expect(await stored('KEPT')).toBe(value);
    expect(await bound('KEPT')).toEqual([
      { hosts: ['api.example.com'], headers: ['authorization'], inUrl: false },
    ]);
  });

  it('stays as it is if the person removes the hosts that the call asks for', async () => {
    await setBound('BEFORE', ['api.example.com']);
    const client = await world.mcp('modern http', tenant.key, {}, async ({ url }) => {
      expect((await form(pageOf(url), { value, hosts: '', headers: 'x-key' })).status).toBe(200);
      return { action: 'accept' };
    });
    for (const [name, hosts] of [
      ['BEFORE', ['api.example.com']],
      ['UNBOUND', []],
    ] as const) {
      const result = await client.callTool(set(name, { hosts: ['evil.example'], inUrl: true }));
      expect(textOf(result)).toMatchObject({ name, hosts, inUrl: false });
      expect(await bound(name)).toMatchObject([{ hosts, inUrl: false }]);
    }
  });

  it('is what the person has seen, also if a replica of an earlier release shows the page', async () => {
    const client = await world.mcp('modern http', tenant.key, {}, async ({ url }) => {
      const { pathname } = new URL(url ?? '');
      const tokenHash = hash('sha256', pathname.slice(pathname.lastIndexOf('/') + 1), 'buffer');
      const { services } = world.core.runtime;
      const sealed = services.seal(tenant, 'secret_requests', tokenHash.toString('hex'), value);
      const entered = await world.rows(
        'update secret_requests set sealed_value = $1 where token_hash = $2 returning name',
        [sealed, tokenHash],
      );
      expect(entered).toEqual([{ name: 'secret EARLIER' }]);
      return { action: 'accept' };
    });
    const result = await client.callTool(set('EARLIER', { hosts: ['evil.example'] }));
    expect(textOf(result)).toMatchObject({ name: 'EARLIER', hosts: [] });
    expect(await stored('EARLIER')).toBe(value);
  });

  it('is refused if it is not a host', async () => {
    for (const host of ['*', '*.com', 'https://x.example/path', 'user@x.example', 'x.example:99999', 'a b']) {
      const client = await world.mcp('modern http', tenant.key);
      const result = await client.callTool(set('WRONG', { value, hosts: [host] }));
      expect(textOf(result), host).toMatchObject({
        error: { code: 'invalid_request', details: { issues: [{ path: '/hosts/0' }] } },
      });
    }
    const client = await world.mcp('modern http', tenant.key, {}, async ({ url }) => {
      await form(pageOf(url), { value, hosts: 'https://x.example/path' });
      return { action: 'accept' };
    });
    expect((await client.callTool(set('WRONG'))).isError).toBe(true);
    expect(await stored('WRONG')).toBeUndefined();
  });
});

it('checks the rest of the call before it asks', async () => {
  for (const wrong of ['9 lives', '']) {
    const { result } = await ask(wrong);
    expect(result).toMatchObject({ isError: true });
  }
  const reader = await world.key(tenant.projectId, { access: ['read'] });
  expect((await ask('NO', { key: reader.key })).result.isError).toBe(true);
});

describe('what is left out of another call', () => {
  const person =
    (text: string, asked: string[]): Person =>
    async ({ url, message }) => {
      asked.push(message);
      expect((await enter(pageOf(url), text)).status).toBe(200);
      return { action: 'accept' };
    };
  const integration = { name: 'Sales "CRM"', kind: 'crm', provider: 'hubspot' };
  const number = {
    name: 'Front desk',
    number: '+493012345678',
    type: 'external',
    externalPhoneFields: {
      provider: 'sip',
      terminationUri: 'sip.example.com',
      transport: 'tls',
      authUsername: 'trunk',
    },
  };

  it('becomes the access token of an integration', async () => {
    const asked: string[] = [];
    const client = await world.mcp('modern http', tenant.key, {}, person(value, asked));
    const result = await client.callTool({ name: 'create_integration', arguments: integration });
    expect(asked).toEqual([
      expect.stringMatching(
        /^Enter the access token of the integration "Sales \\"CRM\\"" \(hubspot\) on a page/,
      ),
    ]);
    expect(JSON.stringify(result)).not.toContain(value);
    const { id } = textOf(result);
    const [row] = await world.rows('select sealed_credentials from integrations where id = $1', [id]);
    const { services } = world.core.runtime;
    const text = services.open(tenant, 'integrations', id, row?.['sealed_credentials'] as Buffer).toString();
    expect(JSON.parse(text)).toEqual({ accessToken: value });
  });

  it('is needed of a client that opens no pages', async () => {
    const client = await world.mcp('modern http', tenant.key);
    const result = await client.callTool({ name: 'create_integration', arguments: integration });
    expect(textOf(result)).toMatchObject({
      error: { code: 'invalid_request', details: { issues: [{ path: '/credentials' }] } },
      hint: expect.stringContaining('cannot open a page'),
    });
    const { projectId, key } = tenant;
    const path = `/v1/projects/${projectId}/integrations`;
    expect((await world.rest('POST', path, { key, body: integration })).status).toBe(400);
  });

  it('becomes the password of a trunk, unless the call has one or says that there is none', async () => {
    const asked: string[] = [];
    const client = await world.mcp('modern http', tenant.key, {}, person(value, asked));
    const call = (input: object) =>
      client.callTool({ name: 'import_phone_number', arguments: { ...number, ...input } });
    const result = await call({});
    expect(asked).toEqual([expect.stringContaining('Enter the password for the trunk of +493012345678 on')]);
    expect(textOf(result)).toMatchObject({ externalPhoneFields: { authUsername: 'trunk', hasAuth: true } });
    expect(JSON.stringify(result)).not.toContain(value);
    const fields = { ...number.externalPhoneFields, authPassword: null };
    const without = await call({ number: '+493012345679', externalPhoneFields: fields });
    expect(textOf(without)).toMatchObject({ externalPhoneFields: { hasAuth: false } });
    expect(asked).toHaveLength(1);
  });

  it('is refused if it is longer than the tool takes', async () => {
    const client = await world.mcp('modern http', tenant.key, {}, person(value.repeat(100), []));
    const result = await client.callTool({
      name: 'import_phone_number',
      arguments: { ...number, number: '+493012345677' },
    });
    expect(textOf(result)).toMatchObject({
      error: {
        code: 'invalid_request',
        details: { issues: [{ path: '/externalPhoneFields/authPassword' }] },
      },
    });
    expect(JSON.stringify(result)).not.toContain(value);
  });
});

describe('the page', () => {
  it('says for what it is, and can be neither framed nor scripted', async () => {
    const { page, shown } = await ask('SHOWN');
    expect(shown).toMatchObject({ mode: 'url', message: expect.stringContaining('SHOWN') });
    const reply = await fetch(page);
    const html = await reply.text();
    expect(html).toContain('Enter the secret SHOWN');
    expect(html).toContain('Salon &lt;script&gt;');
    expect(html).not.toContain('<script');
    expect(reply.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    });
  });

  it('takes one value, and shows none', async () => {
    const { page } = await ask('ONCE');
    const thanks = await enter(page, value);
    expect(thanks.status).toBe(200);
    expect(await thanks.text()).not.toContain(value);
    expect((await enter(page, 'another')).status).toBe(404);
    expect((await fetch(page)).status).toBe(404);
  });

  it('takes one of two values that arrive at once', async () => {
    const { page } = await ask('TWICE');
    // Both find the request open, because neither can write before the other has looked.
    const session = new pg.Client({ connectionString: world.databaseUrl });
    await session.connect();
    onTestFinished(() => session.end());
    await session.query('begin');
    await session.query("select 1 from secret_requests where name = 'secret TWICE' for update");
    const entered = Promise.all([enter(page, 'one'), enter(pageOf(page, replica), 'two')]);
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => world.rows(waiting), { timeout: 10_000 }).toHaveLength(2);
    await session.query('commit');
    const statuses = (await entered).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404]);
  });

  it.each([
    ['no value', ''],
    ['a value that is too long', 'a'.repeat(10_001)],
    ['a value with U+0000', 'a\0b'],
  ])('asks again for %s', async (_, wrong) => {
    const { page } = await ask(`AGAIN_${wrong.length}`);
    const reply = await enter(page, wrong);
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('role="alert"');
    expect((await enter(page, value)).status).toBe(200);
  });

  it('refuses the form of another website', async () => {
    const { page } = await ask('FOREIGN');
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      expect((await enter(page, value, headers as Record<string, string>)).status).toBe(403);
    const own = { origin: world.base, 'sec-fetch-site': 'same-origin' };
    expect((await enter(page, value, own)).status).toBe(200);
  });

  it('is gone once it has expired, its key is revoked, or its project is archived', async () => {
    const expired = await ask('LATE');
    await world.rows("update secret_requests set expires_at = now() where name = 'secret LATE'");
    expect((await enter(expired.page, value)).status).toBe(404);
    const key = await world.key(tenant.projectId);
    const revoked = await ask('REVOKED', { key: key.key });
    await world.rows("update api_keys set status = 'revoked' where id = $1", [key.keyId]);
    expect((await fetch(revoked.page)).status).toBe(404);
    expect((await enter(revoked.page, value)).status).toBe(404);
    for (const token of ['a'.repeat(32), 'short'])
      expect((await fetch(`${world.base}/secret-requests/${token}`)).status).toBe(404);
  });
});

describe('a value that was entered', () => {
  it('is encrypted until the call takes it on any replica, and gone afterwards', async () => {
    const { page, result } = await ask('TAKEN');
    await enter(pageOf(page, replica), value);
    const sealed =
      "select encode(sealed_value, 'escape') as text from secret_requests where name = 'secret TAKEN'";
    const [row] = await world.rows(sealed);
    expect(row?.['text']).toEqual(expect.not.stringContaining('sk-live'));
    const reply = accepted(result.requestState);
    const done = await ask('TAKEN', { reply, at: replica });
    expect(done.result.structuredContent).toMatchObject({ name: 'TAKEN' });
    expect(await stored('TAKEN')).toBe(value);
    expect(await world.rows(sealed)).toEqual([]);
  });

  it('is used by the next call of the same key if the client gave up, and by no other key', async () => {
    const { page } = await ask('LEFT');
    await enter(page, value);
    const other = await world.key(tenant.projectId);
    expect((await ask('LEFT', { key: other.key })).result.resultType).toBe('input_required');
    expect(await stored('LEFT')).toBeUndefined();
    expect((await ask('LEFT')).result.structuredContent).toMatchObject({ name: 'LEFT' });
    expect(await stored('LEFT')).toBe(value);
  });

  it('never reaches the log, and neither does the address of its page', async () => {
    const { page } = await ask('LOGGED');
    await enter(page, value);
    await ask('LOGGED');
    const lines = logged.join('\n');
    expect(lines).toContain('/secret-requests/{token}');
    expect(lines).not.toContain(new URL(page).pathname);
    expect(lines).not.toContain('sk-live');
  });
});

it('has at most 20 secrets of a project wait at once', async () => {
  const busy = await world.tenant();
  for (let open = 0; open < 20; open++) await ask(`S${open}`, { key: busy.key });
  const { result } = await ask('S20', { key: busy.key });
  expect(JSON.parse(result.content[0].text)).toMatchObject({
    error: { code: 'rate_limited', details: { resource: 'secretRequests', limit: 20 } },
  });
});
