import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const glance = 400;
/** The share of all processors that other programs may use. */
const quiet = 0.15;

/**
 * Waits at most `patience` seconds until the rest of the machine is quiet. A busy machine distorts even ratios, because
 * it slows the program with the fewest processes most.
 * @returns the share of the processors that other programs used in the last sample
 */
export async function untilQuiet(patience: number): Promise<number> {
  const deadline = performance.now() + patience * 1000;
  for (;;) {
    const before = processorTime();
    await sleep(glance);
    const after = processorTime();
    const busy = 1 - (after.idle - before.idle) / (after.total - before.total);
    if (busy <= quiet || performance.now() > deadline) return busy;
  }
}

function processorTime() {
  let idle = 0;
  let total = 0;
  for (const { times } of os.cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, total };
}
