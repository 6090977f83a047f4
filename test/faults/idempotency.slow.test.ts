import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { honoursIdempotencyKey } from '../../src/operation/idempotency.ts';
import { tools } from '../contract/registry.ts';
import { openSecondReplica } from '../helpers/second-replica.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { type ExampleRequest, exampleRequests } from './example-requests.ts';

type Replica = Awaited<ReturnType<typeof openSecondReplica>>;

let world: World;
let replica: Replica;
let tenant: Tenant;
let example: (tool: McpTool) => Promise<ExampleRequest>;

beforeAll(async () => {
  world = await openWorld();
  replica = await openSecondReplica(world);
  tenant = await world.tenant();
  example = exampleRequests(world, tenant);
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

const idempotent = tools.filter(
  ({ rest, effect }) => (rest.method === 'POST' || rest.method === 'PATCH') && !effect.readOnly,
);
const repeatable = idempotent.filter(honoursIdempotencyKey);

interface Sending {
  readonly idempotencyKey?: string;
  readonly base?: string;
}

async function send({ method, route, body }: ExampleRequest, { idempotencyKey, base }: Sending = {}) {
  const reply = await fetch((base ?? world.base) + route, {
    method,
    headers: {
      authorization: `Bearer ${tenant.key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: await reply.text() };
}

/** Counts the rows of every table that operations write. Stored responses are counted separately. */
async function rowCounts(): Promise<Record<string, number>> {
  const tables = [
    'api_keys',
    'agent_profiles',
    'flows',
    'flow_versions',
    'conversations',
    'conversation_versions',
    'trash',
    'audit_log',
    'projects',
  ];
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  const [row] = await world.rows(`select ${counts.join(', ')}`);
  return row as Record<string, number>;
}

async function leftBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await rowCounts();
  await work();
  const after = await rowCounts();
  return Object.fromEntries(
    Object.entries(after).map(([table, rows]) => [table, rows - (before[table] ?? 0)]),
  );
}

test('these tests find the operations that accept an idempotency key', () => {
  expect(repeatable.length).toBeGreaterThanOrEqual(9);
});

test.each(repeatable)(
  '$name: fifty equal requests to two replicas run once, and all return the same response, a secret once',
  async (tool) => {
    const once = await example(tool);
    const single = await leftBy(() => send(once));
    expect(single['audit_log']).toBe(1);

    const repeated = await example(tool);
    const idempotencyKey = `fifty ${tool.name}`.replaceAll(' ', '-');
    let answers: { status: number; body: string }[] = [];
    const left = await leftBy(async () => {
      answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          send(repeated, { idempotencyKey, base: index % 2 ? world.base : replica.base }),
        ),
      );
    });
    expect(left).toEqual(single);
    const shown = answers.filter(({ status }) => status === tool.rest.status);
    expect(shown).toHaveLength(tool.special.secretOutput ? 1 : 50);
    expect(new Set(shown.map(({ body }) => body)).size).toBe(1);
    for (const { status, body } of answers.filter((answer) => !shown.includes(answer)))
      expect([status, JSON.parse(body).error.code]).toEqual([409, 'secret_shown_once']);

    const changed = await example(tool);
    // An operation that takes nothing but its project has no other input.
    if (changed.route === repeated.route && JSON.stringify(changed.body) === JSON.stringify(repeated.body))
      return;
    const untouched = await leftBy(async () => {
      const { status, body } = await send(changed, { idempotencyKey });
      const message = expect.stringContaining('another input');
      const [expected, answer] =
        tool.envelope === 'detail'
          ? [422, { detail: [{ loc: ['body'], msg: message }] }]
          : [
              400,
              {
                error: { code: 'invalid_request', details: { issues: [{ in: 'body', path: '', message }] } },
              },
            ];
      expect(status).toBe(expected);
      expect(JSON.parse(body)).toMatchObject(answer);
    });
    expect(new Set(Object.values(untouched))).toEqual(new Set([0]));
  },
);

test.each(tools.filter((tool) => tool.access !== 'none' && !idempotent.includes(tool)))(
  '$name ignores an idempotency key',
  async (tool) => {
    const [first, second] = [await example(tool), await example(tool)];
    for (const request of [first, second])
      expect((await send(request, { idempotencyKey: 'ignored' })).status).toBe(tool.rest.status);
    expect(await world.rows(`select 1 from idempotency_keys where key like '% ignored'`)).toEqual([]);
  },
);

test.each(['', 'x'.repeat(256), 'with a space', 'ümlaut'])('rejects the key %j', async (idempotencyKey) => {
  const route = `/v1/projects/${tenant.projectId}/flows`;
  const flow = { method: 'POST', route, body: { name: 'Flow', flowSchema: {} } };
  const { status, body } = await send(flow, { idempotencyKey });
  expect([status, JSON.parse(body).error.code]).toEqual([400, 'invalid_request']);
});

test.each(repeatable.filter(({ special }) => special.secretInput !== undefined))(
  '$name: a different secret is a different input, and the stored hash does not reveal it',
  async (tool) => {
    const { secretInput = '' } = tool.special;
    const idempotencyKey = `secret-${tool.name}`;
    const request = await example(tool);
    expect((await send(request, { idempotencyKey })).status).toBe(tool.rest.status);
    const body = JSON.stringify(request.body).replace('secret', 'sekret');
    expect(body).not.toBe(JSON.stringify(request.body));
    const { status } = await send({ ...request, body: JSON.parse(body) }, { idempotencyKey });
    expect(status).toBe(400);
    const [row] = await world.rows('select input_hash from idempotency_keys where key like $1', [
      `% ${idempotencyKey}`,
    ]);
    const [id] = request.route.match(/\bc[a-z]{2}[0-9a-v]{26}\b/) ?? [];
    const given: Record<string, unknown> = { ...request.body };
    const names = Object.keys(tool.input.entries).filter(
      (input) => input in given || tool.rest.from[input] !== 'body',
    );
    const guess = Object.fromEntries(names.map((input) => [input, given[input] ?? id]));
    expect(guess[secretInput]).toBeDefined();
    expect(row?.['input_hash']).toMatch(/^[0-9a-f]{64}$/);
    expect(row?.['input_hash']).not.toBe(hash('sha256', JSON.stringify(guess)));
  },
);
