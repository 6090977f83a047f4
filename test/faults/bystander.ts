import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface BystanderSettings {
  /** Requested in turn. */
  readonly urls: readonly string[];
  readonly key: string;
  /** Requests a second. */
  readonly rate: number;
}

/** The results of a client since the last report. */
export interface Seen {
  /** Durations, in milliseconds, of the requests that returned 200. */
  readonly times: readonly number[];
  /** Statuses or errors of the other requests. */
  readonly failures: readonly string[];
}

/** Starts a client that sends ordinary requests while a trial does harm. */
export function startBystander(settings: BystanderSettings) {
  const thread = new Worker(new URL('bystander-thread.ts', import.meta.url), { workerData: settings });
  return {
    async seen(): Promise<Seen> {
      const answered = once(thread, 'message');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage('seen');
      return ((await answered) as [Seen])[0];
    },
    close: () => thread.terminate(),
  };
}
