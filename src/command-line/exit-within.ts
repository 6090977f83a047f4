import type { Log } from '../platform/log.ts';

/**
 * Ends the process after so many milliseconds if it still runs. Uses SIGKILL, because an exit waits for threads, and one
 * may wait for ever: for a name server or for a disk. Listeners for `exit` run before.
 */
export function exitWithin(milliseconds: number, log?: Log): void {
  setTimeout(() => {
    log?.error('the stop took too long, and the process ends itself');
    process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
    process.exit();
  }, milliseconds).unref();
}
