import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';
import { expectRefused, message, type Reply, rpc, type Sent, sender } from './raw-message.ts';

let world: World;
let tenant: Tenant;
let send: (sent: Sent) => Promise<Reply>;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
  send = sender(world.base, tenant.key);
});
afterAll(() => world.close());

const list = message('tools/list');

describe('a key', () => {
  test('is required: any method without one returns 401 with a challenge', async () => {
    for (const method of ['POST', 'GET', 'DELETE'])
      for (const authorization of ['', 'Bearer nonsense', 'Basic eDp5', `Bearer ${tenant.key}x`]) {
        const answer = await send({ method, headers: { authorization }, query: '?x=1', body: '{' });
        expectRefused(answer, 401, 'unauthorized');
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer .*resource_metadata="http/);
      }
  });

  test('may be sent as x-api-key, and two different ones are refused', async () => {
    const other = (await world.key(tenant.projectId)).key;
    const headers = { authorization: '', 'x-api-key': tenant.key };
    expect((await send({ headers, body: list })).status).toBe(200);
    expectRefused(await send({ headers: { 'x-api-key': other }, body: list }), 401, 'unauthorized');
  });

  test('that is revoked returns 401 from then on, for a list and for a call', async () => {
    const { key, keyId } = await world.key(tenant.projectId);
    const headers = { authorization: `Bearer ${key}` };
    const call = message('tools/call', { name: 'list_projects', arguments: {} });
    for (const body of [list, call]) expect((await send({ headers, body })).status).toBe(200);
    await world.rows(`update api_keys set status = 'revoked' where id = $1`, [keyId]);
    for (const body of [list, call, '{']) expectRefused(await send({ headers, body }), 401, 'unauthorized');
  });
});

describe('a message', () => {
  test('that is not JSON returns a parse error with status 400', async () => {
    for (const body of ['{', '', 'x', Buffer.from([0x22, 0xff, 0x22]), '{"jsonrpc":"2.0",}']) {
      const answer = await send({ body });
      expect({ status: answer.status, message: JSON.parse(answer.text) }).toStrictEqual({
        status: 400,
        message: { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
      });
      expect(answer.headers['x-request-id']).toMatch(/\S/);
    }
  });

  test('that is not JSON-RPC returns an invalid request with status 400', async () => {
    for (const body of ['[]', '"x"', 'null', '{}', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}']) {
      const answer = await send({ body });
      expect({ status: answer.status, code: rpc(answer).error.code }, body).toStrictEqual({
        status: 400,
        code: -32600,
      });
    }
  });

  test('of another Content-Type returns 415, and 406 without the right Accept', async () => {
    for (const type of ['text/plain', 'application/xml', 'text/json'])
      expect((await send({ headers: { 'content-type': type }, body: list })).status, type).toBe(415);
    for (const accept of ['text/html', 'application/json', 'text/event-stream'])
      expect((await send({ headers: { accept }, body: list })).status, accept).toBe(406);
  });

  test('by GET, DELETE or PUT returns 405 with the allowed methods', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await send({ method });
      expect({ status: answer.status, allow: answer.headers['allow'] }).toStrictEqual({
        status: 405,
        allow: 'POST',
      });
    }
  });

  test('of an unknown method or tool returns a JSON-RPC error', async () => {
    expect(rpc(await send({ body: message('no/such') })).error.code).toBe(-32601);
    const call = message('tools/call', { name: 'no_such', arguments: {} });
    expect(rpc(await send({ body: call })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('no_such'),
    });
  });

  test('that expects no response returns 202', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(await send({ body })).toMatchObject({ status: 202, text: '' });
  });

  test('over 35 MiB returns 413 by its Content-Length alone', async () => {
    const answer = await send({
      headers: { 'content-length': String(35 * 1024 * 1024 + 1), connection: 'close' },
    });
    expectRefused(answer, 413, 'payload_too_large');
  });

  describe('longer than the arguments of most tools', () => {
    const call = (name: string, args: object) => message('tools/call', { name, arguments: args });
    const chat = (content: string) => ({ model: 'auto', messages: [{ role: 'user', content }] });
    const padding = 'd'.repeat(400_000);

    test('is held to the limit of the tool that it calls', async () => {
      const flow = { projectId: tenant.projectId, name: 'F', flowSchema: {}, description: padding };
      expectRefused(await send({ body: call('create_flow', flow) }), 413, 'payload_too_large');
      expectRefused(await send({ body: call('no_such_tool', flow) }), 413, 'payload_too_large');
      const { status, text } = await send({ body: call('create_chat_completion', chat(padding)) });
      expect(status).toBe(200);
      expect(rpc({ status, text, headers: {} }).result.isError).toBeUndefined();
    });

    test('is held to the limit of the last tool that it names, which is the one that runs', async () => {
      const body = call('create_flow', chat(padding));
      const twice = body.replace('"name":', '"name":"create_chat_completion","name":');
      expectRefused(await send({ body: twice }), 413, 'payload_too_large');
    });

    test('returns 413 if it calls no tool, or is not JSON', async () => {
      for (const body of [message('tools/list', { x: padding }), `{"method":"${padding}`, `[${padding}`])
        expectRefused(await send({ body }), 413, 'payload_too_large');
    });

    test('returns 413 if it is a batch, whose calls share one limit', async () => {
      const batch = (count: number) =>
        `[${Array.from({ length: count }, (_, id) => call('create_chat_completion', chat(padding.slice(0, 90_000))).replace('"id":1', `"id":${id}`)).join()}]`;
      expectRefused(await send({ body: batch(4) }), 413, 'payload_too_large');
      expect((await send({ body: batch(2) })).status).toBe(200);
    });
  });

  test('with a publishable key is read up to 64 KiB', async () => {
    const { key } = await world.key(tenant.projectId, { type: 'publishable' });
    const listing = (bytes: number) => message('tools/list').padEnd(bytes);
    const headers = { authorization: `Bearer ${key}` };
    expect(rpc(await send({ headers, body: listing(65_536) })).result.tools).toStrictEqual([]);
    expectRefused(await send({ headers, body: listing(65_537) }), 413, 'payload_too_large');
  });

  test('whose arguments have more than 1,000 members returns 413', async () => {
    const args = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, 0]));
    const call = (count: number) => message('tools/call', { name: 'list_projects', arguments: args(count) });
    expect(rpc(await send({ body: call(1000) })).result.isError).toBe(true);
    expectRefused(await send({ body: call(1001) }), 413, 'payload_too_large');
  });

  test('with more than 131,072 JSON values returns 413 before it is parsed', async () => {
    const body = message('tools/call', {
      name: 'create_chat_completion',
      arguments: { model: 'auto', messages: 'here' },
    }).replace('"here"', `[${'{},'.repeat(131_072)}{}]`);
    expectRefused(await send({ body }), 413, 'payload_too_large');
  });

  test('nested twenty thousand levels is refused by the tool, as in REST', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const args = { projectId: tenant.projectId, name: 'F', flowSchema: 'deep' };
    const body = message('tools/call', { name: 'create_flow', arguments: args }).replace('"deep"', deep);
    const { result } = rpc(await send({ body }));
    const { code, details } = JSON.parse(result.content[0].text).error;
    expect({ code, issues: details.issues }).toStrictEqual({
      code: 'invalid_request',
      issues: [
        {
          path: `/flowSchema${'/0'.repeat(63)}`,
          message: 'Is nested deeper than 64 levels.',
        },
      ],
    });
  });
});

describe('a selection in the address', () => {
  test.each(['?x=1', '?toolsets=nonsense', '?access=write', '?tools=', '?Toolsets=flows', '?read_only=true'])(
    'that is not known is 400 before JSON-RPC is read: %s',
    async (query) => {
      for (const body of [list, '{']) expectRefused(await send({ query, body }), 400, 'invalid_request');
    },
  );

  test('applies to the list and to calls', async () => {
    const query = '?toolsets=flows&exclude=delete_flow&access=read';
    const names = rpc(await send({ query, body: list })).result.tools.map(
      ({ name }: { name: string }) => name,
    );
    expect(names).toStrictEqual([
      'list_projects',
      'get_current_key',
      'list_flows',
      'get_flow',
      'list_flow_versions',
      'get_flow_version',
    ]);
    const excluded = message('tools/call', { name: 'delete_flow', arguments: { flowId: 'cfl000000' } });
    expect(rpc(await send({ query, body: excluded })).error.code).toBe(-32602);
    const args = { projectId: tenant.projectId, name: 'F', flowSchema: {} };
    const create = message('tools/call', { name: 'create_flow', arguments: args });
    expect(JSON.parse(rpc(await send({ query, body: create })).result.content[0].text).error.code).toBe(
      'forbidden',
    );
  });
});

test('sends Connection: close if the client asks for it', async () => {
  for (const body of [list, '{', message('no/such')])
    expect((await send({ body })).headers['connection'], body).toBe('close');
});

test('the endpoint is at /mcp and nowhere else', async () => {
  for (const path of ['/mcp/', '/mcp/x', '/MCP', '/v1/mcp'])
    expect((await world.rest('POST', path, { key: tenant.key, body: {} })).status).toBe(404);
});
