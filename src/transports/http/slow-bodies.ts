import type { IncomingMessage } from 'node:http';

/** What had arrived of a body at a check, in bytes of its connection. */
interface Progress {
  readonly start: number;
  received: number;
  checks: number;
  checksWithoutProgress: number;
}

/**
 * Finds the requests whose bodies stop arriving, or arrive so slowly that a client could hold their memory for hours.
 * Counts checks instead of time, because a process that was stopped for a while could not read either.
 */
export class SlowBodies {
  readonly #progress = new WeakMap<IncomingMessage, Progress>();
  readonly #mostChecks: number;
  readonly #bytesPerCheck: number;

  /**
   * @param mostChecks successive checks without progress, after which a body has stopped. After as many checks in all, its
   * average counts
   * @param bytesPerCheck the least average
   */
  constructor(mostChecks: number, bytesPerCheck: number) {
    this.#mostChecks = mostChecks;
    this.#bytesPerCheck = bytesPerCheck;
  }

  /** Call it once in each check, for each request that has not arrived whole. */
  isTooSlow(request: IncomingMessage): boolean {
    const received = request.socket.bytesRead;
    const known = this.#progress.get(request);
    if (!known) {
      this.#progress.set(request, { start: received, received, checks: 0, checksWithoutProgress: 0 });
      return false;
    }
    // The client cannot send what the server does not read.
    if (!isRead(request)) return false;
    known.checks += 1;
    known.checksWithoutProgress = received > known.received ? 0 : known.checksWithoutProgress + 1;
    known.received = received;
    if (known.checksWithoutProgress >= this.#mostChecks) return true;
    return known.checks > this.#mostChecks && received - known.start < known.checks * this.#bytesPerCheck;
  }
}

function isRead(request: IncomingMessage): boolean {
  return !request.socket.isPaused() && request.readableLength < request.readableHighWaterMark;
}
