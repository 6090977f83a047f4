import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface BystanderSettings {
  /** Asked in turn. */
  readonly urls: readonly string[];
  readonly key: string;
  /** Requests a second. */
  readonly rate: number;
}

/** What a client saw since it was asked the last time. */
export interface Seen {
  /** Milliseconds of the requests that were answered 200. */
  readonly times: readonly number[];
  /** What became of the others. */
  readonly failures: readonly string[];
}

/** A client that goes on with its work while somebody else does harm. */
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
