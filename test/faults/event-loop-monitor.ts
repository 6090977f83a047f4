/**
 * Prints the longest pieces of work of a process's event loop, each second, as a line of JSON on stdout.
 *
 * Usage: NODE_OPTIONS="--import /…/test/faults/event-loop-monitor.ts" parley serve
 */
import { isMainThread } from 'node:worker_threads';

/** The longest pieces of work in a second, in milliseconds. */
export interface EventLoopSample {
  /** On the clock. Other processes may have had the processor for a part of it. */
  readonly longestPiece: number;
  /** Of processor time. */
  readonly longestPieceCpu: number;
}

/** Milliseconds between two looks. A piece of work is what runs between them. */
const interval = 5;

function startMonitor(): void {
  let [longestPiece, longestPieceCpu] = [0, 0];
  let [time, cpu] = [performance.now(), process.threadCpuUsage()];
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(cpu);
    longestPiece = Math.max(longestPiece, performance.now() - time - interval);
    longestPieceCpu = Math.max(longestPieceCpu, (user + system) / 1000);
    [time, cpu] = [performance.now(), process.threadCpuUsage()];
  }, interval).unref();
  setInterval(() => {
    const sample: EventLoopSample = { longestPiece, longestPieceCpu };
    process.stdout.write(`${JSON.stringify(sample)}\n`);
    [longestPiece, longestPieceCpu] = [0, 0];
  }, 1000).unref();
}

// NODE_OPTIONS applies to the threads as well.
if (isMainThread) startMonitor();
