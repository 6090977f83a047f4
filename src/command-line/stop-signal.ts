/**
 * Milliseconds. A terminal sends Ctrl+C to all of its processes, and systemd sends SIGTERM to all of a service. npm and
 * bin/parley.js pass signals on, so the process gets each twice within a few milliseconds.
 */
const echo = 500;

/**
 * Resolves with the name of the first SIGTERM, SIGINT or SIGHUP. Another one ends the process at once, with exit status 1,
 * unless it is the same and arrives within half a second.
 */
export function untilStopped(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined;
    const stop = (signal: NodeJS.Signals) => {
      if (!first) {
        first = { signal, at: performance.now() };
        resolve(signal);
      } else if (signal !== first.signal || performance.now() - first.at > echo) process.exit(1);
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  });
}
