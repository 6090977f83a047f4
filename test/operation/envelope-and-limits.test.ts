import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ToolError } from '../../src/platform/errors.ts';
import { openWorld, type World } from '../helpers/world.ts';

const bodyLimit = 1000;

const speak = defineTool({
  name: 'speak',
  title: 'Speak',
  description: 'Speaks in the other envelope.',
  rest: { method: 'POST', path: '/v1/trial/speak/{count}', from: { quality: 'query' } },
  input: v.strictObject({
    count: v.pipe(v.number(), v.integer()),
    quality: v.optional(v.picklist(['low', 'high'])),
    input: v.string(),
    nested: v.optional(v.array(v.strictObject({ 'a/b~c': v.optional(v.number()) }))),
  }),
  output: v.strictObject({ said: v.string() }),
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false },
  errors: { 409: ['in_use'] },
  envelope: 'detail',
  bodyLimit,
  async handler(_, { input }) {
    if (input === 'conflict') throw new ToolError('in_use', 'Taken.', { details: { references: [] } });
    if (input === 'missing') throw new ToolError('not_found', 'Gone.');
    if (input === 'crash') throw new Error('no such table: voices');
    return { said: input };
  },
});

/** Two operations without the envelope: one with the same limit, one with a limit above the default. */
const limited = [bodyLimit, 400_000].map((limit) =>
  defineTool({
    name: `measure_${limit}`,
    title: 'Measure',
    description: 'Measures a text.',
    rest: { method: 'POST', path: `/v1/trial/measure-${limit}` },
    input: v.strictObject({ text: v.string() }),
    output: v.strictObject({ length: v.number() }),
    access: 'read',
    effect: { readOnly: true, destructive: false, idempotent: true },
    bodyLimit: limit,
    handler: async (_, { text }) => ({ length: text.length }),
  }),
);

let world: World;
let key: string;
let projectId: string;
beforeAll(async () => {
  world = await openWorld({ toolsets: { trial: [speak, ...limited] } });
  ({ key, projectId } = await world.tenant());
});
afterAll(() => world.close());

const post = (route: string, body?: unknown, headers: Record<string, string> = {}) =>
  world.rest('POST', `/v1/trial/${route}`, { key, body, headers });

describe('the detail envelope', () => {
  const item = (...loc: (string | number)[]) => ({
    loc,
    msg: expect.stringMatching(/\S/),
    type: expect.stringMatching(/\S/),
  });

  test('holds every validation failure with its place', async () => {
    const { status, headers, body } = await post('speak/x?quality=best&extra=1', {
      input: 5,
      nested: [{ 'a/b~c': 'no' }],
      'un/known': 1,
    });
    expect(status).toBe(422);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-request-id')).toMatch(/\S/);
    const order = (items: { loc: (string | number)[] }[]) =>
      items.toSorted((a, b) => (a.loc.join() < b.loc.join() ? -1 : 1));
    expect({ ...body, detail: order(body.detail) }).toStrictEqual({
      detail: [
        item('body', 'input'),
        item('body', 'nested', 0, 'a/b~c'),
        item('body', 'un/known'),
        item('path', 'count'),
        item('query', 'quality'),
      ],
    });
  });

  test('reports a body that is not JSON, has the wrong type or is not an object', async () => {
    for (const [body, type] of [
      ['{no', 'application/json'],
      ['{"input":"x"}', 'text/plain'],
      ['[]', 'application/json'],
    ] as const) {
      const answer = await post('speak/1', body, { 'content-type': type });
      expect({ status: answer.status, body: answer.body }).toStrictEqual({
        status: 422,
        body: { detail: [item('body')] },
      });
    }
    expect((await post('speak/%FF', { input: 'x' })).body).toStrictEqual({ detail: [item('path')] });
  });

  test('is used for validation errors only', async () => {
    const route = '/v1/trial/speak/1';
    const limitedKey = await world.key(projectId, { scope: 'service_app' });
    const cases: [number, string, Promise<{ status: number; body: { error: { code: string } } }>][] = [
      [401, 'unauthorized', world.rest('POST', route, { body: { input: 5 } })],
      [403, 'forbidden', world.rest('POST', route, { key: limitedKey.key, body: { input: 5 } })],
      [413, 'payload_too_large', post('speak/1', { input: 'x'.repeat(bodyLimit) })],
      [404, 'not_found', post('speak/1', { input: 'missing' })],
      [409, 'in_use', post('speak/1', { input: 'conflict' })],
      [500, 'internal_error', post('speak/1', { input: 'crash' })],
    ];
    for (const [status, code, call] of cases) {
      const answer = await call;
      expect({ status: answer.status, code: answer.body.error.code }).toStrictEqual({ status, code });
    }
  });

  test('belongs to its operation: an unknown path next to it returns the usual envelope', async () => {
    expect((await post('speak', { input: 5 })).body.error.code).toBe('not_found');
    expect((await post('measure-1000', { text: 5 })).body.error.code).toBe('invalid_request');
    expect((await post('speak/1', { input: 'x' })).body).toStrictEqual({ said: 'x' });
  });

  test('is used in REST only: MCP returns invalid_request with its issues', async () => {
    const client = await world.mcp('modern http', key);
    const result = await client.callTool({ name: 'speak', arguments: { count: 1, input: 5 } });
    const { error } = JSON.parse(result.content[0]?.text ?? '');
    expect(error).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: '/input' }] },
    });
  });
});

describe.each([bodyLimit, 400_000])('a body limit of %i bytes of its own', (limit) => {
  const route = `measure-${limit}`;
  /** Returns a body of exactly `bytes` bytes, most of them in characters of two bytes. */
  const bodyOf = (bytes: number) => {
    const room = bytes - Buffer.byteLength('{"text":""}');
    return `{"text":"${'é'.repeat(Math.floor(room / 2))}${'x'.repeat(room % 2)}"}`;
  };

  test('accepts a body of exactly that size, and not one byte more', async () => {
    expect((await post(route, bodyOf(limit))).status).toBe(200);
    const { status, body } = await post(route, bodyOf(limit + 1));
    expect({ status, code: body.error.code }).toStrictEqual({ status: 413, code: 'payload_too_large' });
    expect(body.error.message).toContain(String(limit));
  });

  test('counts the arguments of an MCP call as UTF-8 in the same way', async () => {
    const client = await world.mcp('modern http', key);
    const call = (bytes: number) =>
      client.callTool({ name: `measure_${limit}`, arguments: JSON.parse(bodyOf(bytes)) });
    expect((await call(limit)).isError).toBeUndefined();
    const refused = await call(limit + 1);
    expect(refused.isError).toBe(true);
    expect(JSON.parse(refused.content[0]?.text ?? '').error.code).toBe('payload_too_large');
  });
});
