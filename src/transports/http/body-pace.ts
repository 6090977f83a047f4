import type { IncomingMessage } from 'node:http';

/**
 * Bytes of bodies after which the event loop does everything else first. Node.js reads up to 2 MiB from each connection in
 * one iteration, and a small call needs several iterations.
 */
const bytesPerIteration = 65_536;

/** Requests that wait for the next iterations, in the order of their turns. */
const waiting: IncomingMessage[] = [];
const stopped = new WeakSet<IncomingMessage>();
let taken = 0;
let isScheduled = false;

/** Call it for each piece of a body: it pauses the request once this iteration of the event loop has taken enough. */
export function paceBody(request: IncomingMessage, piece: Buffer): void {
  taken += piece.length;
  if (!isScheduled) {
    isScheduled = true;
    setImmediate(beginIteration);
  }
  if (taken < bytesPerIteration) return;
  request.pause();
  waiting.push(request);
}

function beginIteration(): void {
  taken = 0;
  for (let bytes = 0; waiting.length > 0 && bytes < bytesPerIteration; ) {
    const request = waiting.shift() as IncomingMessage;
    bytes += request.readableLength;
    resumeReading(request);
  }
  isScheduled = waiting.length > 0;
  if (isScheduled) setImmediate(beginIteration);
}

/** Reads on, unless `stopReading` was called. */
export function resumeReading(request: IncomingMessage): void {
  if (!stopped.has(request)) request.resume();
}

/** Reads no more of a body. Destroying the request would close the socket before the response is written. */
export function stopReading(request: IncomingMessage): void {
  stopped.add(request);
  request.pause();
}
