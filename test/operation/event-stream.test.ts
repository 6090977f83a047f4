import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { defineTool } from '../../src/environment/define-tool.ts';
import { EventStream } from '../../src/operation/result.ts';
import { ToolError } from '../../src/platform/errors.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { mcpMessages } from './mcp-messages.ts';

/** Counts the streams. `gate` holds back the second event of each. */
const seen = { begun: 0, ended: 0, aborted: 0 };
let gate = Promise.resolve();

const failures = {
  none: () => undefined,
  tool: () => new ToolError('in_use', 'Taken meanwhile.', { details: { by: 'x' } }),
  unforeseen: () => new Error('select * from secrets at 10.0.0.1'),
  output: () => undefined,
} as const;

async function* counting(upTo: number, failure: keyof typeof failures) {
  seen.begun++;
  try {
    for (let n = 1; n <= upTo; n++) {
      if (n === 2) await gate;
      yield { n };
    }
    const error = failures[failure]();
    if (error) throw error;
    return failure === 'output' ? ({ total: upTo, extra: 1 } as { total: number }) : { total: upTo };
  } finally {
    seen.ended++;
  }
}

const common = {
  output: v.strictObject({ total: v.number() }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  results: ['events'],
} as const;

const countUp = defineTool({
  ...common,
  name: 'count_up',
  title: 'Count up',
  mcp: { progressMessage: ({ n }) => `Counted to ${Number(n)}.` },
  description: 'Counts, or answers at once.',
  rest: { method: 'POST', path: '/v1/trial/count' },
  input: v.strictObject({
    upTo: v.number(),
    failure: v.optional(v.picklist(['none', 'tool', 'unforeseen', 'output']), 'none'),
    stream: v.optional(v.boolean(), true),
  }),
  handler: async (_, { upTo, failure, stream }) =>
    stream ? new EventStream(counting(upTo, failure)) : { total: upTo },
});

/** Never ends by itself: sends events forever, or waits for its signal. */
const goOn = defineTool({
  ...common,
  name: 'go_on',
  title: 'Go on',
  description: 'Never ends.',
  rest: { method: 'GET', path: '/v1/trial/go-on/{how}' },
  input: v.strictObject({ how: v.picklist(['ticking', 'waiting']) }),
  async handler({ signal }, { how }) {
    async function* events(): AsyncGenerator<{ n: number }, never, undefined> {
      seen.begun++;
      try {
        for (let n = 0; ; n++) {
          yield { n };
          await (how === 'ticking' ? pause(1) : pause(60_000, undefined, { signal }));
        }
      } finally {
        seen.ended++;
        if (signal.aborted) seen.aborted++;
      }
    }
    return new EventStream(events());
  },
});

let world: World;
let key: string;
beforeAll(async () => {
  world = await openWorld({ toolsets: { trial: [countUp, goOn] } });
  key = (await world.tenant()).key;
});
afterAll(() => world.close());

const count = (body: object) => world.rest('POST', '/v1/trial/count', { key, body });

describe('over REST, an event stream', () => {
  test('is each event as data, then the value as event: result', async () => {
    const { status, headers, body } = await count({ upTo: 3 });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(body).toBe(
      'data: {"n":1}\n\ndata: {"n":2}\n\ndata: {"n":3}\n\nevent: result\ndata: {"total":3}\n\n',
    );
  });

  test('becomes JSON if the handler returns a value', async () => {
    const { headers, body } = await count({ upTo: 3, stream: false });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toStrictEqual({ total: 3 });
  });

  test('delivers each event before the next one exists', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const reply = await fetch(`${world.base}/v1/trial/count`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ upTo: 2 }),
    });
    const chunks = reply.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    expect((await chunks?.next())?.value).toBe('data: {"n":1}\n\n');
    resolve();
    let rest = '';
    for (let next = await chunks?.next(); !next?.done; next = await chunks?.next()) rest += next?.value;
    expect(rest).toBe('data: {"n":2}\n\nevent: result\ndata: {"total":2}\n\n');
  });

  test('that fails midway ends with event: error, which holds the body of an error response', async () => {
    const { status, headers, body } = await count({ upTo: 1, failure: 'tool' });
    expect(status).toBe(200);
    const [first, last, ...more] = body.split('\n\n');
    expect([first, more]).toStrictEqual(['data: {"n":1}', ['']]);
    expect(last).toMatch(/^event: error\ndata: \{/);
    expect(JSON.parse(last.slice('event: error\ndata: '.length))).toStrictEqual({
      error: {
        code: 'in_use',
        message: 'Taken meanwhile.',
        details: { by: 'x' },
        requestId: headers.get('x-request-id'),
      },
    });
  });

  test.each(['unforeseen', 'output'])(
    'that fails by our fault (%s) says nothing of the cause',
    async (failure) => {
      const { body } = await count({ upTo: 1, failure });
      expect(body).toContain('event: error\ndata: {"error":{"code":"internal_error"');
      expect(body).not.toMatch(/select|secrets|10\.0\.0\.1|extra|event: result/);
    },
  );

  test.each(['ticking', 'waiting'])('ends when the client leaves it %s', async (how) => {
    const before = { ...seen };
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${key}` };
    const reply = await fetch(`${world.base}/v1/trial/go-on/${how}`, { headers, signal: leaving.signal });
    const chunk = await reply.body?.getReader().read();
    expect(new TextDecoder().decode(chunk?.value)).toMatch(/^data: \{"n":0\}\n\n/);
    leaving.abort();
    await vi.waitFor(() => expect(seen.ended).toBe(before.ended + 1), { timeout: 5000 });
    expect(seen.begun).toBe(before.begun + 1);
    expect(seen.aborted).toBe(before.aborted + 1);
  });

  test('that is refused becomes an error response, not a stream', async () => {
    const { status, headers, body } = await count({ upTo: 'x' });
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body.error.details.issues).toHaveLength(1);
    expect((await world.rest('POST', '/v1/trial/count', { body: { upTo: 1 } })).status).toBe(401);
  });
});

describe('over MCP, an event stream', () => {
  const call = (args: object, meta?: object) =>
    mcpMessages(world.base, key, { name: 'count_up', arguments: args, ...(meta && { _meta: meta }) });
  const value = { total: 2 };

  test('becomes a progress notification for each event and one final value if the call has a progress token', async () => {
    const messages = await call({ upTo: 2 }, { progressToken: 'mine' });
    expect(messages).toStrictEqual([
      ...[1, 2].map((n) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'mine', progress: n, message: `Counted to ${n}.` },
      })),
      {
        jsonrpc: '2.0',
        id: 1,
        result: { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value },
      },
    ]);
  });

  test('becomes its final value alone if the call has no progress token', async () => {
    expect(await call({ upTo: 2 })).toStrictEqual([
      expect.objectContaining({ result: expect.objectContaining({ structuredContent: value }) }),
    ]);
  });

  test.each(['tool', 'unforeseen', 'output'])(
    'that fails on the way (%s) is an error result',
    async (failure) => {
      const before = seen.ended;
      const [, last, ...more] = await call({ upTo: 1, failure }, { progressToken: 7 });
      expect(more).toStrictEqual([]);
      expect(last?.result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
      const code = failure === 'tool' ? 'in_use' : 'internal_error';
      expect(JSON.parse(last?.result?.content[0]?.text ?? '').error.code).toBe(code);
      expect(JSON.stringify(last)).not.toMatch(/select|secrets|extra/);
      expect(seen.ended).toBe(before + 1);
    },
  );

  test.each([
    ['ticking', { progressToken: 'p' }],
    ['ticking', {}],
    ['waiting', { progressToken: 'p' }],
  ])('ends when the client leaves it %s, with %j', async (how, meta) => {
    const before = { ...seen };
    const leaving = new AbortController();
    const params = { name: 'go_on', arguments: { how }, _meta: meta };
    const left = mcpMessages(world.base, key, params, leaving.signal).catch(
      (error: unknown) => (error as Error).name,
    );
    await vi.waitFor(() => expect(seen.begun).toBe(before.begun + 1), { timeout: 5000 });
    leaving.abort();
    expect(await left).toBe('AbortError');
    await vi.waitFor(() => expect(seen.ended).toBe(before.ended + 1), { timeout: 5000 });
    expect(seen.aborted).toBe(before.aborted + 1);
  });
});

test('an operation that returns events publishes no output schema', async () => {
  const client = await world.mcp('legacy http', key);
  const { tools } = await client.listTools();
  expect(tools.map(({ name, outputSchema }) => [name, outputSchema])).toStrictEqual([
    ['count_up', undefined],
    ['go_on', undefined],
  ]);
});
