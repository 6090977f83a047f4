import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Diagram } from '../../design/diagram/diagram.ts';
import { ToolError, tooManyAtOnce } from '../../platform/errors.ts';
import { Turns } from '../../platform/turns.ts';
import { files } from './files.ts';
import type { PictureFormat, Task } from './worker.ts';

/**
 * Renders a diagram of a project as SVG or PNG; aborting `signal` cancels it.
 * @throws ToolError `rate_limited` if the project has too many pictures in progress and queued, `internal_error` with
 * `Retry-After` if all projects together have (`decisions#designs`), and `payload_too_large` if the diagram is too large
 */
export type RenderDiagram = (
  projectId: string,
  diagram: Diagram,
  format: PictureFormat,
  signal: AbortSignal,
) => Promise<Uint8Array>;

export interface RenderLimits {
  /** Pictures of one project in the queue at once, the one in progress included. */
  readonly perProject: number;
  /** Pictures of all projects in the queue at once. */
  readonly queueLength: number;
  /** Milliseconds for the layered layout, and again for the grid if that runs out. Queueing time does not count. */
  readonly timeout: number;
  /** Milliseconds after which an unused thread ends. */
  readonly idle: number;
}

/** The largest pictures take 3 s of processor time (`docs/measurements/drawings.md`). Only a busy machine needs more. */
const defaultLimits: RenderLimits = { perProject: 8, queueLength: 64, timeout: 10_000, idle: 5_000 };

export interface Renderer {
  readonly render: RenderDiagram;
  close(): Promise<void>;
}

/** A larger PNG would be unreadable at the size that hosts accept, and slow to render. */
const maximumShapes = 1500;
const maximumArrows = 1500;
/** Seconds until a queue has moved on. */
const retryAfter = 5;
/** MiB of JavaScript heap. A thread that needs more ends; the server keeps running. */
const maximumHeap = 512;
/** MiB of its young generation. By default, that alone takes 100. */
const youngHeap = 4;
/** PNGs of one thread. From the eleventh on, V8 would optimize a large function of resvg, which takes 60 MiB for a moment. */
const pngsOfThread = 8;

/**
 * Renders one picture at a time, and projects take turns. The work is done in a worker thread that
 * starts with the first picture. The thread ends if it is idle, because it holds more than 100 MB: WebAssembly memory never
 * shrinks.
 */
export function openRenderer(limits: Partial<RenderLimits> = {}): Renderer {
  const { perProject, queueLength, timeout, idle } = { ...defaultLimits, ...limits };
  let thread: Worker | undefined;
  let pngs = 0;
  let idling: NodeJS.Timeout | undefined;
  const turns = new Turns();
  let queued = 0;

  const endThread = async () => {
    const ended = thread?.terminate();
    thread = undefined;
    pngs = 0;
    await ended;
  };
  /** Undefined if the time ran out. */
  const renderInTime = async (task: Task, signal: AbortSignal): Promise<Uint8Array | undefined> => {
    signal.throwIfAborted();
    const late = AbortSignal.timeout(timeout);
    clearTimeout(idling);
    thread ??= startThread();
    try {
      const picture = await runTask(thread, task, AbortSignal.any([signal, late]));
      if (task.format === 'png' && ++pngs === pngsOfThread) await endThread();
      return picture;
    } catch (error) {
      // The thread may still be busy with the abandoned task.
      await endThread();
      if (!late.aborted) throw error;
      return undefined;
    } finally {
      idling = setTimeout(() => void endThread(), idle).unref();
    }
  };
  const renderNow = async (diagram: Diagram, format: PictureFormat, signal: AbortSignal) => {
    for (const asGrid of [false, true]) {
      const picture = await renderInTime({ diagram, format, asGrid }, signal);
      if (picture) return picture;
    }
    throw tooLarge(`This design takes longer than ${timeout / 1000} s to draw.`);
  };
  return {
    async render(projectId, diagram, format, signal) {
      if (format === 'png') requireSmall(diagram);
      if (turns.pending(projectId) >= perProject)
        throw tooManyAtOnce(
          'drawings',
          perProject,
          `A project can have ${perProject} pictures drawn at once. Wait until one of them is done.`,
          retryAfter,
        );
      if (queued >= queueLength)
        throw new ToolError('internal_error', 'too many pictures are being drawn', { retryAfter });
      queued++;
      try {
        return await turns.take(projectId, () => renderNow(diagram, format, signal));
      } finally {
        queued--;
      }
    },
    async close() {
      clearTimeout(idling);
      await endThread();
    },
  };
}

/** @throws ToolError `payload_too_large` */
function requireSmall({ shapes, arrows }: Diagram): void {
  if (shapes.length > maximumShapes)
    throw tooLarge(
      `A PNG holds at most ${maximumShapes} steps and hook nodes; this design has ${shapes.length}.`,
    );
  if (arrows.length > maximumArrows)
    throw tooLarge(`A PNG holds at most ${maximumArrows} arrows; this design has ${arrows.length}.`);
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
    resourceLimits: { maxOldGenerationSizeMb: maximumHeap, maxYoungGenerationSizeMb: youngHeap },
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
