import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The requests of one connection that have no complete response, and those of them that have not been started. */
export interface Line {
  readonly open: Set<Exchange>;
  readonly waiting: Exchange[];
  /** True once the server reads no further request, and closes the connection after the open ones. */
  isCut: boolean;
}

/** How many requests may wait behind others of their connections. At one more, a connection closes after those that it has. */
export interface WaitingLimits {
  /** On all connections together. */
  readonly most: number;
  /**
   * On all connections together, beyond which one connection may have `mostInCrowd`. Node.js reads everything that has arrived on all
   * connections in one round of the event loop, at about 20 µs a request.
   */
  readonly crowd: number;
  readonly mostInCrowd: number;
}

/**
 * Lets the requests of a connection take turns: each starts when the one before has its response. A client that sends many at
 * once (pipelining, RFC 9112 section 9.3.2) gets the responses in this order anyway. So it keeps no finished responses in memory.
 * Node.js alone starts every request that it reads, up to 3,640 from one read of 64 KiB.
 *
 * Of all requests that waited, one starts in each round of the event loop. So rounds stay short, which counts twice: libuv
 * accepts one connection in each round.
 */
export class RequestTurns {
  readonly #listener: (request: IncomingMessage, response: ServerResponse) => unknown;
  readonly #limits: WaitingLimits;
  #waiting = 0;
  readonly #ready: Line[] = [];

  constructor(
    listener: (request: IncomingMessage, response: ServerResponse) => unknown,
    limits: WaitingLimits,
  ) {
    this.#listener = listener;
    this.#limits = limits;
  }

  /** Prepares a connection for `enter`. */
  join(line: Line, socket: Duplex): void {
    stopParsing(socket, () => {
      line.isCut ||= line.open.size > 0 && this.#isTooMany(line);
      return line.isCut;
    });
    // The end of a request resumes reading.
    socket.on('resume', () => {
      if (line.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      this.#waiting -= line.waiting.length;
      line.waiting.length = 0;
    });
  }

  #isTooMany({ waiting: { length } }: Line): boolean {
    const { most, crowd, mostInCrowd } = this.#limits;
    return this.#waiting >= most || (this.#waiting >= crowd && length >= mostInCrowd);
  }

  /** Keeps a request among the open ones until its response is complete. */
  track(line: Line, exchange: Exchange): void {
    line.open.add(exchange);
    exchange.response.on('close', () => {
      line.open.delete(exchange);
      if (line.isCut && line.open.size === 0) exchange.request.socket.destroySoon();
      if (line.waiting.length === 0) return;
      this.#ready.push(line);
      if (this.#ready.length === 1) setImmediate(this.#startOne);
    });
  }

  /** Starts a request, or lets it wait and stops reading from its connection. */
  enter(line: Line, exchange: Exchange): void {
    this.track(line, exchange);
    const { open, waiting } = line;
    const { request, response } = exchange;
    if (open.size === 1) {
      this.#listener(request, response);
      return;
    }
    waiting.push(exchange);
    this.#waiting += 1;
    request.socket.pause();
  }

  readonly #startOne = (): void => {
    const line = this.#ready.shift();
    if (this.#ready.length > 0) setImmediate(this.#startOne);
    if (line) this.#startNext(line);
  };

  #startNext({ waiting }: Line): void {
    const next = waiting.shift();
    if (!next) return;
    this.#waiting -= 1;
    const { request, response } = next;
    if (waiting.length === 0) request.socket.resume();
    // The response before may have closed the connection, and a stop ends requests that have not been started.
    if (request.socket.writable && !response.writableEnded) this.#listener(request, response);
  }
}

/** What Node.js asks for each request that its parser has found. The response 2 ends the parsing of what was read. */
type OnIncoming = (request: IncomingMessage, keepAlive: boolean) => number;

/**
 * Calls `stops` before each request of a connection. If that is true, the parser does not go on to the end of what was read.
 * Closing the connection at once would cost more than answering what it has sent, because Node.js makes an error with a stack
 * for each open request. There is no public way to stop the parser.
 */
function stopParsing(socket: Duplex, stops: () => boolean): void {
  const { parser } = socket as Duplex & { parser?: { onIncoming: OnIncoming } };
  if (!parser) return;
  const onIncoming = parser.onIncoming;
  parser.onIncoming = (request, keepAlive) => (stops() ? 2 : onIncoming(request, keepAlive));
}
