import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintKey } from '../../../src/resources/keys/key.ts';
import { tools } from '../../contract/registry.ts';
import { type ExampleRequest, emptyRequest } from '../../faults/example-requests.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

async function send({ method, route }: ExampleRequest, key: string | undefined): Promise<Reply> {
  const reply = await fetch(world.base + route, { method, ...(key && { headers: { 'x-api-key': key } }) });
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() };
}

test('missing, malformed, unknown and revoked keys get the same response, byte for byte, on every operation', async () => {
  const revoked = await world.key(tenant.projectId);
  await world.rest('POST', `/v1/keys/${revoked.keyId}/revoke`, { key: tenant.key });
  const kinds = [undefined, 'parley_sk_x', mintKey('secret').text, revoked.key];
  const guarded = tools.filter(({ access }) => access !== 'none');
  const requests = guarded.flatMap((tool) => kinds.map((key) => ({ request: emptyRequest(tool), key })));
  const replies = await Promise.all(requests.map(({ request, key }) => send(request, key)));

  expect(replies).toHaveLength(4 * guarded.length);
  const ids = replies.map(({ headers }) => headers['x-request-id']);
  expect(new Set(ids).size).toBe(replies.length);
  const bare = replies.map(({ status, headers, body }, index) => {
    // Pages of other origins may call one of the operations, so its responses have another `vary`.
    const { 'x-request-id': _, date: __, vary: ___, ...rest } = headers;
    return JSON.stringify({ status, headers: rest, body: body.replace(ids[index] ?? '', 'an id') });
  });
  expect(new Set(bare).size).toBe(1);
  expect(JSON.parse(replies[0]?.body ?? '')).toEqual({
    error: {
      code: 'unauthorized',
      message: 'The API key is missing, invalid or revoked.',
      requestId: ids[0],
    },
  });
});
