import { readFileSync } from 'node:fs';

/** Samples the resident memory of a process ten times a second, in MiB. Linux only. */
export function watchMemory(pid: number) {
  const now = (): number => {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
    } catch {
      return Number.NaN;
    }
  };
  let most = now();
  const looks = setInterval(() => {
    most = Math.max(most, now());
  }, 100);
  return {
    now,
    /** Returns the most memory since the last `restart`. */
    most: () => most,
    restart() {
      most = now();
    },
    /** Returns false once the process has ended. */
    isThere: () => !Number.isNaN(now()),
    stop: () => clearInterval(looks),
  };
}
