import { type Dispatcher, errors } from 'undici';

/** What takes a body: its pieces in their order, and one of the others at the end. */
export interface BodyReader {
  readonly piece: (piece: Buffer) => void;
  readonly end: () => void;
  /** It broke off. */
  readonly broken: (error: Error) => void;
}

/** Bytes that wait for a reader before the upstream does. */
const mostWaiting = 65_536;

/** The body of an upstream's answer: whoever reads it hears at once what comes, and first what has come before. */
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

  /** Hands everything to this reader from now on, until it leaves. */
  read(reader: BodyReader): void {
    this.#reader = reader;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    // It may leave in between.
    for (const piece of waiting) this.receive(piece);
    if (this.#isOver) this.#tellEnd();
    else this.resume();
  }

  /** What comes from now on waits for the next reader. */
  leave(): void {
    this.#reader = undefined;
  }

  /** Reads to the end, so that the connection can be kept, unless there are more bytes than this. */
  discard(limit: number): void {
    let left = limit;
    const piece = ({ length }: Buffer) => {
      left -= length;
      if (left < 0) this.destroy();
    };
    this.read({ piece, end: () => undefined, broken: () => undefined });
  }

  /** Makes the upstream wait. */
  pause(): void {
    if (!this.#isOver) this.#controller.pause();
  }

  resume(): void {
    if (!this.#isOver) this.#controller.resume();
  }

  /** Ends the call where it is not over; its reader hears of that as of any other break. */
  destroy(error: Error = new errors.RequestAbortedError()): void {
    if (!this.#isOver) this.#controller.abort(error);
  }

  /** A piece has come. */
  receive(piece: Buffer): void {
    if (this.#reader) {
      this.#reader.piece(piece);
      return;
    }
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    if (this.#waitingBytes > mostWaiting) this.pause();
  }

  /** Nothing more comes: all was there, or it broke off with this error. */
  finish(error?: Error): void {
    this.#isOver = true;
    this.#error = error;
    this.#tellEnd();
  }

  #tellEnd(): void {
    const reader = this.#reader;
    // What waits is to be read first.
    if (!reader || this.#waiting.length > 0) return;
    this.#reader = undefined;
    if (this.#error) reader.broken(this.#error);
    else reader.end();
  }
}
