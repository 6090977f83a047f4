import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One request that the upstream has received. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly bytes: Buffer;
  /** Its JSON, or the fields of its form. Untyped: a test states what it expects of it right where it reads it. */
  readonly body: ReturnType<typeof JSON.parse>;
  /** Tokens that were sent so far. */
  produced: number;
  /** When its connection or its answer ended, by `performance.now()`; undefined while it is under way. */
  closed: number | undefined;
}

/** What the upstream does with a request: it answers, or it does not. */
export type Reaction = (request: Received, response: ServerResponse) => void | Promise<void>;

const paths = ['/v1/chat/completions', '/v1/audio/speech', '/v1/audio/transcriptions', '/v1/embeddings'];

/**
 * A real server that speaks the wire protocol of OpenAI's API as far as Parley asks it, and does what a test says: to
 * every request, to the next one, or to those of one model.
 */
export async function openUpstream({
  port = 0,
  otherwise = hangs,
}: {
  port?: number;
  otherwise?: Reaction;
} = {}) {
  const received: Received[] = [];
  let reaction: Reaction = otherwise;
  const next: Reaction[] = [];
  const byModel = new Map<string, Reaction>();
  let underWay = 0;
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    underWay++;
    const bytes = buffer(incoming);
    response.once('close', () => underWay--);
    const { headers, url: path = '' } = incoming;
    const text = await bytes;
    const body = await bodyOf(headers['content-type'] ?? '', text);
    const request: Received = { path, headers, bytes: text, body, produced: 0, closed: undefined };
    response.once('close', () => {
      request.closed = performance.now();
    });
    received.push(request);
    const known = incoming.method === 'POST' && paths.includes(path);
    const wanted = byModel.get(body?.model) ?? next.shift() ?? reaction;
    await (known ? wanted : noSuchPath)(request, response);
  };
  const server = createServer((incoming, response) => {
    // Its client may leave in the middle of a request.
    serve(incoming, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** The oldest first. */
    received,
    /** Requests that are neither answered nor given up. */
    underWay: () => underWay,
    /** Connections to it. */
    connections: () =>
      new Promise<number>((resolve) => void server.getConnections((_, count) => resolve(count))),
    /** From now on it does this. */
    reacts(to: Reaction): void {
      reaction = to;
    },
    /** It does this once each, before it goes on as it was. */
    reactsNext(...to: Reaction[]): void {
      next.push(...to);
    },
    /** It does this for one model. */
    reactsFor(model: string, to: Reaction): void {
      byModel.set(model, to);
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(contentType: string, bytes: Buffer): Promise<Received['body']> {
  if (!contentType.startsWith('multipart/')) return JSON.parse(bytes.toString());
  const headers = { 'content-type': contentType };
  const form = await new Response(new Uint8Array(bytes), { headers }).formData();
  return Object.fromEntries(form);
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
export function answers(status: number, body: unknown, headers: Record<string, string> = {}): Reaction {
  return says(JSON.stringify(body), status, headers);
}

/** A body as it is, which says that it is JSON. */
export function says(body: string, status = 200, headers: Record<string, string> = {}): Reaction {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
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

/** Answers what is no HTTP. */
export const babbles: Reaction = (_, response) => {
  response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
};

/** Says something else before it breaks off, hangs or ends: a stream that stops in the middle. */
export function begins(head: string, contentType: string, then: 'hangs' | 'resets' | 'ends'): Reaction {
  return (request, response) => {
    response.writeHead(200, { 'content-type': contentType }).write(head, () => {
      if (then === 'ends') response.end();
      else if (then === 'resets') setTimeout(() => void resets(request, response), 20);
    });
  };
}
