import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { codeOf, errorAnswer, invalidRequest, ToolError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { newRequestState } from './request-state.ts';
import { type Exchange, type Line, RequestTurns, type WaitingLimits } from './request-turns.ts';
import { SlowBodies } from './slow-bodies.ts';
import { StalledSockets } from './stalled-sockets.ts';

/** Limits of a server. Times are in milliseconds. */
export interface ServerLimits {
  readonly headersTimeout: number;
  /** How long a body may make no progress. After that time, it must also have kept up the average of `slowestBody`. */
  readonly bodyTimeout: number;
  /** Bytes a second. Half of what a bad line of a mobile network (GPRS) carries. */
  readonly slowestBody: number;
  /** Longer than the usual 60 s of load balancers, so that they close first. */
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
  /** How long a client may accept no data of a response. */
  readonly stallTimeout: number;
  /** Bytes of responses that clients have not accepted. Beyond that, a client may pause only between two checks. */
  readonly mostUnsent: number;
  /** Requests that wait behind others of their connections. Each takes about 2.4 KB. */
  readonly waiting: WaitingLimits;
}

const defaultLimits: ServerLimits = {
  headersTimeout: 10_000,
  bodyTimeout: 30_000,
  slowestBody: 512,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  stallTimeout: 30_000,
  mostUnsent: 134_217_728,
  waiting: { most: 20_000, crowd: 4_000, mostInCrowd: 20 },
};

/** Milliseconds in which a client that is still sending can read its response. */
const lingerTimeout = 400;

/** The phases of a stop, in milliseconds. */
export interface Drain {
  /** How long the server still accepts requests, so that load balancers can notice that it is not ready. */
  readonly grace: number;
  /** How long open requests may then take until the server cuts them. */
  readonly limit: number;
}

/** Milliseconds that a new connection has after the grace period to begin its request. */
const silenceTimeout = 500;

/** Milliseconds between two looks for connections that owe no response. */
const silenceInterval = 100;

/** Milliseconds. */
const acceptLimit = 1_000;

/** Milliseconds in which the clients of cut requests can read the error. */
const lastWordsTimeout = 1_000;

/** A server that can stop without losing open requests. */
export interface DrainableServer extends Server {
  /**
   * Adds `Connection: close` to every response from now on, stops listening after the grace period, and resolves when all
   * connections are closed. It ends requests that exceed the limit: with a 500 if the response has not begun, and with
   * its `lastWords` if it is an event stream.
   */
  drain(phases: Drain): Promise<void>;
}

/** A line of requests, and the request that came last. */
interface Connection extends Line {
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
  limits: Partial<ServerLimits> = {},
): DrainableServer {
  const connections: Connections = new Map();
  let isDraining = false;
  const { waiting, mostUnsent, stallTimeout, bodyTimeout, slowestBody, ...times } = {
    ...defaultLimits,
    ...limits,
  };
  const turns = new RequestTurns(listener, waiting);
  // The listener refuses a missing Host itself.
  // Its time for a whole request would cut off a large body on a slow line.
  const server = createServer({ ...times, requestTimeout: 0, requireHostHeader: false });
  const { connectionsCheckingInterval: interval } = times;
  const stalled = new StalledSockets(stallTimeout / interval, mostUnsent);
  const slow = new SlowBodies(bodyTimeout / interval, (slowestBody * interval) / 1000);
  const slowBody = `The body took too long to arrive: it must not stop for ${bodyTimeout / 1000} s, and keep ${slowestBody} bytes a second on average.`;
  const check = () => {
    stalled.check(connections.keys());
    for (const [socket, connection] of connections) {
      const { last } = connection;
      if (last && !last.request.complete && slow.isTooSlow(last.request))
        void refuse(connection, socket, refusal(slowBody), log);
    }
  };
  const checking = setInterval(check, interval).unref();
  server.once('close', () => clearInterval(checking));
  // Beyond a count, Node.js silently drops headers, possibly a second credential. Their bytes are limited anyway.
  server.maxHeadersCount = 0;
  server.on('connection', (socket: Duplex) => turns.join(connectionOf(connections, socket), socket));
  server.on('request', (request, response) => {
    const connection = connectionOf(connections, request.socket);
    if (isDraining) closeAfter(connection, response);
    connection.last = { request, response };
    turns.enter(connection, connection.last);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connectionOf(connections, request.socket);
    connection.last = { request, response };
    turns.track(connection, connection.last);
    const { status, requestId } = refuseThrough(
      connection.last,
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
  const drain = async ({ grace, limit }: Drain) => {
    isDraining = true;
    for (const connection of connections.values())
      if (connection.last) closeAfter(connection, connection.last.response);
    await sleep(grace);
    await acceptWaiting(server);
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    // The server no longer checks its timeouts once it is closed. And a response that had begun before the stop leaves its
    // connection open.
    let silence = setTimeout(() => {
      silence = setInterval(() => closeSilent(connections), silenceInterval);
    }, silenceTimeout);
    const cutting = setTimeout(() => {
      cutOpen(connections, log);
      setTimeout(() => server.closeAllConnections(), lastWordsTimeout).unref();
    }, limit);
    await closed;
    clearInterval(silence);
    clearTimeout(cutting);
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
  const connection: Connection = {
    open: new Set(),
    waiting: [],
    isCut: false,
    last: undefined,
    refused: false,
  };
  connections.set(socket, connection);
  socket.once('close', () => connections.delete(socket));
  return connection;
}

/** Closes the connection after this response, which is the last one that it owes. */
function closeAfter({ open }: Connection, last: ServerResponse): void {
  for (const { response } of open)
    if (response !== last && !response.headersSent) response.removeHeader('connection');
  if (!last.headersSent) last.setHeader('connection', 'close');
}

/**
 * Accepts the connections that wait, because the kernel resets them when the listener closes. Node.js accepts one in each
 * turn of the event loop. Gives up if new ones keep arriving.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => accepted++;
  server.on('connection', count);
  const end = performance.now() + acceptLimit;
  let before: number;
  do {
    before = accepted;
    await nextTurn();
  } while (accepted !== before && performance.now() < end);
  server.off('connection', count);
}

/** Closes the connections that owe no response. */
function closeSilent(connections: Connections): void {
  for (const [socket, { open }] of connections) if (open.size === 0) socket.destroy();
}

const endings = new WeakMap<ServerResponse, () => void>();

/** Registers how a stop ends this response if it is an event stream: with an error that its client understands. */
export function lastWords(response: ServerResponse, end: () => void): void {
  endings.set(response, end);
}

/** Ends every open request with an error. */
function cutOpen(connections: Connections, log: Log): void {
  const open = [...connections.values()].flatMap((connection) => [...connection.open]);
  log.warn({ requests: open.length }, 'the stop cut requests that took too long');
  for (const exchange of open) {
    const { response } = exchange;
    const end = isEventStream(response) ? endings.get(response) : undefined;
    if (!response.headersSent)
      refuseThrough(exchange, new ToolError('internal_error', '', { retryAfter: 1 }));
    else if (end) end();
    // The client must not take the part that it has for the whole.
    else response.destroy();
  }
}

function isEventStream(response: ServerResponse): boolean {
  return /^text\/event-stream\b/i.test(String(response.getHeader('content-type')));
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
  if (error.retryAfter !== undefined) response.setHeader('retry-after', error.retryAfter);
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
