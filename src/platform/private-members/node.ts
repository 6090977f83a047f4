import type { Socket } from 'node:net';

/*
 * Members of Node.js 24.21.0 that its documentation lacks. Its version is pinned; `test/platform/private-members.test.ts` fails
 * with another one until somebody has compared this file with it.
 */

/**
 * Bytes of the write in progress that the kernel has not taken (`Socket._handle.writeQueueSize`); 0 for a closed socket.
 * Why: public members count a write only when it is complete, and a response of 8 MiB is one write. `socket.setTimeout` reads
 * the same member, but data from the client resets it. Test: test/transports/http/stalled-sockets.test.ts.
 */
export function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize: number } | null };
  return handle?.writeQueueSize ?? 0;
}
