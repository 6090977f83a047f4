import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** One response as received. */
export interface RawAnswer {
  readonly status: number;
  /** Values of each header by its lower-case name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
}

export interface RawExchange {
  readonly answers: readonly RawAnswer[];
  /** The statuses of the 1xx responses before this one. */
  readonly interim: readonly number[];
  /** The bytes after the last complete response. */
  readonly rest: Buffer;
  /** True if the server has closed the connection. */
  readonly closed: boolean;
  /** Milliseconds from connecting to the end of the exchange. */
  readonly ms: number;
}

export interface RawOptions {
  /** Complete responses to wait for. If undefined, waits until the server closes. */
  readonly answers?: number;
  /** Milliseconds between two pieces. */
  readonly gap?: number;
  /** Ends the client's side after the last piece. */
  readonly halfClose?: boolean;
  /** True if the responses have no body, as for HEAD. */
  readonly bodiless?: boolean;
  /** Leaves with a reset. */
  readonly reset?: boolean;
  /** Milliseconds after which the exchange ends in any case. */
  readonly deadline?: number;
}

const settleTime = 10;

/** Sends bytes unchanged, in pieces, and reads the responses. */
export async function exchangeRaw(
  port: number,
  pieces: readonly (string | Buffer)[],
  { answers, gap = 5, halfClose = false, bodiless = false, reset = false, deadline = 4_000 }: RawOptions = {},
): Promise<RawExchange> {
  const start = performance.now();
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const reader = new RawReader(socket, bodiless);
  await once(socket, 'connect');
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await delay(gap);
    if (reader.closed) break;
    // latin1: a character is a byte.
    socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  }
  if (halfClose) socket.end();
  const end = start + deadline;
  while (!reader.closed && reader.answers.length < (answers ?? Infinity) && performance.now() < end)
    await reader.more(end - performance.now());
  // An extra response would follow at once.
  if (!reader.closed) await delay(settleTime);
  const { closed, interim, rest } = reader;
  if (reset) socket.resetAndDestroy();
  else socket.destroy();
  return { answers: reader.answers, interim, rest, closed, ms: performance.now() - start };
}

/** Reads responses from a socket. Throws if they are not well-formed HTTP. */
export class RawReader {
  readonly answers: RawAnswer[] = [];
  readonly interim: number[] = [];
  closed = false;
  readonly #bodiless: boolean;
  #bytes: Buffer = Buffer.alloc(0);
  #malformed: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(socket: Socket, bodiless = false) {
    this.#bodiless = bodiless;
    socket.on('data', (bytes) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
      try {
        while (this.#readOne());
      } catch (error) {
        this.#malformed = error as Error;
      }
      this.#wake();
    });
    for (const end of ['end', 'close'] as const)
      socket.on(end, () => {
        this.closed = true;
        this.#wake();
      });
    // A reset closes too. Bytes written after it do not matter.
    socket.on('error', () => undefined);
  }

  get rest(): Buffer {
    return this.#bytes;
  }

  /** Waits for the next bytes or the end, up to the deadline. */
  async more(timeout: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, timeout).unref();
    });
    if (this.#malformed) throw this.#malformed;
  }

  #readOne(): boolean {
    const headEnd = this.#bytes.indexOf('\r\n\r\n');
    if (headEnd < 0) return false;
    const [line = '', ...fields] = this.#bytes.toString('latin1', 0, headEnd).split('\r\n');
    const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [ -~]*$/.exec(line)?.[1]);
    if (!status) throw new Error(`not a status line: ${JSON.stringify(line)}`);
    const headers = readFields(fields);
    const bodyStart = headEnd + 4;
    if (status < 200) {
      this.interim.push(status);
      this.#bytes = this.#bytes.subarray(bodyStart);
      return true;
    }
    const read = this.#bodiless ? emptyBody : readBody(headers, this.#bytes.subarray(bodyStart));
    if (!read) return false;
    this.answers.push({ status, headers, body: read.body });
    this.#bytes = this.#bytes.subarray(bodyStart + read.length);
    return true;
  }
}

const emptyBody: { readonly body: Buffer; readonly length: number } = { body: Buffer.alloc(0), length: 0 };

function readFields(fields: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const field of fields) {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+): ?([ -~]*)$/.exec(field) ?? [];
    if (!name) throw new Error(`not a header: ${JSON.stringify(field)}`);
    const lower = name.toLowerCase();
    headers.set(lower, [...(headers.get(lower) ?? []), value]);
  }
  return headers;
}

/** Undefined if the body is not complete yet. */
function readBody(headers: Map<string, string[]>, bytes: Buffer): typeof emptyBody | undefined {
  if (headers.get('transfer-encoding')?.[0] === 'chunked') return readChunks(bytes);
  const [text, ...more] = headers.get('content-length') ?? [];
  if (text === undefined || more.length > 0 || !/^\d+$/.test(text)) throw new Error('no one content-length');
  const length = Number(text);
  return bytes.length < length ? undefined : { body: bytes.subarray(0, length), length };
}

function readChunks(bytes: Buffer): typeof emptyBody | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    if (size === 0) return { body: Buffer.concat(parts), length: next };
    at = next;
  }
}
