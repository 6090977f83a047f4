import { fork } from 'node:child_process';
import path from 'node:path';
import type { Load, LoadReply, Measured } from './load.ts';

/** The process that generates load. A run uses one process, so that it is equally warm for both programs. */
export interface Loader {
  measure(load: Load): Promise<Measured>;
  close(): void;
}

/** Starts the process. It ends with this process at the latest. */
export function openLoader(): Loader {
  const child = fork(path.join(import.meta.dirname, 'load.ts'));
  let settle: (reply: LoadReply) => void = () => undefined;
  child.on('message', (reply: LoadReply) => settle(reply));
  child.on('exit', () => settle({ failure: 'the process that makes load has ended' }));
  return {
    async measure(load) {
      const replied = new Promise<LoadReply>((resolve) => {
        settle = resolve;
      });
      child.send(load);
      const reply = await replied;
      if ('failure' in reply) throw new Error(reply.failure);
      return reply.measured;
    },
    close() {
      // A signal to the whole process group has ended it already.
      if (child.connected) child.disconnect();
    },
  };
}
