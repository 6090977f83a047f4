import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '../../../src/transports/rest/openapi.ts';
import { toolsets } from '../../../tools/index.ts';
import { speaks, transcribes } from '../../helpers/openai-wire.ts';
import { fillsForms } from '../../helpers/response-form.ts';
import {
  desk,
  eventsIn,
  openSessionProject,
  type SessionProject,
  visitOf,
} from '../../helpers/session-project.ts';
import { wav } from '../../helpers/wav.ts';
import { openWorld, type World } from '../../helpers/world.ts';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
  readonly responses: Record<
    string,
    { readonly content?: Record<string, { 'x-events'?: Record<string, object> }> }
  >;
}

const document = openApiDocument(toolsets, 'test') as unknown as {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly securitySchemes: Record<string, object> };
};
const room = '/v1/web-sessions/{sessionId}';
const routes = [
  ['GET', ''],
  ['POST', '/messages'],
  ['POST', '/speech'],
  ['POST', '/end'],
] as const;
const operationOf = (method: string, path: string) => document.paths[room + path]?.[method.toLowerCase()];

const ajv = new Ajv2020({ strict: false });
ajv.addSchema(document, 'openapi');
const problemsOf = (schema: object, value: unknown) => {
  const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')));
  return check(value) ? [] : check.errors;
};

let world: World;
let project: SessionProject;
beforeAll(async () => {
  world = await openWorld({ liveKit: undefined });
  project = await openSessionProject(world);
  world.upstream.reacts((request, response) => {
    if (request.path.endsWith('/transcriptions')) return transcribes('A person')(request, response);
    if (request.path.endsWith('/speech')) return speaks(Buffer.from('speech'))(request, response);
    return fillsForms({ route: { option: 'person' } })(request, response);
  });
});
afterAll(() => world.close());

/** Checks a response of a route, and each event of its stream. Returns the names of the events. */
async function checked(method: string, path: string, response: Response): Promise<string[]> {
  const type = response.headers.get('content-type') ?? '';
  const body = await response.text();
  const operation = operationOf(method, path);
  expect(Object.keys(operation?.responses ?? {})).toContain(String(response.status));
  if (!type.startsWith('text/event-stream')) {
    const target = `${room.replace('{sessionId}', 'cws1')}${path}`;
    world.checkAnswer(method, target, response.status, type, JSON.parse(body));
    return [];
  }
  const described = operation?.responses['200']?.content?.['text/event-stream']?.['x-events'] ?? {};
  return eventsIn(body).map(({ event, ...data }) => {
    expect(problemsOf(described[event] ?? { not: {} }, data), `${event} ${JSON.stringify(data)}`).toEqual([]);
    return event;
  });
}

test('describes the addresses of sessions with a security scheme of their own', () => {
  for (const [method, path] of routes)
    expect(operationOf(method, path)?.security, path).toEqual([{ sessionToken: [] }]);
  expect(document.components.securitySchemes['sessionToken']).toMatchObject({
    type: 'http',
    scheme: 'bearer',
  });
  const keyed = Object.entries(document.paths).filter(([path]) => !path.startsWith(room));
  for (const [, methods] of keyed)
    for (const { operationId, security } of Object.values(methods))
      expect(JSON.stringify(security ?? null), operationId).not.toContain('sessionToken');
});

test('every response and every event of a session is as the document describes it', async () => {
  const webAgentId = await project.agentOf(desk, { scopes: ['voice', 'chat'] });
  const voice = await project.visit(webAgentId);
  const seen = new Set<string>();
  const send = async (method: string, path: string, request: Promise<Response>) => {
    for (const event of await checked(method, path, await request)) seen.add(event);
  };
  const record = (id: string) =>
    fetch(`${voice.roomUrl}/speech?messageId=${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${voice.token}`, 'content-type': 'audio/wav' },
      body: new Uint8Array(wav()),
    });
  await send('GET', '', voice.request('GET', ''));
  await send('POST', '/end', voice.request('POST', '/end', {}));
  await send('POST', '/messages', voice.request('POST', '/messages', { start: true }));
  await send('POST', '/speech', record('m1'));
  await send('GET', '', voice.request('GET', ''));
  await send('POST', '/speech', record('m2'));
  await send('POST', '/end', voice.request('POST', '/end', {}));
  expect([...seen].toSorted()).toEqual(['audio', 'done', 'end', 'heard', 'say', 'step', 'transfer']);
});

test('every refusal of a session is as the document describes it', async () => {
  const origin = 'https://shop.example';
  const webAgentId = await project.agentOf(desk, { allowedOrigins: [origin] });
  const { roomUrl, token, request } = await project.visit(webAgentId, origin);
  const ended = await project.visit(webAgentId, origin);
  await ended.start();
  await ended.request('POST', '/end', {});
  const statuses: number[] = [];
  for (const [method, path] of routes) {
    const body = method === 'GET' ? undefined : {};
    for (const response of [
      await visitOf(roomUrl, 'no token', origin).request(method, path, body),
      await visitOf(roomUrl, token, 'https://evil.example').request(method, path, body),
      await visitOf(ended.roomUrl, token, origin).request(method, path, body),
    ]) {
      statuses.push(response.status);
      await checked(method, path, response);
    }
  }
  expect(statuses).toEqual(routes.flatMap(() => [401, 403, 404]));
  const messages: [object, number][] = [
    [{ text: ' ', messageId: 'm' }, 400],
    [{ text: 'x'.repeat(70_000), messageId: 'm' }, 413],
  ];
  for (const [body, status] of messages) {
    const response = await request('POST', '/messages', body);
    expect(response.status).toBe(status);
    await checked('POST', '/messages', response);
  }
  const late = await ended.request('POST', '/messages', { text: 'Still there?', messageId: 'm' });
  expect(late.status).toBe(404);
  await checked('POST', '/messages', late);
});

test('the document accepts the messages that the server accepts, and no others', async () => {
  const webAgentId = await project.agentOf(desk);
  const schema = operationOf('POST', '/messages')?.requestBody?.content['application/json']?.schema ?? {};
  for (const body of [
    { start: true },
    { start: false },
    { text: 'Hello', messageId: 'm' },
    { text: '😀'.repeat(4_000), messageId: '😀'.repeat(100) },
    { text: 'x'.repeat(4_001), messageId: 'm' },
    { text: ' \n', messageId: 'm' },
    { text: 'Hello', messageId: '' },
    { text: 'Hello', messageId: 'm'.repeat(101) },
    { text: 'Hello' },
    { text: 'Hello', messageId: 'm', start: true },
    {},
  ]) {
    const visit = await project.visit(webAgentId);
    const { status } = await visit.request('POST', '/messages', body);
    expect([status === 200, status], JSON.stringify(body).slice(0, 80)).toEqual([
      problemsOf(schema, body)?.length === 0,
      status === 200 ? 200 : 400,
    ]);
  }
});
