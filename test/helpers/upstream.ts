import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request that the upstream received. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body, unparsed. */
  readonly bytes: Buffer;
  /** The parsed JSON body, or the fields of the form. Untyped, because each test asserts what it reads. */
  readonly body: ReturnType<typeof JSON.parse>;
  /** Number of tokens sent so far. */
  produced: number;
  /** The time, by `performance.now()`, when the response or its connection ended; undefined before that. */
  closed: number | undefined;
}

/** Handles a request of the upstream: responds to it, fails, or never responds. */
export type Reaction = (request: Received, response: ServerResponse) => void | Promise<void>;

const paths = ['/v1/chat/completions', '/v1/audio/speech', '/v1/audio/transcriptions', '/v1/embeddings'];

/**
 * Starts an HTTP server with the endpoints of OpenAI's API that Parley uses. A test chooses the reaction to every
 * request, to the next one, or to the requests of one model.
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
    // The client may disconnect while it sends its request.
    serve(incoming, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** Oldest first. */
    received,
    /** Returns the number of requests whose response or connection is still open. */
    underWay: () => underWay,
    /** Returns the number of open connections. */
    connections: () =>
      new Promise<number>((resolve) => void server.getConnections((_, count) => resolve(count))),
    /** Sets the reaction to all further requests. */
    reacts(to: Reaction): void {
      reaction = to;
    },
    /** Sets the reactions to the next requests, one each. */
    reactsNext(...to: Reaction[]): void {
      next.push(...to);
    },
    /** Sets the reaction to the requests of one model. */
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

/** Returns a chat completion whose content is computed from the request. */
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

/** Returns a status with a JSON body. */
export function answers(status: number, body: unknown, headers: Record<string, string> = {}): Reaction {
  return says(JSON.stringify(body), status, headers);
}

/** Returns a body unchanged, with the content type of JSON. */
export function says(body: string, status = 200, headers: Record<string, string> = {}): Reaction {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

const noSuchPath = answers(404, { error: { message: 'unknown path' } });

/** Never responds. */
export const hangs: Reaction = () => undefined;

/** Begins a response and never ends it. */
export const stalls: Reaction = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices": [');
};

/** Resets the connection without a response. */
export const resets: Reaction = (_, response) => {
  response.socket?.resetAndDestroy();
};

/** Resets the connection in the middle of a response. */
export const breaksOff: Reaction = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"choi');
  setImmediate(() => void resets(request, response));
};

/** Sends bytes that are not HTTP. */
export const babbles: Reaction = (_, response) => {
  response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
};

/** Sends `head` as the start of a response, and then hangs, resets the connection or ends the response. */
export function begins(head: string, contentType: string, then: 'hangs' | 'resets' | 'ends'): Reaction {
  return (request, response) => {
    response.writeHead(200, { 'content-type': contentType }).write(head, () => {
      if (then === 'ends') response.end();
      else if (then === 'resets') setTimeout(() => void resets(request, response), 20);
    });
  };
}
