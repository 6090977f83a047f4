import pg from 'pg';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { defineTool } from '../../src/environment/define-tool.ts';
import type { Stores } from '../../src/store/stores.ts';
import { toolsets } from '../../tools/index.ts';
import { toolNamed } from '../contract/registry.ts';
import { bodyOf, type Input, partsOf, routeOf } from '../contract/rest-request.ts';
import { cloneDatabase } from '../helpers/database.ts';
import { openWorld, type RestAnswer, type Tenant, type World } from '../helpers/world.ts';
import { type Cut, openPostgresProxy, type PostgresProxy } from './postgres-proxy.ts';
import { design } from './small-design.ts';

const newFlowOf = (stores: Stores) =>
  stores.flows.create({
    name: 'F',
    type: 'simple',
    description: null,
    agentProfileId: null,
    flowSchema: { json: '{}', value: {} },
  });

/** Goes on after its first statement has failed. */
const insist = defineTool({
  name: 'insist',
  title: 'Insist',
  description: 'Writes twice, whatever happens.',
  rest: { method: 'POST', path: '/v1/trial/insist' },
  input: v.strictObject({}),
  output: v.strictObject({}),
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'own' },
  handler: ({ write }) =>
    write(async (stores) => {
      await newFlowOf(stores).catch(() => undefined);
      await newFlowOf(stores).catch(() => undefined);
      return {};
    }),
});

let world: World;
let proxy: PostgresProxy;
let tenant: Tenant;
let conversationId: string;
/** A session past the proxy. */
let observer: pg.Client;
beforeAll(async () => {
  const { url, drop } = await cloneDatabase();
  observer = new pg.Client({ connectionString: url });
  await observer.connect();
  proxy = await openPostgresProxy(url);
  world = await openWorld({
    toolsets: { ...toolsets, trial: [insist] },
    database: { url: proxy.url, drop },
  });
  tenant = await world.tenant();
  const conversation = { projectId: tenant.projectId, name: 'Clinic', design };
  conversationId = (await call('create_conversation', conversation)).body.id;
});
afterAll(async () => {
  await observer.end();
  await world.close();
  proxy.close();
});

/** An operation that writes. `input` returns an input that no call has had before. */
interface Write {
  readonly operation: string;
  readonly input: () => Input;
  /** The status if nothing goes wrong; 4xx if the handler refuses after its first statement. */
  readonly status: number;
  /** The rows of a project that one success adds. */
  readonly adds: Readonly<Record<string, number>>;
}

const unknownProfile = 'cap00000000000000000000000';

const newFlow = () => ({ projectId: tenant.projectId, name: `Flow ${crypto.randomUUID()}`, flowSchema: {} });
const writes: readonly Write[] = [
  {
    operation: 'create_flow',
    input: newFlow,
    status: 201,
    adds: { flows: 1, flow_versions: 1, audit_log: 1, idempotency_keys: 1 },
  },
  {
    operation: 'create_flow',
    input: () => ({ ...newFlow(), agentProfileId: unknownProfile }),
    status: 404,
    adds: {},
  },
  {
    operation: 'mint_key',
    input: () => ({ projectId: tenant.projectId, keyType: 'publishable', name: crypto.randomUUID() }),
    status: 201,
    adds: { api_keys: 1, audit_log: 1, idempotency_keys: 1 },
  },
  {
    operation: 'edit_design',
    input: () => ({
      conversationId,
      version: 1,
      onConflict: 'branch',
      merge: { steps: { bye: { line: crypto.randomUUID() } } },
    }),
    status: 201,
    adds: { conversation_versions: 1, audit_log: 1, idempotency_keys: 1 },
  },
];

async function call(operation: string, input: Input, idempotencyKey?: string): Promise<RestAnswer> {
  const tool = operation === insist.name ? insist : toolNamed(operation);
  const parts = partsOf(tool, input);
  return world.rest(tool.rest.method, routeOf(tool, parts), {
    key: tenant.key,
    body: bodyOf(tool, parts),
    ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
  });
}

const tables = [
  'flows',
  'flow_versions',
  'api_keys',
  'conversation_versions',
  'audit_log',
  'idempotency_keys',
];

const countRows = `select ${tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')}`;
const writeSessions = `
  select count(*)::int as open, count(*) filter (where state like 'idle in transaction%')::int as waiting
  from pg_stat_activity where datname = current_database() and application_name = 'parley-write'`;

/** Counts the rows of every table, after the server has ended all sessions that were cut. */
async function rowCounts(): Promise<Record<string, number>> {
  const sessions = async () =>
    (await observer.query<{ open: number; waiting: number }>(writeSessions)).rows[0];
  await vi.waitFor(
    async () => {
      const { open, cut } = proxy.writeSessions();
      expect(cut).toBe(0);
      expect(await sessions()).toEqual({ open, waiting: 0 });
    },
    { timeout: 10_000, interval: 2 },
  );
  const { rows } = await observer.query<Record<string, number>>(countRows);
  return rows[0] ?? {};
}

function added(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const differences = tables.map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)] as const);
  return Object.fromEntries(differences.filter(([, difference]) => difference !== 0));
}

/** Asserts that writes work on every connection of the pool. */
async function expectHealthy(calls: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: calls }, () => call('create_flow', newFlow())));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
}

/**
 * Sends a write through a cut, and once again with its idempotency key. Returns what the first attempt left, or undefined
 * if the write ended before it came to the cut.
 */
async function tryCut(
  { operation, input, status, adds }: Write,
  cut: Cut,
  isNew: boolean,
): Promise<string | undefined> {
  const given = input();
  const key = crypto.randomUUID();
  if (isNew) proxy.endWriteSessions();
  // Otherwise the connection has prepared the statements of this write.
  else await call(operation, input(), crypto.randomUUID());
  const before = await rowCounts();
  proxy.arm(cut);
  const first = await call(operation, given, key);
  const isCut = proxy.isCut();
  proxy.arm(undefined);
  const left = added(before, await rowCounts());
  if (first.status === status) expect(left).toEqual(adds);
  else {
    expect({ status: first.status, retryAfter: first.headers.get('retry-after') }).toEqual({
      status: 500,
      retryAfter: '1',
    });
    expect(first.body.error.code).toBe('internal_error');
    if (Object.keys(left).length > 0) expect(left).toEqual(adds);
  }
  if (!isCut) return undefined;
  const second = await call(operation, given, key);
  const { secretOutput } = (operation === insist.name ? insist : toolNamed(operation)).special;
  if (secretOutput && Object.keys(left).length > 0) {
    expect([second.status, second.body.error.code]).toEqual([409, 'secret_shown_once']);
  } else {
    expect(second.status).toBe(status);
    if (first.status === 201) expect(second.body).toEqual(first.body);
  }
  expect(added(before, await rowCounts())).toEqual(adds);
  return `${first.status} with ${Object.keys(left).length > 0 ? 'all' : 'no'} rows`;
}

/** Cuts a write at every message of either side, before it or in it. Returns everything that the first attempts left. */
async function tryCuts(write: Write, isNew: boolean): Promise<Set<string>> {
  const seen = new Set<string>();
  proxy.endWriteSessions();
  await rowCounts();
  for (const from of ['client', 'server'] as const)
    for (let after = 0; ; after++) {
      const outcome = await tryCut(write, { from, after, inMessage: after % 2 === 1 }, isNew);
      if (outcome === undefined) break;
      seen.add(outcome);
    }
  await expectHealthy(20);
  return seen;
}

describe('a connection to Postgres that is cut at any message leaves a write whole or not made', () => {
  test.each(writes)('$operation, which returns $status', async (write) => {
    const seen = await tryCuts(write, false);
    expect(seen).toContain('500 with no rows');
    // The caller cannot know the outcome of a COMMIT whose reply is lost.
    if (write.status === 201) expect(seen).toContain('500 with all rows');
  });

  test('create_flow on a new connection', async () => {
    const seen = await tryCuts(writes[0] as Write, true);
    expect(seen).toContain('500 with no rows');
    expect(seen).toContain('500 with all rows');
  });
});

test('nothing is written outside of a transaction if BEGIN fails', async () => {
  for (const { operation, input } of [...writes, { operation: insist.name, input: () => ({}) }]) {
    const given = input();
    proxy.endWriteSessions();
    const before = await rowCounts();
    proxy.breakBegin(true);
    const statuses = [await call(operation, given), await call(operation, given, crypto.randomUUID())].map(
      ({ status }) => status,
    );
    proxy.breakBegin(false);
    expect(statuses).toEqual([500, 500]);
    expect(added(before, await rowCounts())).toEqual({});
    proxy.endWriteSessions();
    await rowCounts();
  }
  await expectHealthy(20);
});

test.each(['insert on flows', 'insert on audit_log', 'update on idempotency_keys'])(
  'a connection whose first %s fails serves the next writes',
  async (event) => {
    proxy.endWriteSessions();
    const before = await rowCounts();
    await observer.query(`
      create function fail() returns trigger language plpgsql as $$ begin raise exception 'failed'; end $$;
      create trigger fail before ${event} for each row execute function fail()`);
    expect((await call('create_flow', newFlow(), crypto.randomUUID())).status).toBe(500);
    await observer.query('drop function fail cascade');
    expect(added(before, await rowCounts())).toEqual({});
    for (let count = 0; count < 3; count++)
      expect((await call('create_flow', newFlow(), crypto.randomUUID())).status).toBe(201);
    await expectHealthy(20);
  },
);
