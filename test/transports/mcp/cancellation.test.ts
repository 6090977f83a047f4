import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';

let world: World;
let tenant: Tenant;
/** The errors in the log. */
const errors: string[] = [];
const log = pino({ level: 'error' }, { write: (line) => void errors.push(line) });
beforeAll(async () => {
  world = await openWorld({ log });
  tenant = await world.tenant();
  // A model that never responds.
  world.upstream.reacts(() => undefined);
});
afterAll(() => world?.close());

const chat = {
  name: 'create_chat_completion',
  arguments: { model: 'chat', messages: [{ role: 'user', content: 'Hello' }] },
};

/** A client of either line, and how it calls with a signal. */
async function open(line: 'legacy' | 'modern', key: string) {
  const url = new URL(`${world.base}/mcp`);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  if (line === 'modern') {
    const client = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new ModernHttp(url, { requestInit }));
    onTestFinished(() => client.close());
    return {
      call: (signal?: AbortSignal) => client.callTool(chat, signal && { signal }),
      close: () => client.close(),
    };
  }
  const client = new LegacyClient({ name: 'test', version: '1' });
  await client.connect(new LegacyHttp(url, { requestInit }));
  onTestFinished(() => client.close());
  return {
    call: (signal?: AbortSignal) => client.callTool(chat, undefined, signal && { signal }),
    close: () => client.close(),
  };
}

/** Waits until the upstream has this many open calls. */
const underWay = (count: number) => expect.poll(() => world.upstream.underWay()).toBe(count);

describe.each(['legacy', 'modern'] as const)('a %s client over HTTP', (line) => {
  test('that cancels a call ends the call of the upstream, and no error is logged', async () => {
    const client = await open(line, tenant.key);
    const cancelling = new AbortController();
    const call = client.call(cancelling.signal);
    await underWay(1);
    cancelling.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await underWay(0);
    await client.close();
    expect(errors.splice(0)).toStrictEqual([]);
  });

  test('that closes its connection ends the call of the upstream', async () => {
    const client = await open(line, tenant.key);
    const call = client.call();
    call.catch(() => undefined);
    await underWay(1);
    await client.close();
    await underWay(0);
  });

  test('ends no call of another client, even with the same key and the same request id', async () => {
    const [one, other] = [await open(line, tenant.key), await open(line, tenant.key)];
    const cancelling = new AbortController();
    const kept = other.call();
    kept.catch(() => undefined);
    const call = one.call(cancelling.signal);
    await underWay(2);
    cancelling.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await underWay(1);
    await other.close();
    await underWay(0);
  });
});

describe('notifications/cancelled', () => {
  const post = (key: string, message: object, headers: Record<string, string> = {}) =>
    fetch(`${world.base}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(message),
    });
  const call = (id: string | number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: chat });
  const cancelled = (requestId: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  });

  test('ends the call of the same key and the same request id, and no other', async () => {
    const stranger = await world.tenant();
    const answered = post(tenant.key, call(7));
    await underWay(1);
    for (const [key, requestId] of [
      [stranger.key, 7],
      [(await world.key(tenant.projectId)).key, 7],
      [tenant.key, '7'],
      [tenant.key, 8],
      [tenant.key, null],
      [tenant.key, { toString: 7 }],
    ] as const)
      expect((await post(key, cancelled(requestId))).status).toBeLessThan(500);
    expect((await post('parley_sk_none', cancelled(7))).status).toBe(401);
    expect(world.upstream.underWay()).toBe(1);
    expect((await post(tenant.key, cancelled(7))).status).toBe(202);
    await underWay(0);
    // The HTTP exchange of the call ends too.
    await (await answered).text();
  });

  test('ends nothing if two calls without a session have the same key and request id', async () => {
    const leaving = new AbortController();
    const calls = [call('a'), call('a')].map((message) =>
      fetch(`${world.base}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(message),
        signal: leaving.signal,
      }),
    );
    for (const one of calls) one.catch(() => undefined);
    await underWay(2);
    await post(tenant.key, cancelled('a'));
    expect(world.upstream.underWay()).toBe(2);
    leaving.abort();
    await underWay(0);
  });
});
