import type { Socket } from 'node:net';
import type pg from 'pg';
import { isWaiting } from '../platform/private-members/pg.ts';

/** The bytes that a connection had received when it was last seen to move, or had nothing to wait for. */
interface Progress {
  bytes: number;
  /** Milliseconds of `performance.now()`. */
  at: number;
}

/** Milliseconds. Above the server's limit on statements, which cannot help if the server itself stands still. */
export const usualSilence = 20_000;
const mostBetweenChecks = 1_000;

/**
 * Closes connections on which a statement has waited too long without a byte from the server: its processes are frozen, or
 * the network drops everything. One timer serves all connections; pg's own limit takes a timer for each statement.
 */
export class SilenceWatch {
  readonly #limit: number;
  readonly #connections = new Map<pg.Client, Progress>();
  #timer: NodeJS.Timeout | undefined;

  /** `limit` is in milliseconds. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(client: pg.Client): void {
    this.#connections.set(client, { bytes: 0, at: performance.now() });
    this.#timer ??= setInterval(() => this.#check(), Math.min(mostBetweenChecks, this.#limit)).unref();
    client.once('end', () => {
      this.#connections.delete(client);
      if (this.#connections.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
  }

  #check(): void {
    const now = performance.now();
    for (const [client, progress] of this.#connections) {
      const stream = client.connection.stream as Socket;
      if (!isWaiting(client) || stream.bytesRead !== progress.bytes) {
        progress.bytes = stream.bytesRead;
        progress.at = now;
      } else if (now - progress.at > this.#limit) stream.destroy(new Error('Query read timeout'));
    }
  }
}
