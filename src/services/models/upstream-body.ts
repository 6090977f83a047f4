import { type Dispatcher, errors } from 'undici';

/** Receives a body: its pieces in order, then either `end` or `broken`. */
export interface BodyReader {
  readonly piece: (piece: Buffer) => void;
  readonly end: () => void;
  /** The body broke off. */
  readonly broken: (error: Error) => void;
}

/** Bytes that are buffered for a reader before the upstream is paused. */
const mostWaiting = 65_536;

/** The body of an upstream's response. A reader gets the buffered pieces first, then each piece as it arrives. */
export class UpstreamBody {
  readonly #controller: Dispatcher.DispatchController;
  #reader: BodyReader | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isOver = false;
  #error: Error | undefined;

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
  }

  /** Passes everything to this reader, until it leaves. */
  read(reader: BodyReader): void {
    this.#reader = reader;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    // The reader may leave in between.
    for (const piece of waiting) this.receive(piece);
    if (this.#isOver) this.#tellEnd();
    else this.resume();
  }

  /** Removes the reader. What arrives from now on waits for the next one. */
  leave(): void {
    this.#reader = undefined;
  }

  /** Reads and drops the rest, so that the connection can be reused; beyond `limit` bytes it cancels the call. */
  discard(limit: number): void {
    let left = limit;
    const piece = ({ length }: Buffer) => {
      left -= length;
      if (left < 0) this.destroy();
    };
    this.read({ piece, end: () => undefined, broken: () => undefined });
  }

  /** Pauses the upstream. */
  pause(): void {
    if (!this.#isOver) this.#controller.pause();
  }

  resume(): void {
    if (!this.#isOver) this.#controller.resume();
  }

  /** Cancels the call if it is not over. The reader is told through `broken`. */
  destroy(error: Error = new errors.RequestAbortedError()): void {
    if (!this.#isOver) this.#controller.abort(error);
  }

  /** Called for each piece that arrives. */
  receive(piece: Buffer): void {
    if (this.#reader) {
      this.#reader.piece(piece);
      return;
    }
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    if (this.#waitingBytes > mostWaiting) this.pause();
  }

  /** Called at the end, with the error if the body broke off. */
  finish(error?: Error): void {
    this.#isOver = true;
    this.#error = error;
    this.#tellEnd();
  }

  #tellEnd(): void {
    const reader = this.#reader;
    // The buffered pieces come first.
    if (!reader || this.#waiting.length > 0) return;
    this.#reader = undefined;
    if (this.#error) reader.broken(this.#error);
    else reader.end();
  }
}
