import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf, errorAnswer, invalidRequest, ToolError } from '../errors.ts';
import type { Log } from '../log.ts';
import { newRequestState } from './request-state.ts';

/** How long a connection may take, in milliseconds. */
export interface ServerTimes {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** Outlives the 60 s of usual load balancers, so that they close first. */
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
}

const usualTimes: ServerTimes = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

/** How long a client that is still sending may take to notice its answer. */
const lingerAfterAnswer = 400;

/** Milliseconds after which a stop cuts what is not finished. */
const drainTimeout = 10_000;

/** A server that can stop without losing what has begun. */
export interface DrainableServer extends Server {
  /** Finishes what has begun, each answer with `Connection: close`; what takes longer than 10 s is cut. */
  drain(): Promise<void>;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What is known of a connection: who still waits for an answer, and which request came last. */
interface Connection {
  readonly open: Set<Exchange>;
  last: Exchange | undefined;
  refused: boolean;
}

type Connections = Map<Duplex, Connection>;

/**
 * An HTTP server whose every answer is ours: what Node.js refuses below the application (a bad request line, an
 * oversized header, a timeout) gets the body of `service-api` part 7 too.
 */
export function httpServer(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  log: Log,
  times: Partial<ServerTimes> = {},
): DrainableServer {
  const connections: Connections = new Map();
  // The listener answers a missing Host itself.
  const server = createServer({ ...usualTimes, ...times, requireHostHeader: false });
  // Beyond a count Node.js drops headers in silence, a second credential among them; the bytes have a limit.
  server.maxHeadersCount = 0;
  server.on('request', (request, response) => {
    // It no longer listens: a connection that stays would be served until it is cut.
    if (!server.listening) response.setHeader('connection', 'close');
    track(connectionOf(connections, request.socket), { request, response });
    listener(request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    track(connectionOf(connections, request.socket), { request, response });
    const { status, requestId } = answerThrough(
      { request, response },
      refusal('The header Expect asks for something that is not served.'),
    );
    writeLine(log, requestId, status, request.method);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // Node.js has let go of this socket: without a listener its reset would end the process.
    socket.on('error', () => socket.destroy());
    const error = new ToolError('not_found', 'There is nothing at this path.');
    void refuse(connectionOf(connections, socket), socket, error, log);
  });
  server.on('clientError', (error: Error, socket: Duplex) => {
    const code = codeOf(error);
    if (code === 'ECONNRESET') socket.destroy();
    else void refuse(connectionOf(connections, socket), socket, refusalOf(code), log);
  });
  const drain = async () => {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    for (const { open } of connections.values())
      for (const { response } of open) if (!response.headersSent) response.setHeader('connection', 'close');
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), drainTimeout);
    await closed;
    clearTimeout(timer);
  };
  return Object.assign(server, { drain });
}

/**
 * Ends the connection soon after an answer: what is still being sent is not worth reading. Node.js would end it
 * at once, and a client that is still sending would meet the reset before its answer.
 */
export function closeAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('connection', 'close');
  const { socket } = request;
  socket.destroySoon = () => {
    socket.end();
    linger(socket);
  };
}

/** Leaves time to read the answer, reading nothing more. */
function linger(socket: Duplex): void {
  // Not at once: Node.js begins to discard the rest of the request in this tick.
  setImmediate(() => socket.pause());
  setTimeout(() => socket.destroy(), lingerAfterAnswer).unref();
}

function connectionOf(connections: Connections, socket: Duplex): Connection {
  const known = connections.get(socket);
  if (known) return known;
  const made: Connection = { open: new Set(), last: undefined, refused: false };
  connections.set(socket, made);
  socket.once('close', () => connections.delete(socket));
  return made;
}

function track(connection: Connection, exchange: Exchange): void {
  connection.open.add(exchange);
  connection.last = exchange;
  exchange.response.on('close', () => connection.open.delete(exchange));
}

/** Answers what Node.js could not read, once nothing that came before it on the connection is still owed. */
async function refuse(connection: Connection, socket: Duplex, error: ToolError, log: Log): Promise<void> {
  // Every further piece of what could not be read is an error again.
  if (connection.refused) return;
  connection.refused = true;
  await answered([...connection.open].filter(({ request }) => request.complete));
  const { last } = connection;
  if (!socket.writable) socket.destroy();
  else if (!last || last.request.complete) answerRaw(socket, error, log);
  // The rest of this request is bad: it is refused as a whole, or its own answer has been given.
  else if (last.response.headersSent) socket.destroy();
  else answerThrough(last, error);
}

async function answered(exchanges: readonly Exchange[]): Promise<void> {
  await Promise.all(
    exchanges.map(({ response }) => {
      // An answer that is streamed has ten listeners already.
      response.setMaxListeners(0);
      return new Promise<void>((resolve) => void response.once('close', resolve));
    }),
  );
}

function refusalOf(code: string): ToolError {
  if (code === 'HPE_INVALID_METHOD') return new ToolError('not_found', 'There is nothing at this path.');
  if (code === 'HPE_HEADER_OVERFLOW') return refusal('The headers are too large.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal('The request took too long to arrive.');
  return refusal('Is not a valid HTTP request.');
}

function refusal(message: string): ToolError {
  return invalidRequest([{ in: 'body', path: '', message }]);
}

/** Answers a request whose response has not begun, under the id that it may have by now. */
function answerThrough(
  { request, response }: Exchange,
  error: ToolError,
): { status: number; requestId: string } {
  const known = response.getHeader('x-request-id');
  const requestId = typeof known === 'string' ? known : newRequestState().requestId;
  const { status, body } = errorAnswer(error, requestId);
  const text = JSON.stringify(body);
  closeAfterAnswer(request, response);
  response.writeHead(status, headersOf(requestId, text)).end(text);
  return { status, requestId };
}

function headersOf(requestId: string, text: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  };
}

const reasonPhrases: Readonly<Record<number, string>> = { 400: 'Bad Request', 404: 'Not Found' };

/** Answers where there is no response object to answer with. */
function answerRaw(socket: Duplex, error: ToolError, log: Log): void {
  const { requestId } = newRequestState();
  const { status, body } = errorAnswer(error, requestId);
  const text = JSON.stringify(body);
  const headers = Object.entries(headersOf(requestId, text)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}\r\n${headers.join('')}\r\n${text}`);
  linger(socket);
  writeLine(log, requestId, status, undefined);
}

/** The line of a request that the application never saw. */
function writeLine(log: Log, requestId: string, status: number, method: string | undefined): void {
  log.info({ requestId, method, route: 'none', status, ms: 0 }, 'request');
}
