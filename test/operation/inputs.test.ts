import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineTool } from '../../src/environment/define-tool.ts';
import { openWorld, type World } from '../helpers/world.ts';

const common = {
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
} as const;

const passOn = defineTool({
  ...common,
  name: 'pass_on',
  title: 'Pass on',
  description: 'Answers its input.',
  rest: { method: 'POST', path: '/v1/trial/pass-on/{which}' },
  input: v.objectWithRest({ which: v.string(), model: v.optional(v.string(), 'auto') }, v.unknown()),
  output: v.strictObject({ input: v.unknown() }),
  handler: async (_, input) => ({ input }),
});

const list = defineTool({
  ...common,
  name: 'list_numbers',
  title: 'List numbers',
  description: 'Answers a list.',
  rest: { method: 'GET', path: '/v1/trial/numbers' },
  input: v.strictObject({
    upTo: v.pipe(v.number(), v.integer(), v.maxValue(9)),
    even: v.optional(v.boolean(), false),
    add: v.optional(v.array(v.string()), []),
  }),
  output: v.array(v.strictObject({ n: v.string() })),
  async handler(_, { upTo, even, add }) {
    const numbers = Array.from({ length: upTo }, (_, index) => index + 1).filter((n) => !even || n % 2 === 0);
    return [...numbers.map(String), ...add].map((n) => ({ n }));
  },
});

const choose = defineTool({
  ...common,
  name: 'choose',
  title: 'Choose',
  description: 'Takes one of two.',
  rest: { method: 'POST', path: '/v1/trial/{id}/choose', from: { flowId: 'path:id' } },
  input: v.strictObject({
    flowId: v.string(),
    one: v.optional(
      v.strictObject({
        a: v.optional(v.number()),
        b: v.optional(v.array(v.strictObject({ c: v.optional(v.string()) }))),
      }),
    ),
    other: v.optional(v.unknown()),
  }),
  output: v.strictObject({ chosen: v.string() }),
  check: ({ flowId, one, other }) => [
    ...(one && other ? [{ path: ['other', 'a/b', 0] as const, message: 'Excludes one.' }] : []),
    ...(flowId === 'bad' ? [{ path: ['flowId'] as const, message: 'Is bad.' }] : []),
  ],
  mcp: { inputs: { other: { type: 'object', description: 'Whatever describe_it says.' } } },
  handler: async (_, { one }) => ({ chosen: one ? 'one' : 'other' }),
});

let world: World;
let key: string;
beforeAll(async () => {
  world = await openWorld({ toolsets: { trial: [passOn, list, choose] } });
  key = (await world.tenant()).key;
});
afterAll(() => world.close());

const post = (route: string, body: unknown) => world.rest('POST', `/v1/trial/${route}`, { key, body });
const called = async (name: string, args: Record<string, unknown>) => {
  const client = await world.mcp('modern http', key);
  return client.callTool({ name, arguments: args });
};

describe('an input that passes on', () => {
  const unknown = { tier: 'flex', nested: { a: [1, { b: null }] }, '': 0, toString: 'x', 'é/~': true };

  test('keeps unknown members unchanged on both transports', async () => {
    const input = { which: 'a', model: 'auto', ...unknown };
    expect((await post('pass-on/a', unknown)).body).toStrictEqual({ input });
    expect((await called('pass_on', { which: 'a', ...unknown })).structuredContent).toStrictEqual({ input });
  });

  test('keeps members called constructor and prototype too', async () => {
    const { status, body } = await post('pass-on/a', '{"constructor":{"a":1},"prototype":[2]}');
    expect(status).toBe(200);
    expect(JSON.stringify(body.input)).toContain('"constructor":{"a":1},"prototype":[2]');
  });

  test('checks the members that it knows', async () => {
    expect((await post('pass-on/a', { model: 5 })).body.error.details.issues).toStrictEqual([
      { in: 'body', path: '/model', message: expect.any(String) },
    ]);
  });

  test('takes an input of the path from the path, even if the body has a member of that name', async () => {
    const { body } = await post('pass-on/a', { which: 'b' });
    expect(body.input?.which ?? 'a').toBe('a');
  });

  test('refuses __proto__ at every level', async () => {
    for (const text of ['{"__proto__":{"model":"x"}}', '{"a":{"__proto__":1}}', '{"__proto__":null}']) {
      const { status, body } = await post('pass-on/a', text);
      expect({ status, code: body.error?.code }, text).toStrictEqual({
        status: 400,
        code: 'invalid_request',
      });
    }
    const args = JSON.parse('{"which":"a","nested":{"__proto__":{"model":"x"}}}');
    expect((await called('pass_on', args)).isError).toBe(true);
  });

  test('refuses values that JSON cannot represent, also in unknown members', async () => {
    const text = '{"a":"\\u0000","b":{"c":["\\ud800"]},"d":1e400,"e":9007199254740993}';
    const { body } = await post('pass-on/a', text);
    const paths = body.error.details.issues.map(({ path }: { path: string }) => path);
    expect(paths.toSorted()).toStrictEqual(['/a', '/b/c/0', '/d', '/e']);
  });
});

describe('a list as the whole output', () => {
  const items = [{ n: '1' }, { n: '2' }];

  test('is a bare array in REST and the member items on MCP', async () => {
    const { status, body } = await world.rest('GET', '/v1/trial/numbers?upTo=2', { key });
    expect({ status, body }).toStrictEqual({ status: 200, body: items });
    const result = await called('list_numbers', { upTo: 2 });
    expect(result.structuredContent).toStrictEqual({ items });
    expect(JSON.parse(result.content[0]?.text ?? '')).toStrictEqual({ items });
  });

  test('is published as the member items', async () => {
    const client = await world.mcp('legacy http', key);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'list_numbers')?.outputSchema).toMatchObject({
      type: 'object',
      properties: { items: { type: 'array' } },
      required: ['items'],
    });
  });
});

describe('an input that is not text', () => {
  test.each([
    ['upTo=4&even=true', ['2', '4']],
    ['upTo=2&even=false', ['1', '2']],
    ['upTo=0&add=a,b', ['a', 'b']],
    ['upTo=1&add=', ['1']],
    ['upTo=-1', []],
  ])('is converted from the query: %s', async (query, numbers) => {
    const { body } = await world.rest('GET', `/v1/trial/numbers?${query}`, { key });
    expect(body).toStrictEqual(numbers.map((n) => ({ n })));
  });

  test.each([
    ['upTo=x', '/upTo'],
    ['upTo=1.5', '/upTo'],
    ['upTo=0x1', '/upTo'],
    ['upTo=10', '/upTo'],
    ['upTo=1&even=1', '/even'],
    ['upTo=1&even=TRUE', '/even'],
    ['', '/upTo'],
  ])('is refused if it does not convert: %s', async (query, path) => {
    const { status, body } = await world.rest('GET', `/v1/trial/numbers?${query}`, { key });
    expect(status).toBe(400);
    expect(body.error.details.issues).toStrictEqual([
      { in: 'querystring', path, message: expect.stringMatching(/^(Expected|Is required)/) },
    ]);
  });

  test('is not converted on MCP', async () => {
    expect((await called('list_numbers', { upTo: '2' })).isError).toBe(true);
  });
});

describe('a rule across inputs', () => {
  test('names its place as each transport does', async () => {
    const { status, body } = await post('bad/choose', { one: { a: 1 }, other: {} });
    expect(status).toBe(400);
    expect(body.error.details.issues).toStrictEqual([
      { in: 'body', path: '/other/a~1b/0', message: 'Excludes one.' },
      { in: 'params', path: '/id', message: 'Is bad.' },
    ]);
    const result = await called('choose', { flowId: 'bad', one: { a: 1 } });
    expect(JSON.parse(result.content[0]?.text ?? '').error.details.issues).toStrictEqual([
      { path: '/flowId', message: 'Is bad.' },
    ]);
  });

  test('is applied only to well-formed inputs', async () => {
    const { body } = await post('bad/choose', { one: 5 });
    expect(body.error.details.issues).toStrictEqual([
      { in: 'body', path: '/one', message: expect.any(String) },
    ]);
  });
});

test('an input can be published with another schema than it is checked with', async () => {
  const client = await world.mcp('legacy http', key);
  const { tools } = await client.listTools();
  const { properties } = (tools.find(({ name }) => name === 'choose')?.inputSchema ?? {}) as {
    properties: Record<string, unknown>;
  };
  expect(properties['other']).toStrictEqual({ type: 'object', description: 'Whatever describe_it says.' });
  expect(Object.keys(properties)).toStrictEqual(['flowId', 'one', 'other']);
  expect((await called('choose', { flowId: 'x', other: 'no object' })).isError).toBeUndefined();
});

test('unknown members are refused at every level, all at once', async () => {
  const unknown = { x: 1, constructor: 2, toString: 3, 'a/b': 4 };
  const { status, body } = await post('id/choose', {
    one: { a: 1, b: [{ c: 'c', ...unknown }], ...unknown },
  });
  expect(status).toBe(400);
  const paths = body.error.details.issues.map(({ path }: { path: string }) => path);
  const names = ['a~1b', 'constructor', 'toString', 'x'];
  expect(paths.toSorted()).toStrictEqual(
    [...names.map((name) => `/one/${name}`), ...names.map((name) => `/one/b/0/${name}`)].toSorted(),
  );
});

test('a list is refused where an object is expected', async () => {
  for (const [place, input] of [
    ['/one', { one: [] }],
    ['/one/b/0', { one: { a: 1, b: [[]] } }],
  ] as const)
    expect((await post('id/choose', input)).body.error?.details.issues).toStrictEqual([
      { in: 'body', path: place, message: expect.any(String) },
    ]);
});
