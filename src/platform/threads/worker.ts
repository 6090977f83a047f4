import { parentPort } from 'node:worker_threads';

/** What a thread does: `run` of a module, with an input. */
export interface Task {
  /** The address of the module. It is loaded with the first task that names it. */
  readonly module: string;
  readonly input: unknown;
}

interface TaskModule {
  run(input: unknown): Promise<unknown>;
}

parentPort?.on('message', (task: Task) => {
  // An error ends the thread, and `Thread` sees it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void outputOf(task).then((output) => parentPort?.postMessage(output));
});

async function outputOf({ module, input }: Task): Promise<unknown> {
  const loaded = (await import(module)) as TaskModule;
  return loaded.run(input);
}
