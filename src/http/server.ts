import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf, errorAnswer, invalidRequest, ToolError } from '../errors.ts';
import type { Log } from '../log.ts';
import { newRequestState } from './request-state.ts';

/** Timeouts of a connection, in milliseconds. */
export interface ServerTimeouts {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** Longer than the usual 60 s of load balancers, so that they close first. */
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
}

const defaultTimeouts: ServerTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

/** Milliseconds in which a client that is still sending can read its response. */
const lingerTimeout = 400;

/** Milliseconds after which a stop cuts open requests. */
const drainTimeout = 10_000;

/** A server that can stop without losing open requests. */
export interface DrainableServer extends Server {
  /** Stops listening and finishes open requests with `Connection: close`. Cuts those that take longer than 10 s. */
  drain(): Promise<void>;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The open requests of a connection, and the request that came last. */
interface Connection {
  readonly open: Set<Exchange>;
  last: Exchange | undefined;
  refused: boolean;
}

type Connections = Map<Duplex, Connection>;

/**
 * Returns an HTTP server. What Node.js refuses before the application (a bad request line, an oversized header, a
 * timeout) gets the error body of `service-api#errors` too.
 */
export function httpServer(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  log: Log,
  timeouts: Partial<ServerTimeouts> = {},
): DrainableServer {
  const connections: Connections = new Map();
  // The listener refuses a missing Host itself.
  const server = createServer({ ...defaultTimeouts, ...timeouts, requireHostHeader: false });
  // Beyond a count, Node.js silently drops headers, possibly a second credential. Their bytes are limited anyway.
  server.maxHeadersCount = 0;
  server.on('request', (request, response) => {
    // After a stop, a connection that stays open would be served until it is cut.
    if (!server.listening) response.setHeader('connection', 'close');
    track(connectionOf(connections, request.socket), { request, response });
    listener(request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    track(connectionOf(connections, request.socket), { request, response });
    const { status, requestId } = refuseThrough(
      { request, response },
      refusal('The Expect header asks for something that is not supported.'),
    );
    logUnseen(log, requestId, status, request.method);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // Node.js no longer owns this socket. Without a listener, a reset would end the process.
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
 * Closes the connection 400 ms after the response, without reading the rest of the request. Node.js would close it at
 * once, and a client that is still sending would get a reset before it reads the response.
 */
export function closeAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('connection', 'close');
  const { socket } = request;
  socket.destroySoon = () => {
    socket.end();
    linger(socket);
  };
}

/** Leaves the client time to read the response, and reads nothing more. */
function linger(socket: Duplex): void {
  // In the next tick, because Node.js starts to discard the rest of the request in this one.
  setImmediate(() => socket.pause());
  setTimeout(() => socket.destroy(), lingerTimeout).unref();
}

function connectionOf(connections: Connections, socket: Duplex): Connection {
  const known = connections.get(socket);
  if (known) return known;
  const connection: Connection = { open: new Set(), last: undefined, refused: false };
  connections.set(socket, connection);
  socket.once('close', () => connections.delete(socket));
  return connection;
}

function track(connection: Connection, exchange: Exchange): void {
  connection.open.add(exchange);
  connection.last = exchange;
  exchange.response.on('close', () => connection.open.delete(exchange));
}

/** Refuses what Node.js cannot parse, after all earlier requests on the connection have their responses. */
async function refuse(connection: Connection, socket: Duplex, error: ToolError, log: Log): Promise<void> {
  // Every further piece of unreadable data raises another error.
  if (connection.refused) return;
  connection.refused = true;
  await allClosed([...connection.open].filter(({ request }) => request.complete));
  const { last } = connection;
  if (!socket.writable) socket.destroy();
  else if (!last || last.request.complete) refuseRaw(socket, error, log);
  // The rest of this request is malformed: refuse the request, unless its response has begun.
  else if (last.response.headersSent) socket.destroy();
  else refuseThrough(last, error);
}

async function allClosed(exchanges: readonly Exchange[]): Promise<void> {
  await Promise.all(
    exchanges.map(({ response }) => {
      // A streamed response has ten listeners already.
      response.setMaxListeners(0);
      return new Promise<void>((resolve) => void response.once('close', resolve));
    }),
  );
}

function refusalOf(code: string): ToolError {
  if (code === 'HPE_INVALID_METHOD') return new ToolError('not_found', 'There is nothing at this path.');
  if (code === 'HPE_HEADER_OVERFLOW') return refusal('The headers are too large.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal('The request took too long to arrive.');
  return refusal('This is not a valid HTTP request.');
}

function refusal(message: string): ToolError {
  return invalidRequest([{ in: 'body', path: '', message }]);
}

/** Refuses a request whose response has not begun. Keeps its request id, if it has one. */
function refuseThrough(
  { request, response }: Exchange,
  error: ToolError,
): { status: number; requestId: string } {
  const known = response.getHeader('x-request-id');
  const requestId = typeof known === 'string' ? known : newRequestState().requestId;
  const { status, body } = errorAnswer(error, requestId);
  const text = JSON.stringify(body);
  closeAfterResponse(request, response);
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

/** Refuses on the socket, because there is no response object. */
function refuseRaw(socket: Duplex, error: ToolError, log: Log): void {
  const { requestId } = newRequestState();
  const { status, body } = errorAnswer(error, requestId);
  const text = JSON.stringify(body);
  const headers = Object.entries(headersOf(requestId, text)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}\r\n${headers.join('')}\r\n${text}`);
  linger(socket);
  logUnseen(log, requestId, status, undefined);
}

/** Logs a request that the application never saw. */
function logUnseen(log: Log, requestId: string, status: number, method: string | undefined): void {
  log.info({ requestId, method, route: 'none', status, ms: 0 }, 'request');
}
