/** The module that a thread runs. The build replaces this file with one that names its bundle. */
export const files = { worker: new URL('worker.ts', import.meta.url).href };
