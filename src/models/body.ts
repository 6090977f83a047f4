import { Readable } from 'node:stream';
import type { UpstreamBody } from './upstream-body.ts';

/** A body of an upstream: whole, or what came of it before it grew too long. */
export type Gathered =
  | { readonly whole: Buffer; readonly begun?: undefined }
  | { readonly whole?: undefined; readonly begun: readonly Buffer[] };

/**
 * Reads a body to its end, or until it is longer than `limit` bytes; the rest can then be read on from it.
 * Rejects with what befalls the body on the way.
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

/** What happens to a body that is passed on. */
export interface Tap {
  /** What goes on for a piece that came, which may be nothing yet; what it throws breaks the body off. */
  readonly piece: (piece: Buffer) => Buffer;
  /** What is still to go out where the body ended as it should. */
  readonly end: () => Buffer | undefined;
  /** The last words where it broke off; an error cuts the connection, so that nobody takes it for whole. */
  readonly broken: (error: Error) => Buffer | Error;
  /** Called once, however it ended; `whole` is false where it broke off, or the reader left. */
  readonly settled: (whole: boolean) => void;
}

/** A body on its way from an upstream to a reader, who sets the pace: what he does not read is not read from there. */
export class Tapped extends Readable {
  readonly #body: UpstreamBody;
  readonly #tap: Tap;
  /** What came in this turn: one piece costs as much as many. */
  #waiting: Buffer[] = [];
  #settled = false;

  /** `begun` was read from the body already. */
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
