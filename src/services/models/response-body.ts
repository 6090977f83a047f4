import { Readable } from 'node:stream';
import type { UpstreamBody } from './upstream-body.ts';

/** An upstream's body: whole, or its beginning if it is longer than the limit. */
export type Gathered =
  | { readonly whole: Buffer; readonly begun?: undefined }
  | { readonly whole?: undefined; readonly begun: readonly Buffer[] };

/**
 * Reads a body to its end, or until it is longer than `limit` bytes; the rest can then be read from `body`.
 * Rejects if the body breaks off.
 */
export function gather(body: UpstreamBody, limit: number): Promise<Gathered> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    body.read({
      piece(part) {
        parts.push(part);
        length += part.length;
        if (length <= limit) return;
        body.leave();
        resolve({ begun: parts });
      },
      end: () => resolve({ whole: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts) }),
      broken: reject,
    });
  });
}

/** What is done with a body on its way to the client. */
export interface Tap {
  /** Returns what to send for a piece, possibly nothing yet. If it throws, the body breaks off. */
  readonly piece: (piece: Buffer) => Buffer;
  /** Returns what to send after a complete body. */
  readonly end: () => Buffer | undefined;
  /** Returns what to send after a body that broke off, or an error, which cuts the connection. */
  readonly broken: (error: Error) => Buffer | Error;
  /** Called once at the end. `whole` is false if the body broke off or the client left. */
  readonly settled: (whole: boolean) => void;
}

/** A body on its way from an upstream to a client. The client sets the pace: the upstream is paused while it does not read. */
export class Tapped extends Readable {
  readonly #body: UpstreamBody;
  readonly #tap: Tap;
  /** Pieces that arrived in this turn of the event loop. They are sent as one, which costs as much as sending one of them. */
  #waiting: Buffer[] = [];
  #settled = false;

  /** `begun` holds pieces that were already read from the body. */
  constructor(body: UpstreamBody, tap: Tap, begun: readonly Buffer[] = []) {
    super({ highWaterMark: 65_536 });
    this.#body = body;
    this.#tap = tap;
    for (const piece of begun) this.#wait(piece);
    body.read({
      piece: (piece) => this.#wait(piece),
      end: () => {
        this.#pass();
        this.#end(tap.end(), true);
      },
      broken: (error) => {
        this.#pass();
        this.#broken(error);
      },
    });
  }

  #wait(piece: Buffer): void {
    if (this.#waiting.push(piece) === 1) process.nextTick(() => this.#pass());
  }

  #pass(): void {
    const [piece, ...more] = this.#waiting;
    if (!piece || this.#settled) return;
    this.#waiting = [];
    try {
      const out = this.#tap.piece(more.length === 0 ? piece : Buffer.concat([piece, ...more]));
      if (out.length > 0 && !this.push(out)) this.#body.pause();
    } catch (error) {
      this.#body.destroy(error as Error);
    }
  }

  #broken(error: Error): void {
    if (this.#settled) return;
    const last = this.#tap.broken(error);
    if (last instanceof Error) {
      this.#settle(false);
      this.destroy(last);
    } else this.#end(last, false);
  }

  #end(last: Buffer | undefined, whole: boolean): void {
    if (this.#settled) return;
    this.#settle(whole);
    if (last && last.length > 0) this.push(last);
    this.push(null);
  }

  #settle(whole: boolean): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#tap.settled(whole);
  }

  override _read(): void {
    if (!this.#settled) this.#body.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#settle(false);
    this.#body.destroy();
    done(error);
  }
}
