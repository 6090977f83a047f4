import type { IncomingMessage } from 'node:http';
import { ToolError, toToolError } from '../../platform/errors.ts';
import { stopReading } from './body-pace.ts';

const mebibyte = 1_048_576;
/** Bytes of a small body: the limit of most operations. */
const smallBody = 262_144;
/** Bytes that a body of unknown length takes at first. It then grows to a small one, and then to the largest. */
const firstStep = 16_384;

/** Bytes of bodies that may be in memory at once. */
export interface BodyBounds {
  /** Of bodies up to 256 KiB, which have a bound of their own, so that large ones do not displace them. */
  readonly small: number;
  readonly large: number;
  /** Milliseconds that a large body waits for others to end. */
  readonly patience: number;
  /** Large bodies of a project that wait. */
  readonly mostWaiting: number;
}

/** In memory, a large body takes up to three times its bytes while it is parsed. */
export const usualBounds: BodyBounds = {
  small: 32 * mebibyte,
  large: 160 * mebibyte,
  patience: 30_000,
  mostWaiting: 16,
};

/** The part of a bound that one project may take: three of the largest bodies, and another project still has room for one. */
const shareOfOne = 2 / 3;

function tooMuch(bytes: number): ToolError {
  const cause = new Error(`there is no memory for a body of ${bytes} bytes`);
  return new ToolError('internal_error', '', { cause, retryAfter: 1 });
}

/** A body that waits for memory. */
interface Waiting {
  readonly projectId: string;
  readonly bytes: number;
  readonly enter: () => void;
}

/** Bytes that are taken in all and by each project. */
class Account {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #takenBy = new Map<string, number>();
  #taken = 0;
  /** In the order of their turns. */
  readonly #waiting = new Set<Waiting>();

  constructor(most: number) {
    this.#most = most;
    this.#mostOfOne = Math.floor(most * shareOfOne);
  }

  hasRoom(projectId: string, bytes: number): boolean {
    const own = (this.#takenBy.get(projectId) ?? 0) + bytes;
    return own <= this.#mostOfOne && this.#taken + bytes <= this.#most;
  }

  /** @throws ToolError 500 with Retry-After */
  take(projectId: string, bytes: number): void {
    if (!this.hasRoom(projectId, bytes)) throw tooMuch(bytes);
    this.#takenBy.set(projectId, (this.#takenBy.get(projectId) ?? 0) + bytes);
    this.#taken += bytes;
  }

  giveBack(projectId: string, bytes: number): void {
    this.#taken -= bytes;
    const left = (this.#takenBy.get(projectId) ?? 0) - bytes;
    if (left > 0) this.#takenBy.set(projectId, left);
    else this.#takenBy.delete(projectId);
    this.#admit();
  }

  /** How many bodies of a project wait. */
  waitingOf(projectId: string): number {
    return [...this.#waiting].filter((waiting) => waiting.projectId === projectId).length;
  }

  /** Lets a body wait. `enter` is called once its bytes are taken. Returns a function that ends the wait. */
  wait(waiting: Waiting): () => void {
    this.#waiting.add(waiting);
    return () => {
      if (this.#waiting.delete(waiting)) this.#admit();
    };
  }

  /** Admits those that have room. None overtakes an earlier one of its project. */
  #admit(): void {
    const stopped = new Set<string>();
    for (const waiting of this.#waiting) {
      const { projectId, bytes, enter } = waiting;
      if (stopped.has(projectId) || !this.hasRoom(projectId, bytes)) stopped.add(projectId);
      else {
        this.#waiting.delete(waiting);
        this.take(projectId, bytes);
        enter();
      }
    }
  }
}

/** Bounds the bytes of request bodies that the process holds in memory. */
export class BodyMemory {
  readonly #bounds: BodyBounds;
  readonly #small: Account;
  readonly #large: Account;

  constructor(bounds: BodyBounds = usualBounds) {
    this.#bounds = bounds;
    this.#small = new Account(bounds.small);
    this.#large = new Account(bounds.large);
  }

  /**
   * Takes the memory for a body before it is read. A large body of known length waits for it, if others of its project, or
   * all, take too much. Returns undefined if there is nothing to read: no body, or one beyond the limit.
   * @throws ToolError 500 with Retry-After if there is no memory, or if too many bodies of the project wait
   */
  hold({ headers }: IncomingMessage, limit: number, projectId: string): HeldBody | undefined {
    const { 'content-length': length, 'transfer-encoding': coding } = headers;
    if (length === undefined && coding === undefined) return undefined;
    const bytes = length === undefined ? Math.min(limit, firstStep) : Number(length);
    if (bytes === 0 || bytes > limit) return undefined;
    const held = new HeldBody(projectId, limit, (size) => (size > smallBody ? this.#large : this.#small));
    if (length !== undefined && bytes > smallBody) held.takeInTurn(bytes, this.#bounds);
    else held.take(bytes);
    return held;
  }
}

/** The bodies of this process. */
export const bodyMemory = new BodyMemory();

/** The memory of one body, until it is released. */
export class HeldBody {
  readonly #projectId: string;
  readonly #limit: number;
  readonly #accountOf: (bytes: number) => Account;
  #bytes = 0;
  /** Of a body that waits: resolves once it has its memory. */
  #turn: Promise<void> | undefined;
  #endWait: (() => void) | undefined;

  constructor(projectId: string, limit: number, accountOf: (bytes: number) => Account) {
    this.#projectId = projectId;
    this.#limit = limit;
    this.#accountOf = accountOf;
  }

  /**
   * Takes this many bytes instead of those before.
   * @throws ToolError 500 with Retry-After
   */
  take(bytes: number): void {
    this.#accountOf(bytes).take(this.#projectId, bytes);
    this.release();
    this.#bytes = bytes;
  }

  /**
   * Takes this many bytes, or lets `read` wait for them.
   * @throws ToolError 500 with Retry-After if too many bodies of the project wait
   */
  takeInTurn(bytes: number, { patience, mostWaiting }: BodyBounds): void {
    const account = this.#accountOf(bytes);
    const projectId = this.#projectId;
    const before = account.waitingOf(projectId);
    if (before === 0 && account.hasRoom(projectId, bytes)) {
      this.take(bytes);
      return;
    }
    if (before >= mostWaiting) throw tooMuch(bytes);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#turn = promise;
    const enter = () => {
      clearTimeout(timer);
      this.#endWait = undefined;
      this.#bytes = bytes;
      resolve();
    };
    const leave = account.wait({ projectId, bytes, enter });
    this.#endWait = () => {
      clearTimeout(timer);
      leave();
      reject(tooMuch(bytes));
    };
    const timer = setTimeout(this.#endWait, patience);
  }

  /**
   * Reads the body once it has its memory. One of unknown length takes more memory as it grows.
   * @throws ToolError 500 with Retry-After
   */
  read<Result>(request: IncomingMessage, read: () => Promise<Result>): Promise<Result> {
    if (this.#turn) return this.#turn.then(read);
    if (request.headers['content-length'] !== undefined) return read();
    return Promise.race([read(), this.#overflow(request)]);
  }

  /** Rejects if there is no more memory for the body. */
  #overflow(request: IncomingMessage): Promise<never> {
    return new Promise((_resolve, reject) => {
      let received = 0;
      request.on('data', (piece: Buffer) => {
        received += piece.length;
        try {
          while (received > this.#bytes && this.#bytes > 0 && this.#bytes < this.#limit)
            this.take(Math.min(this.#bytes < smallBody ? smallBody : this.#limit, this.#limit));
        } catch (error) {
          stopReading(request);
          reject(toToolError(error));
        }
      });
    });
  }

  /** Gives the memory back, or ends the wait for it. Later calls do nothing. */
  release(): void {
    this.#endWait?.();
    this.#endWait = undefined;
    this.#accountOf(this.#bytes).giveBack(this.#projectId, this.#bytes);
    this.#bytes = 0;
  }
}
