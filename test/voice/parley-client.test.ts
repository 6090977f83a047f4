import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ParleyClient, ParleyError, type ParleySession } from '../../voice/parley-client.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

const message = { text: 'yes', messageId: 'm1' };
const neverAborted = new AbortController().signal;

describe('the client of a voice worker', () => {
  it('opens the session of a room with the voice key', async () => {
    const requests: object[] = [];
    const session = await openSession(() => undefined, requests);
    expect(session).toMatchObject({ sessionId: 'cws1', isResumed: true, resumeLine: 'Sorry.' });
    expect(requests).toEqual([
      {
        authorization: 'Bearer key',
        room: 'room-1',
        worker: 'w-1',
        web: { webAgentId: 'a', conversationId: 'c', version: 1 },
      },
    ]);
  });

  it('yields the events of a turn, whatever pieces they arrive in, and leaves out comments', async () => {
    const text = `: alive\n\n${sse('say', { text: 'Grüße' })}${sse('end', { reason: 'done' })}${sse('done', { turn: 4 })}`;
    const session = await openSession(async (_request, response) => {
      for (const byte of Buffer.from(text)) {
        response.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    expect(await all(session.play(message, neverAborted))).toEqual([
      { event: 'say', text: 'Grüße' },
      { event: 'end', reason: 'done' },
      { event: 'done', turn: 4 },
    ]);
  });

  it('sends a turn again if its stream breaks, and yields each event once', async () => {
    const bodies: unknown[] = [];
    const session = await openSession(async (request, response) => {
      bodies.push(await json(request));
      response.write(sse('say', { text: 'One.' }));
      if (bodies.length === 1) {
        await new Promise((resolve) => response.write(': flushed\n\n', resolve));
        response.destroy();
        return;
      }
      response.end(sse('say', { text: 'Two.' }) + sse('done', { turn: 0 }));
    });
    expect(await all(session.play(message, neverAborted))).toEqual([
      { event: 'say', text: 'One.' },
      { event: 'say', text: 'Two.' },
      { event: 'done', turn: 0 },
    ]);
    expect(bodies).toEqual([message, message]);
  });

  it('does not repeat a turn that Parley refuses', async () => {
    let count = 0;
    const session = await openSession((_request, response) => {
      count++;
      response
        .writeHead(409)
        .end(JSON.stringify({ error: { code: 'conflict', message: 'The session is over.' } }));
    });
    await expect(all(session.play(message, neverAborted))).rejects.toThrow(
      new ParleyError(409, '409: The session is over.'),
    );
    expect(count).toBe(1);
  });

  it('streams the speech of a line, and returns the words of a recording', async () => {
    const session = await openSession(async (request, response) => {
      if (request.url?.endsWith('/say')) response.end(Buffer.from(await buffer(request)).subarray(0, 8));
      else response.end(JSON.stringify({ text: `${(await buffer(request)).length} bytes` }));
    });
    const pieces = await all(session.say('Hi', neverAborted));
    expect(Buffer.concat(pieces).toString()).toBe('{"text":');
    expect(await session.transcribe(Buffer.alloc(7), neverAborted)).toBe('7 bytes');
  });

  it('stops a turn when the call is over', async () => {
    const session = await openSession(
      (_request, response) => void response.write(sse('say', { text: 'One.' })),
    );
    const over = new AbortController();
    const events = session.play(message, over.signal);
    expect(await events.next()).toMatchObject({ value: { text: 'One.' } });
    over.abort();
    await expect(events.next()).rejects.toThrow(/aborted/);
  });
});

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function sse(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Opens a session at a server that answers everything else by the handler. */
async function openSession(handle: Handler, opened: object[] = []): Promise<ParleySession> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== '/v1/voice/calls') return handle(request, response);
    const { authorization } = request.headers;
    opened.push({ authorization, ...((await json(request)) as object) });
    response.writeHead(201).end(
      JSON.stringify({
        sessionId: 'cws1',
        roomUrl: `${url}/s/cws1`,
        token: 't',
        isResumed: true,
        resumeLine: 'Sorry.',
      }),
    );
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const purpose = { web: { webAgentId: 'a', conversationId: 'c', version: 1 } };
  return new ParleyClient({ url, key: 'key' }).open('room-1', 'w-1', purpose);
}
