import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request that the upstream has received. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  /** Untyped: a test states what it expects of it right where it reads it. */
  readonly body: ReturnType<typeof JSON.parse>;
}

/** What the upstream does with a request: it answers, or it does not. */
export type Reaction = (request: Received, response: ServerResponse) => void | Promise<void>;

/** A real server that speaks the wire protocol of OpenAI's API as far as Parley asks it, and does what a test says. */
export async function openUpstream() {
  const received: Received[] = [];
  let reaction: Reaction = hangs;
  let underWay = 0;
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    underWay++;
    response.once('close', () => underWay--);
    const request = { headers: incoming.headers, body: JSON.parse(await text(incoming)) };
    received.push(request);
    const known = incoming.method === 'POST' && incoming.url === '/v1/chat/completions';
    await (known ? reaction : noSuchPath)(request, response);
  };
  const server = createServer((incoming, response) => {
    // Its client may leave in the middle of a request.
    serve(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** The oldest first. */
    received,
    /** Requests that are neither answered nor given up. */
    underWay: () => underWay,
    /** From now on it does this. */
    reacts(next: Reaction): void {
      reaction = next;
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A chat completion whose message has the content that is made of the request. */
export function completes(content: (request: Received) => string | null): Reaction {
  return (request, response) => {
    const message = { role: 'assistant', content: content(request), refusal: null };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const { model } = request.body;
    const completion = { id: 'chatcmpl-1', object: 'chat.completion', created: 0, model, choices, usage };
    return answers(200, completion)(request, response);
  };
}

/** A status with a JSON body. */
export function answers(status: number, body: unknown): Reaction {
  return says(JSON.stringify(body), status);
}

/** A body as it is, which says that it is JSON. */
export function says(body: string, status = 200): Reaction {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
}

const noSuchPath = answers(404, { error: { message: 'there is no such path' } });

/** Never answers. */
export const hangs: Reaction = () => undefined;

/** Begins an answer and never ends it. */
export const stalls: Reaction = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices": [');
};

/** Ends the connection without an answer. */
export const resets: Reaction = (_, response) => {
  response.socket?.resetAndDestroy();
};

/** Ends the connection in the middle of an answer. */
export const breaksOff: Reaction = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"choi');
  setImmediate(() => void resets(request, response));
};
