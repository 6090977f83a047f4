import * as v from 'valibot';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { defineTool } from '../../../src/environment/define-tool.ts';
import type { Toolsets } from '../../../src/environment/toolsets.ts';
import { toolsets } from '../../../tools/index.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';

const words = 'words of the database';
let attempts = 0;

/** Stands for a statement. Ends the connection, like a killed server. */
const cut = 'cut';

/** Runs statements in one transaction, each with the text as its only parameter. */
async function runStatements(statements: readonly string[], text: string | undefined): Promise<void> {
  await world.core.knex.transaction(async (trx) => {
    for (const sql of statements)
      if (sql === cut) (await trx.client.acquireConnection()).connection.stream.destroy();
      else await trx.raw(sql, text === undefined ? [] : [text]);
  });
}

const Statements = v.array(v.string());
const write = defineTool({
  name: 'run_write',
  title: 'Run statements',
  description: 'Runs statements.',
  rest: { method: 'POST', path: '/v1/statements' },
  input: v.strictObject({ sql: Statements, text: v.optional(v.string()), times: v.optional(v.number()) }),
  output: v.strictObject({ attempts: v.number() }),
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false },
  errors: { 404: ['not_found'] },
  async handler(_context, { sql, text, times = Infinity }) {
    attempts += 1;
    if (attempts <= times) await runStatements(sql, text && JSON.parse(text));
    return { attempts };
  },
});
const read = defineTool({
  name: 'run_read',
  title: 'Run statements',
  description: 'Runs statements.',
  rest: { method: 'GET', path: '/v1/statements' },
  input: v.strictObject({ sql: v.string(), text: v.optional(v.string()) }),
  output: v.strictObject({}),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  async handler(_context, { sql, text }) {
    await runStatements([sql], text && JSON.parse(text));
    return {};
  },
});

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  const served = { ...toolsets, statements: [write, read] } satisfies Toolsets;
  world = await openWorld({ toolsets: served, databaseWait: 2_000 });
  tenant = await world.tenant();
});
afterAll(() => world?.close());

const post = (body: object) => {
  attempts = 0;
  return world.rest('POST', '/v1/statements', { key: tenant.key, body });
};
const raise = (state: string) => `do $$ begin raise exception '${words}' using errcode = '${state}'; end $$`;

/** Values that Postgres refuses. `text` is JSON, so that input validation does not see the value. */
const refused: [state: string, what: string, sql: string, text?: string][] = [
  ['22021', 'NUL in text', 'select ?::text', '"a\\u0000b"'],
  ['22P02', 'text instead of a number', 'select ?::int', '"x"'],
  ['22P02', 'half of a surrogate pair in jsonb', 'select ?::jsonb', '"\\"\\\\ud800\\""'],
  ['22P05', 'NUL in jsonb', 'select ?::jsonb', '"\\"\\\\u0000\\""'],
  ['22003', 'a number out of range', 'select ?::int4', '"3000000000"'],
  ['22007', 'text instead of a date', 'select ?::timestamptz', '"x"'],
  ['22008', 'a day that does not exist', 'select ?::date', '"2026-02-30"'],
  ['54000', 'a row too large for its index', raise('54000')],
  ['54001', 'jsonb too deep', "select repeat('[', 1000000)::jsonb"],
];

test.each(refused)('returns 400 for SQLSTATE %s, %s', async (state, _what, sql, text) => {
  await expect(runStatements([sql], text && JSON.parse(text))).rejects.toMatchObject({ code: state });
  const query = new URLSearchParams({ sql, ...(text !== undefined && { text }) });
  const answers = [
    await post({ sql: [sql], text }),
    await world.rest('GET', `/v1/statements?${query}`, { key: tenant.key }),
  ];
  for (const { status, headers, body } of answers) {
    expect(status).toBe(400);
    expect(headers.get('retry-after')).toBeNull();
    expect(body.error).toMatchObject({ code: 'invalid_request' });
    expect(body.error.details.issues).toHaveLength(1);
    expect(JSON.stringify(body)).not.toMatch(/select|syntax|words/i);
  }
  expect(attempts).toBe(1);
});

const unable = ['57014', '57P01', '57P02', '57P03', '53300', '53100', '53200', '08006', '08003', '55P03'];

test.each(unable)(
  'returns 500 with Retry-After for SQLSTATE %s of an unavailable database',
  async (state) => {
    const { status, headers, body } = await post({ sql: [raise(state)] });
    expect(status).toBe(500);
    expect(headers.get('retry-after')).toBe('1');
    expect(body.error).toMatchObject({ code: 'internal_error' });
    expect(body.error).not.toHaveProperty('details');
    expect(JSON.stringify(body)).not.toContain(words);
  },
);

test('returns 500 with Retry-After if the connection to the database breaks', async () => {
  const { status, headers, body } = await post({ sql: ['select 1', cut, 'select 2'] });
  expect([status, headers.get('retry-after')]).toEqual([500, '1']);
  expect(body.error).toMatchObject({ code: 'internal_error' });
});

test('returns 404 without the database message for an unmapped SQLSTATE 23503', async () => {
  const { status, body } = await post({ sql: [raise('23503')] });
  expect(status).toBe(404);
  expect(body.error).toMatchObject({ code: 'not_found' });
  expect(JSON.stringify(body)).not.toContain(words);
});

test.each(['23505', '23514', '42P01', '25006', 'P0001'])(
  'returns 500 without the database message for an unmapped SQLSTATE %s',
  async (state) => {
    const { status, headers, body } = await post({ sql: [raise(state)] });
    expect(status).toBe(500);
    expect(headers.get('retry-after')).toBeNull();
    expect(JSON.stringify(body)).not.toContain(words);
    expect(attempts).toBe(1);
  },
);

test('returns 500 with Retry-After if a statement exceeds its timeout', async () => {
  const { status, headers } = await post({ sql: ['set local statement_timeout = 50', 'select pg_sleep(5)'] });
  expect(status).toBe(500);
  expect(headers.get('retry-after')).toBe('1');
});

test.each(['40001', '40P01'])(
  'tries a transaction three times if it fails with SQLSTATE %s',
  async (state) => {
    const { status, body } = await post({ sql: [raise(state)] });
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain(words);
    expect(attempts).toBe(3);
  },
);

test.each(['40001', '40P01'])('succeeds if a later attempt after SQLSTATE %s succeeds', async (state) => {
  const answer = await post({ sql: [raise(state)], times: 2 });
  expect(answer).toMatchObject({ status: 200, body: { attempts: 3 } });
});

test('a full pool refuses writes within seconds, while reads and health still respond', async () => {
  const held = await Promise.all([1, 2, 3].map(() => world.core.knex.transaction()));
  try {
    const start = performance.now();
    const body = { name: 'Flow', flowSchema: {} };
    const route = `/v1/projects/${tenant.projectId}/flows`;
    const waiting = Promise.all(
      Array.from({ length: 10 }, async () => {
        const answer = await world.rest('POST', route, { key: tenant.key, body });
        return { ...answer, ms: performance.now() - start };
      }),
    );
    const { pool } = world.core.knex.client as { pool: { numPendingAcquires(): number } };
    await vi.waitFor(() => expect(pool.numPendingAcquires()).toBe(10));
    for (const path of ['/healthz', route]) {
      const sent = performance.now();
      await expect(world.rest('GET', path, { key: tenant.key })).resolves.toMatchObject({ status: 200 });
      expect(performance.now() - sent).toBeLessThan(1_000);
    }
    for (const { status, headers, body: refusal, ms } of await waiting) {
      expect(status).toBe(500);
      expect(headers.get('retry-after')).toBe('1');
      expect(refusal.error.code).toBe('internal_error');
      expect(ms).toBeLessThan(4_000);
    }
  } finally {
    await Promise.all(held.map((trx) => trx.rollback()));
  }
  await expect(post({ sql: [] })).resolves.toMatchObject({ status: 200 });
});
