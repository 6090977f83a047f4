import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startIndexing } from '../../../src/command-line/start-indexing.ts';
import { openTracing } from '../../../src/platform/tracing/open-tracing.ts';
import { modelDisclosure } from '../../../src/services/models/disclosure.ts';
import { openWorld, type Tenant, upstreamKey, type World } from '../../helpers/world.ts';

/** A span as OTLP writes it in JSON, as far as the tests read it. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

const spans: Span[] = [];
const bodies: string[] = [];
const services = new Set<unknown>();
const receiver = createServer((request, response) => void receive(request, response));

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  bodies.push(body);
  for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
    for (const { key, value } of resource.attributes)
      if (key === 'service.name') services.add(value.stringValue);
    for (const scope of scopeSpans) spans.push(...scope.spans);
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}

const lines: string[] = [];
const trace = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';
const headers = { traceparent: `00-${trace}-${parent}-01` };
const secret = 'zq7-the-name-of-a-flow';

let world: World;
/** The response names it. */
const unknownFlow = `c${'0'.repeat(25)}`;
let tenant: Tenant;
let upstreamGot: string | undefined;
let sourceId: string;

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const closeTracing = openTracing('0.0.0-test', pino({ level: 'silent' }));
  world = await openWorld({
    // The upstream opens with the world.
    confirmDisclosure: (...call) => {
      const place = { apiKey: upstreamKey, baseUrl: world.upstream.baseUrl, model: 'chat' };
      return modelDisclosure(place)(...call);
    },
    log: pino({}, { write: (line: string) => void lines.push(line) }),
  });
  tenant = await world.tenant();
  const { key, projectId } = tenant;
  const flows = `/v1/projects/${projectId}/flows`;
  await world.rest('POST', flows, { key, headers, body: { name: secret, flowSchema: {} } });
  await world.rest('GET', flows, { key });
  await world.rest('GET', `/v1/flows/${unknownFlow}`, { key });
  await world.rest('POST', '/v1/chat/completions', {
    key,
    headers,
    body: { model: 'chat', messages: [{ role: 'user', content: secret }] },
  });
  upstreamGot = world.upstream.received.at(-1)?.headers['traceparent'] as string | undefined;
  const templateFields = {
    businessName: 'Harbour & Lane',
    businessFacts: 'Open all day.',
    transferNumber: '+12025550143',
    notifyNumber: '+12025550144',
  };
  await world.rest('POST', `/v1/projects/${projectId}/conversations`, {
    key,
    body: { name: 'Disclosed', templateKey: 'receptionist', templateFields },
  });
  const client = await world.mcp('legacy http', key);
  await client.callTool({ name: 'list_agent_profiles', arguments: { projectId } });
  const { body: base } = await world.rest('POST', `/v1/projects/${projectId}/knowledge-bases`, {
    key,
    body: { name: 'Base' },
  });
  const file = { fileName: 'a.txt', mimeType: 'text/plain', contentBase64: btoa('Open on Monday.') };
  const source = await world.rest('POST', `/v1/knowledge/${base.id}/sources`, {
    key,
    body: { type: 'file', name: 'File', ...file },
  });
  sourceId = source.body.id;
  const workers = await startIndexing(world.core, { atOnce: 1, fetchAllow: [] }, pino({ level: 'silent' }));
  const status = async () =>
    (await world.rest('GET', `/v1/knowledge/${base.id}/sources/${sourceId}`, { key })).body.indexingStatus;
  const indexed = async () => {
    if ((await status()) !== 'completed') throw new Error('the source is not indexed yet');
  };
  await vi.waitFor(indexed, { timeout: 15_000, interval: 50 });
  await workers.stop();
  await closeTracing();
});
afterAll(async () => {
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  await world?.close();
  receiver.close();
  receiver.closeAllConnections();
});

const attribute = ({ attributes }: Span, name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];
const named = (name: string) => spans.filter((span) => span.name === name);
const childrenOf = ({ spanId }: Span) => spans.filter(({ parentSpanId }) => parentSpanId === spanId);
/** All spans below a span. */
const below = (span: Span): Span[] => childrenOf(span).flatMap((child) => [child, ...below(child)]);

test('a request continues the trace of its caller, down to the statements', () => {
  const [request] = named('POST /v1/projects/{projectId}/flows');
  expect(request).toMatchObject({ traceId: trace, parentSpanId: parent, kind: 2 });
  if (!request) return;
  expect(attribute(request, 'http.response.status_code')).toBe(201);
  expect(attribute(request, 'parley.project_id')).toBe(tenant.projectId);
  const [operation] = childrenOf(request).filter(({ name }) => name === 'create_flow');
  const names = operation && below(operation).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['postgresql begin', 'postgresql insert', 'postgresql commit']),
  );
  expect(services).toEqual(new Set(['parley']));
});

test('a request without a trace begins one, and its log line has its id', () => {
  const [request] = named('GET /v1/projects/{projectId}/flows');
  expect(request?.parentSpanId ?? '').toBe('');
  const line = lines.map((text) => JSON.parse(text)).find(({ tool }) => tool === 'list_flows');
  expect(line).toMatchObject({ msg: 'request', traceId: request?.traceId });
  const [missing] = named('GET /v1/flows/{flowId}');
  expect(missing && attribute(missing, 'http.response.status_code')).toBe(404);
  expect(missing?.status.code ?? 0).toBe(0);
});

test('the upstream continues the trace below the span of its call', () => {
  const [call] = named('POST upstream');
  expect(call).toMatchObject({ traceId: trace, kind: 3 });
  expect(upstreamGot).toBe(`00-${trace}-${call?.spanId}-01`);
});

test('the model that confirms a disclosure continues the trace', () => {
  const [request] = named('POST /v1/projects/{projectId}/conversations');
  const host = new URL(world.upstream.baseUrl).host;
  const [call] = (request ? below(request) : []).filter(({ name }) => name === `POST ${host}`);
  const sent = world.upstream.received.map(({ headers: { traceparent } }) => traceparent);
  expect(sent).toContain(`00-${request?.traceId}-${call?.spanId}-01`);
});

test('a call over MCP and a job have spans, with their statements below', () => {
  const [call] = named('list_agent_profiles');
  const request = named('POST /mcp').find(({ spanId }) => spanId === call?.parentSpanId);
  expect(request && attribute(request, 'parley.operation')).toBe('list_agent_profiles');
  expect(call && below(call).some(({ name }) => name === 'postgresql select')).toBe(true);
  const [job] = named('process knowledge-indexing');
  expect(job).toMatchObject({ kind: 5 });
  expect(job && attribute(job, 'parley.source_id')).toBe(sourceId);
  expect(job && below(job).some(({ name }) => name.startsWith('postgresql'))).toBe(true);
});

test('no span holds a key or a value of a request, and no statement stands alone', () => {
  for (const body of bodies) {
    expect(body).not.toContain(tenant.key);
    expect(body).not.toContain(secret);
    expect(body).not.toContain(unknownFlow);
  }
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const statements = spans.filter(({ name }) => name.startsWith('postgresql'));
  expect(statements.length).toBeGreaterThan(10);
  expect(statements.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId))).toEqual([]);
});
