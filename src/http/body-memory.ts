import type { IncomingMessage } from 'node:http';
import { ToolError, toToolError } from '../errors.ts';
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
}

/** In memory, a large body takes up to three times its bytes while it is parsed. */
const usual: BodyBounds = { small: 32 * mebibyte, large: 160 * mebibyte };

/** The part of a bound that one project may take: three of the largest bodies, and another project still has room for one. */
const shareOfOne = 2 / 3;

/** Bytes that are taken in all and by each project. */
class Account {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
    this.#mostOfOne = Math.floor(most * shareOfOne);
  }

  /** @throws ToolError 500 with Retry-After */
  take(projectId: string, bytes: number): void {
    const own = (this.#takenBy.get(projectId) ?? 0) + bytes;
    const all = this.#taken + bytes;
    if (own > this.#mostOfOne || all > this.#most) {
      const cause = new Error(`bodies would take ${all} bytes, ${own} of them of one project`);
      throw new ToolError('internal_error', '', { cause, retryAfter: 1 });
    }
    this.#takenBy.set(projectId, own);
    this.#taken = all;
  }

  giveBack(projectId: string, bytes: number): void {
    this.#taken -= bytes;
    const left = (this.#takenBy.get(projectId) ?? 0) - bytes;
    if (left > 0) this.#takenBy.set(projectId, left);
    else this.#takenBy.delete(projectId);
  }
}

/** Bounds the bytes of request bodies that the process holds in memory. */
export class BodyMemory {
  readonly #small: Account;
  readonly #large: Account;

  constructor({ small, large }: BodyBounds = usual) {
    this.#small = new Account(small);
    this.#large = new Account(large);
  }

  /**
   * Takes the memory for a body before it is read. Returns undefined if there is nothing to read: no body, or one beyond the
   * limit.
   * @throws ToolError 500 with Retry-After if the bodies of the project, or all, would take too much
   */
  hold({ headers }: IncomingMessage, limit: number, projectId: string): HeldBody | undefined {
    const { 'content-length': length, 'transfer-encoding': coding } = headers;
    if (length === undefined && coding === undefined) return undefined;
    const bytes = length === undefined ? Math.min(limit, firstStep) : Number(length);
    if (bytes === 0 || bytes > limit) return undefined;
    const held = new HeldBody(projectId, limit, (size) => (size > smallBody ? this.#large : this.#small));
    held.take(bytes);
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
   * Reads the body. One of unknown length takes more memory as it grows.
   * @throws ToolError 500 with Retry-After
   */
  read<Result>(request: IncomingMessage, read: () => Promise<Result>): Promise<Result> {
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

  /** Gives the memory back. Later calls do nothing. */
  release(): void {
    this.#accountOf(this.#bytes).giveBack(this.#projectId, this.#bytes);
    this.#bytes = 0;
  }
}
