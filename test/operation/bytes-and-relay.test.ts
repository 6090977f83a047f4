import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { defineTool } from '../../src/environment/define-tool.ts';
import { Bytes, Relay } from '../../src/operation/result.ts';
import { openWorld, type World } from '../helpers/world.ts';

/** All 256 bytes. Any conversion to text would change them. */
const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const seen = { ended: 0, interpreted: 0 };

async function* parts(...all: Uint8Array[]) {
  yield* all;
}

async function* endless() {
  try {
    for (;;) {
      yield everyByte;
      await pause(1);
    }
  } finally {
    seen.ended++;
  }
}

async function* broken() {
  yield everyByte;
  throw new Error('upstream says: key sk-123 is wrong');
}

const bodies = {
  whole: () => parts(everyByte.subarray(0, 100), everyByte.subarray(100)),
  none: parts,
  endless,
  broken,
};

const common = {
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
} as const;

const draw = defineTool({
  ...common,
  name: 'draw',
  title: 'Draw',
  description: 'Answers with bytes.',
  rest: { method: 'GET', path: '/v1/trial/draw' },
  input: v.strictObject({
    type: v.string(),
    body: v.optional(v.picklist(['whole', 'none', 'endless', 'broken']), 'whole'),
  }),
  output: v.strictObject({ text: v.string() }),
  results: ['bytes'],
  handler: async (_, { type, body }) =>
    type === 'json' ? { text: 'drawn' } : new Bytes(type, bodies[body]()),
});

const upstream = '{"b": 1,\n  "a": [1.0, "\\u00e9"]}\n';

const forward = defineTool({
  ...common,
  name: 'forward',
  title: 'Forward',
  description: 'Hands an answer of an upstream on.',
  rest: { method: 'POST', path: '/v1/trial/forward' },
  input: v.strictObject({
    type: v.string(),
    value: v.optional(v.picklist(['right', 'wrong', 'throws']), 'right'),
  }),
  output: v.objectWithRest({ a: v.array(v.unknown()) }, v.unknown()),
  results: ['relay'],
  async handler(_, { type, value }) {
    return new Relay(type, parts(new TextEncoder().encode(upstream)), (whole): { a: unknown[] } => {
      seen.interpreted++;
      if (value === 'throws') throw new Error('secret of the upstream');
      return value === 'right' ? JSON.parse(new TextDecoder().decode(whole)) : ({ b: 1 } as never);
    });
  },
});

const undeclared = defineTool({
  ...common,
  name: 'undeclared',
  title: 'Undeclared',
  description: 'Answers with what it did not announce.',
  rest: { method: 'GET', path: '/v1/trial/undeclared' },
  input: v.strictObject({}),
  output: v.unknown(),
  handler: async () => new Bytes('text/plain', parts(everyByte)),
});

let world: World;
let key: string;
beforeAll(async () => {
  world = await openWorld({ toolsets: { trial: [draw, forward, undeclared] } });
  key = (await world.tenant()).key;
});
afterAll(() => world.close());

const authorization = () => ({ authorization: `Bearer ${key}` });
const fetchBytes = (query: string, signal?: AbortSignal) =>
  fetch(`${world.base}/v1/trial/draw?${query}`, { headers: authorization(), ...(signal && { signal }) });

describe('over REST, bytes', () => {
  test('are the body, unchanged, under their content type', async () => {
    for (const type of ['image/png', 'audio/wav', 'application/json', 'text/plain; charset=latin1']) {
      const reply = await fetchBytes(`type=${encodeURIComponent(type)}`);
      expect([reply.status, reply.headers.get('content-type')]).toStrictEqual([200, type]);
      expect(new Uint8Array(await reply.arrayBuffer())).toStrictEqual(everyByte);
      expect(reply.headers.get('x-request-id')).toMatch(/./);
    }
  });

  test('may be none', async () => {
    const reply = await fetchBytes('type=image/png&body=none');
    expect([reply.status, (await reply.arrayBuffer()).byteLength]).toStrictEqual([200, 0]);
  });

  test('are not sent if the handler returns a value', async () => {
    const { headers, body } = await world.rest('GET', '/v1/trial/draw?type=json', { key });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toStrictEqual({ text: 'drawn' });
  });

  test('end when the client leaves', async () => {
    const leaving = new AbortController();
    const reply = await fetchBytes('type=audio/wav&body=endless', leaving.signal);
    await reply.body?.getReader().read();
    leaving.abort();
    await vi.waitFor(() => expect(seen.ended).toBe(1), { timeout: 5000 });
  });

  test('that end early close the connection, so that no client takes them for complete', async () => {
    const reply = await fetchBytes('type=audio/wav&body=broken');
    await expect(reply.arrayBuffer()).rejects.toThrow(/terminated|other side closed/);
    expect((await world.rest('GET', '/v1/trial/draw?type=json', { key })).status).toBe(200);
  });

  test('that the definition does not announce return 500', async () => {
    const { status, body } = await world.rest('GET', '/v1/trial/undeclared', { key });
    expect({ status, code: body.error.code }).toStrictEqual({ status: 500, code: 'internal_error' });
  });
});

describe('over MCP, bytes', () => {
  const data = Buffer.from(everyByte).toString('base64');
  test.each([
    ['image/png', { type: 'image', data, mimeType: 'image/png' }],
    ['audio/wav; codecs=1', { type: 'audio', data, mimeType: 'audio/wav' }],
    [
      'application/pdf',
      {
        type: 'resource',
        resource: { uri: 'parley://results/draw', mimeType: 'application/pdf', blob: data },
      },
    ],
  ])('of type %s are one block', async (type, block) => {
    for (const transport of ['modern http', 'legacy http'] as const) {
      const client = await world.mcp(transport, key);
      const result = await client.callTool({ name: 'draw', arguments: { type } });
      expect(result.content).toStrictEqual([block]);
      expect(result).not.toHaveProperty('structuredContent');
      expect(result).not.toHaveProperty('isError');
    }
  });

  test('of an SVG become text, because hosts refuse it as an image', async () => {
    const client = await world.mcp('modern http', key);
    const result = await client.callTool({
      name: 'draw',
      arguments: { type: 'image/svg+xml', body: 'none' },
    });
    expect(result.content).toStrictEqual([
      { type: 'resource', resource: { uri: 'parley://results/draw', mimeType: 'image/svg+xml', text: '' } },
    ]);
  });

  test('that end early become an error result without the cause', async () => {
    const client = await world.mcp('modern http', key);
    const result = await client.callTool({ name: 'draw', arguments: { type: 'image/png', body: 'broken' } });
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toContain('internal_error');
    expect(JSON.stringify(result)).not.toMatch(/upstream|sk-123/);
  });
});

describe('a relay', () => {
  test.each(['application/json', 'text/event-stream', 'text/plain', 'application/x-ndjson'])(
    'of type %s is untouched over REST, and not interpreted',
    async (type) => {
      const before = seen.interpreted;
      const reply = await fetch(`${world.base}/v1/trial/forward`, {
        method: 'POST',
        headers: { ...authorization(), 'content-type': 'application/json' },
        body: JSON.stringify({ type, value: 'throws' }),
      });
      expect([reply.status, reply.headers.get('content-type')]).toStrictEqual([200, type]);
      expect(await reply.text()).toBe(upstream);
      expect(seen.interpreted).toBe(before);
    },
  );

  test('becomes its interpreted value over MCP, with members beyond the schema', async () => {
    const client = await world.mcp('modern http', key);
    const result = await client.callTool({ name: 'forward', arguments: { type: 'text/event-stream' } });
    const value = { b: 1, a: [1, 'é'] };
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toStrictEqual(value);
    expect(JSON.parse(result.content[0]?.text ?? '')).toStrictEqual(value);
  });

  test.each(['wrong', 'throws'])('whose interpretation is %s is an error result over MCP', async (value) => {
    const client = await world.mcp('legacy http', key);
    const result = await client.callTool({ name: 'forward', arguments: { type: 'x/y', value } });
    expect(result.isError).toBe(true);
    expect(JSON.parse(result.content[0]?.text ?? '').error.code).toBe('internal_error');
    expect(JSON.stringify(result)).not.toContain('secret');
  });
});
