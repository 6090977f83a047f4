/** Where the thread's code is. The build puts its own beside the bundle. */
export const files = { worker: new URL('worker.ts', import.meta.url).href };
