import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Diagram } from '../design/diagram/diagram.ts';
import { ToolError } from '../errors.ts';
import { files } from './files.ts';
import type { PictureFormat, Task } from './worker.ts';

/**
 * Renders a diagram as SVG or PNG; aborting `signal` cancels it.
 * @throws ToolError `internal_error` with `Retry-After` if too many pictures are queued (`decisions#added-codes`), and
 * `payload_too_large` if the diagram is too large.
 */
export type RenderDiagram = (
  diagram: Diagram,
  format: PictureFormat,
  signal: AbortSignal,
) => Promise<Uint8Array>;

export interface RenderLimits {
  /** Pictures in the queue at once, the one in progress included. */
  readonly queueLength: number;
  /** Milliseconds for the layered layout, and again for the grid if that runs out. Queueing time does not count. */
  readonly timeout: number;
}

export interface Renderer {
  readonly render: RenderDiagram;
  close(): Promise<void>;
}

/** A larger PNG would be unreadable at the size that hosts accept, and slow to render. */
const maximumShapes = 1500;
/** MiB of JavaScript heap. A thread that needs more ends; the server keeps running. */
const maximumHeap = 512;

/** Renders one picture at a time, in a worker thread that starts with the first one. */
export function openRenderer(
  { queueLength, timeout }: RenderLimits = { queueLength: 8, timeout: 10_000 },
): Renderer {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let queued = 0;

  /** Undefined if the time ran out. */
  const renderInTime = async (task: Task, signal: AbortSignal): Promise<Uint8Array | undefined> => {
    signal.throwIfAborted();
    const late = AbortSignal.timeout(timeout);
    thread ??= startThread();
    try {
      return await runTask(thread, task, AbortSignal.any([signal, late]));
    } catch (error) {
      // The thread may still be busy with the abandoned task.
      await thread.terminate();
      thread = undefined;
      if (!late.aborted) throw error;
      return undefined;
    }
  };
  const renderNow = async (diagram: Diagram, format: PictureFormat, signal: AbortSignal) => {
    for (const asGrid of [false, true]) {
      const picture = await renderInTime({ diagram, format, asGrid }, signal);
      if (picture) return picture;
    }
    throw tooLarge('This design takes too long to draw.');
  };
  return {
    async render(diagram, format, signal) {
      if (queued >= queueLength)
        throw new ToolError('internal_error', 'too many pictures are being drawn', { retryAfter: 5 });
      if (format === 'png' && diagram.shapes.length > maximumShapes)
        throw tooLarge(
          `A PNG holds at most ${maximumShapes} steps and hook nodes; this design has ${diagram.shapes.length}.`,
        );
      queued++;
      const rendered = last.then(() => renderNow(diagram, format, signal));
      last = rendered.catch(() => undefined);
      try {
        return await rendered;
      } finally {
        queued--;
      }
    },
    async close() {
      await thread?.terminate();
    },
  };
}

function tooLarge(message: string): ToolError {
  return new ToolError('payload_too_large', message, {
    hint: 'Use format svg, which holds more than png, or mermaid, which has no limit.',
  });
}

function startThread(): Worker {
  // The thread gets no environment variables, because it needs none of the secrets in them.
  const thread = new Worker(new URL(files.worker, import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: maximumHeap },
  });
  // `runTask` reports the error; an `error` event without a listener would end the server.
  thread.on('error', () => undefined);
  return thread;
}

/** Resolves with the picture, and rejects if the thread ends. An idle thread does not keep the process alive. */
async function runTask(thread: Worker, task: Task, signal: AbortSignal): Promise<Uint8Array> {
  const settled = new AbortController();
  const options = { signal: AbortSignal.any([signal, settled.signal]) };
  const ended = async () => {
    await once(thread, 'exit', options);
    throw new Error('the rendering thread ended');
  };
  thread.ref();
  try {
    const response = once(thread, 'message', options);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(task);
    const [picture] = (await Promise.race([response, ended()])) as [Uint8Array];
    return picture;
  } finally {
    settled.abort();
    thread.unref();
  }
}
