/**
 * Prints what a process holds in memory, each second, as a line of JSON on stdout. SIGUSR2 collects all garbage first, so
 * that the next line shows what is in use.
 *
 * Usage: NODE_OPTIONS="--import /…/test/faults/heap-monitor.ts" parley serve
 */
import { subscribe } from 'node:diagnostics_channel';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, type HeapInfo, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, type Worker } from 'node:worker_threads';

/** What a process holds, in bytes, and what it has used so far, in milliseconds. */
export interface HeapSample {
  /** True if all garbage was collected just before. */
  readonly collected: boolean;
  /** Of the main thread. */
  readonly heapUsed: number;
  readonly heapTotal: number;
  readonly youngTotal: number;
  /** Memory that belongs to objects of the heap but is outside it, `buffers` included. */
  readonly external: number;
  readonly buffers: number;
  /** Of all other threads together. */
  readonly threads: { readonly count: number; readonly heapTotal: number; readonly external: number };
  readonly cpu: number;
  readonly minor: Collections;
  readonly major: Collections;
}

/** How often V8 collected garbage, and how long that stopped the main thread. */
interface Collections {
  readonly count: number;
  readonly time: number;
}

const isYoung = ({ space_name: name }: { space_name: string }) => name.startsWith('new');

function startMonitor(): void {
  const threads = new Set<Worker>();
  subscribe('worker_threads', (message) => {
    const { worker } = message as { worker: Worker };
    threads.add(worker);
    worker.once('exit', () => threads.delete(worker));
  });
  const minor = { count: 0, time: 0 };
  const major = { count: 0, time: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { detail, duration } = entry as typeof entry & { detail: { kind: number } };
      const seen = detail.kind === constants.NODE_PERFORMANCE_GC_MINOR ? minor : major;
      seen.count++;
      seen.time += duration;
    }
  }).observe({ entryTypes: ['gc'] });
  const print = async (collected: boolean) => {
    const found = await Promise.all([...threads].map(heapOf));
    const others = found.filter((statistics) => statistics !== undefined);
    const sum = (member: 'total_heap_size' | 'external_memory') =>
      others.reduce((total, statistics) => total + statistics[member], 0);
    const { heapUsed, heapTotal, external, arrayBuffers: buffers } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const young = getHeapSpaceStatistics().filter(isYoung);
    const youngTotal = young.reduce((total, { space_size: size }) => total + size, 0);
    const inThreads = {
      count: others.length,
      heapTotal: sum('total_heap_size'),
      external: sum('external_memory'),
    };
    const cpu = (user + system) / 1000;
    const main = { heapUsed, heapTotal, youngTotal, external, buffers };
    const sample: HeapSample = { collected, ...main, threads: inThreads, cpu, minor, major };
    process.stdout.write(`${JSON.stringify(sample)}\n`);
  };
  setInterval(() => void print(false), 1000).unref();
  process.on('SIGUSR2', () => {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    void print(true);
  });
}

/** Undefined if the thread has ended meanwhile. */
async function heapOf(thread: Worker): Promise<HeapInfo | undefined> {
  try {
    return await thread.getHeapStatistics();
  } catch {
    return undefined;
  }
}

// NODE_OPTIONS applies to the threads as well.
if (isMainThread) startMonitor();
