import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { unsentBytes } from '../../platform/private-members/node.ts';

/** What the kernel had taken of a socket's data at a check, and for how many checks that has not changed. */
interface Progress {
  readonly written: number;
  readonly queued: number;
  checks: number;
}

/** Finds the sockets that have data to send and whose clients accept none of it. */
export class StalledSockets {
  readonly #progress = new WeakMap<Socket, Progress>();
  readonly #mostChecks: number;
  readonly #mostUnsent: number;

  /**
   * @param mostChecks successive checks without progress, after which a socket has stalled
   * @param mostUnsent bytes of all sockets; beyond that, one check without progress suffices
   */
  constructor(mostChecks: number, mostUnsent: number) {
    this.#mostChecks = mostChecks;
    this.#mostUnsent = mostUnsent;
  }

  /**
   * Resets the sockets that have stalled, so that neither the process nor the kernel keeps their data. Counts checks instead
   * of time, because a process that was stopped for a while could not send either.
   */
  check(sockets: Iterable<Duplex>): void {
    const sending = [...sockets].filter(
      (socket): socket is Socket => socket.writableLength > 0 && socket instanceof Socket,
    );
    let unsent = sending.reduce((sum, { writableLength }) => sum + writableLength, 0);
    for (const socket of sending) {
      const idleChecks = this.#checksWithoutProgress(socket);
      if (idleChecks < (unsent > this.#mostUnsent ? 1 : this.#mostChecks)) continue;
      unsent -= socket.writableLength;
      socket.resetAndDestroy();
    }
  }

  #checksWithoutProgress(socket: Socket): number {
    const written = socket.bytesWritten - socket.writableLength;
    const queued = unsentBytes(socket);
    const before = this.#progress.get(socket);
    if (before?.written === written && before.queued === queued) return ++before.checks;
    this.#progress.set(socket, { written, queued, checks: 0 });
    return 0;
  }
}
