import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { toolsOf } from '../../../src/environment/selection.ts';
import { Readiness } from '../../../src/transports/http/readiness.ts';
import { openMetrics } from '../../../src/transports/ops/metrics.ts';
import { ReadinessCheck } from '../../../src/transports/ops/readiness-check.ts';
import { opsServer } from '../../../src/transports/ops/server.ts';
import { toolsets } from '../../../tools/index.ts';
import { cloneDatabase } from '../../helpers/database.ts';
import { openWithholdingProxy } from '../../helpers/withholding-proxy.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';

const build = { version: '0.0.0-test', gitSha: 'test' };
const proxy = await openWithholdingProxy();
const readiness = new Readiness();
const check = new ReadinessCheck(readiness);
const metrics = openMetrics(build);
const server = opsServer(check, metrics, pino({ level: 'silent' }));

let world: World;
let tenant: Tenant;
let base: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const database = await cloneDatabase();
  world = await openWorld({
    metrics,
    database: { url: proxy.forwardToDatabase(database.url), drop: database.drop },
  });
  tenant = await world.tenant();
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await world?.close();
  proxy.close();
});

async function probe(path: string, method = 'GET') {
  const reply = await fetch(base + path, { method });
  return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() };
}

/** The samples of the metrics: each with its labels, and its value. */
async function samples(): Promise<Map<string, number>> {
  const { text } = await probe('/metrics');
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

const ready = { status: 200, text: '{"status":"ok"}' };
const unready = (reason: string) => ({
  status: 503,
  text: JSON.stringify({ status: 'unavailable', reason }),
});

test('is alive and not ready until the core is open', async () => {
  expect(await probe('/livez')).toMatchObject(ready);
  expect(await probe('/readyz')).toMatchObject(unready('starting'));
  check.opened(() => world.core.state.isMigrated());
  metrics.measure(world.core.state);
  expect(await probe('/readyz')).toMatchObject(ready);
  expect(await probe('/readyz', 'HEAD')).toMatchObject({ status: 200, text: '' });
});

test.each([
  ['GET', '/'],
  ['GET', '/healthz'],
  ['POST', '/livez'],
  ['GET', '/v1/projects'],
])('returns 404 for %s %s', async (method, path) => {
  expect(await probe(path, method)).toMatchObject({ status: 404 });
});

test('is not ready if the database lacks a migration of this build', async () => {
  const [newest] = await world.rows(
    `delete from schema_migrations where id = (select max(id) from schema_migrations)
     returning id, name, batch, migration_time`,
  );
  expect(await probe('/readyz')).toMatchObject(unready('schema'));
  await world.rows(
    'insert into schema_migrations (id, name, batch, migration_time) values ($1, $2, $3, $4)',
    [newest?.['id'], newest?.['name'], newest?.['batch'], newest?.['migration_time']],
  );
  expect(await probe('/readyz')).toMatchObject(ready);
});

describe('a frozen database', () => {
  test('ends readiness, and hides no metric but those of jobs; readiness returns with the database', async () => {
    proxy.freeze();
    onTestFinished(() => proxy.thaw());
    const [seen, ...probes] = await Promise.all([
      samples(),
      probe('/readyz'),
      probe('/readyz'),
      probe('/livez'),
    ]);
    expect(probes).toMatchObject([unready('database'), unready('database'), ready]);
    expect(seen.get('parley_database_connections_max{pool="read"}')).toBe(3);
    expect([...seen.keys()].filter((name) => name.startsWith('parley_jobs'))).toEqual([]);
    expect((await fetch(`${world.base}/healthz`)).status).toBe(200);
    proxy.thaw();
    expect(await probe('/readyz')).toMatchObject(ready);
  });
});

test('counts calls over REST and MCP by operation and class of status, with their durations', async () => {
  const { projectId, key } = tenant;
  const route = `/v1/projects/${projectId}/flows`;
  await world.rest('GET', route, { key });
  await world.rest('POST', route, { key, body: {} });
  await world.rest('GET', route);
  const client = await world.mcp('legacy http', key);
  await client.callTool({ name: 'list_flows', arguments: { projectId } });
  await client.callTool({ name: 'list_flows', arguments: { projectId: 'cpraaaaaaaa' } });
  const seen = await samples();
  const calls = (labels: string) => seen.get(`parley_calls_total{${labels}}`);
  expect(calls('operation="list_flows",transport="rest",status="2xx"')).toBe(1);
  expect(calls('operation="list_flows",transport="rest",status="4xx"')).toBe(1);
  expect(calls('operation="create_flow",transport="rest",status="4xx"')).toBe(1);
  expect(calls('operation="list_flows",transport="mcp",status="2xx"')).toBe(1);
  expect(calls('operation="list_flows",transport="mcp",status="4xx"')).toBe(1);
  // Connecting does not call an operation.
  expect(calls('operation="none",transport="mcp",status="2xx"')).toBeGreaterThan(0);
  const duration = 'parley_call_duration_seconds';
  expect(seen.get(`${duration}_count{operation="list_flows",transport="rest"}`)).toBe(2);
  expect(seen.get(`${duration}_sum{operation="list_flows",transport="rest"}`)).toBeGreaterThan(0);
  expect(seen.get('parley_http_requests_in_flight')).toBeTypeOf('number');
});

test('counts a call whose client left by itself', async () => {
  world.upstream.reactsNext((_request, _response) => undefined);
  const leaving = new AbortController();
  const chat = fetch(`${world.base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'chat', messages: [{ role: 'user', content: 'Hello' }] }),
    signal: leaving.signal,
  });
  await expect.poll(() => world.upstream.received.length).toBeGreaterThan(0);
  leaving.abort();
  await expect(chat).rejects.toThrow('aborted');
  const left = 'parley_calls_total{operation="create_chat_completion",transport="rest",status="client_left"}';
  await expect.poll(async () => (await samples()).get(left)).toBe(1);
  expect((await samples()).get('parley_upstream_calls_total{provider="upstream",outcome="cancelled"}')).toBe(
    1,
  );
});

test('shows the calls of providers, the pools, the jobs, the usage and the process', async () => {
  const { key, projectId } = tenant;
  const body = { model: 'chat', messages: [{ role: 'user', content: 'Hello' }] };
  await world.rest('POST', '/v1/chat/completions', { key, body });
  const { body: base } = await world.rest('POST', `/v1/projects/${projectId}/knowledge-bases`, {
    key,
    body: { name: 'Base' },
  });
  const content = { contentBase64: btoa('Open on Monday.'), fileName: 'a.txt', mimeType: 'text/plain' };
  await world.rest('POST', `/v1/knowledge/${base.id}/sources`, {
    key,
    body: { type: 'file', name: 'File', ...content },
  });
  const seen = await samples();
  expect(Object.fromEntries(seen)).toMatchObject({
    'parley_build_info{version="0.0.0-test",git_sha="test"}': 1,
    'parley_upstream_calls_total{provider="upstream",outcome="success"}': 1,
    'parley_upstream_response_seconds_count{provider="upstream"}': expect.any(Number),
    'parley_database_connections_max{pool="write"}': 3,
    'parley_database_connections_max{pool="point"}': 2,
    'parley_database_connections{pool="write",state="used"}': expect.any(Number),
    'parley_database_waiting{pool="write"}': 0,
    'parley_jobs{queue="indexing",state="waiting"}': 1,
    'parley_jobs{queue="indexing",state="active"}': 0,
    'parley_jobs{queue="indexing",state="failed"}': 0,
    'parley_jobs_oldest_waiting_seconds{queue="indexing"}': expect.any(Number),
    parley_usage_events_unwritten: expect.any(Number),
    nodejs_eventloop_lag_p99_seconds: expect.any(Number),
    process_resident_memory_bytes: expect.any(Number),
  });
});

test('gains no series from what clients send', async () => {
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const random = Math.random().toString(36).slice(2);
      const paths = [
        `/${random}`,
        `/v1/flows/c${random}`,
        `/v1/projects/c${random}/flows`,
        `/mcp?${random}=1`,
      ];
      const method = index % 7 === 0 ? 'PUT' : 'GET';
      await fetch(`${world.base}${paths[index % 4]}`, {
        method,
        headers: { authorization: `Bearer ${tenant.key}`, 'x-request-id': random, traceparent: random },
      });
    }),
  );
  const seen = [...(await samples()).keys()];
  const operations = new Set(seen.flatMap((name) => /operation="([^"]*)"/.exec(name)?.[1] ?? []));
  const known = new Set(['none', ...toolsOf(toolsets).map(({ name }) => name)]);
  expect([...operations].filter((name) => !known.has(name))).toEqual([]);
  expect(seen.length).toBeLessThan(2_000);
});

test('is not ready from the moment a stop begins, and still alive', async () => {
  readiness.startDraining();
  expect(await probe('/readyz')).toMatchObject(unready('draining'));
  expect(await probe('/livez')).toMatchObject(ready);
});
