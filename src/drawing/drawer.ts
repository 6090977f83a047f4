import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Drawing } from '../design/drawing/drawing.ts';
import { ToolError } from '../errors.ts';
import { files } from './files.ts';
import type { PictureFormat, Task } from './worker.ts';

/**
 * Draws a picture; `signal` gives it up.
 * Throws ToolError `internal_error` with `Retry-After` where too many wait already (`decisions` 1: shed load), and
 * `payload_too_large` for a design that is too large.
 */
export type DrawPicture = (
  drawing: Drawing,
  format: PictureFormat,
  signal: AbortSignal,
) => Promise<Uint8Array>;

/** What may be asked of a drawer. */
export interface DrawingLimits {
  /** How many pictures may be asked for at once. */
  readonly pictures: number;
  /** Milliseconds for layers, and as many for rows where layers take longer; the wait before not counted. */
  readonly patience: number;
}

export interface Drawer {
  readonly draw: DrawPicture;
  close(): Promise<void>;
}

/** Beyond, nothing in an image of a size that hosts take could be read, and it would take long. */
const mostShapes = 1500;
/** MiB of JavaScript: a thread that needs more ends, and the server does not. */
const memory = 512;

/** Draws one picture after another, in a thread of its own that starts with the first. */
export function openDrawer(
  { pictures, patience }: DrawingLimits = { pictures: 8, patience: 10_000 },
): Drawer {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let asked = 0;

  const inTime = async (task: Task, signal: AbortSignal): Promise<Uint8Array | undefined> => {
    signal.throwIfAborted();
    const late = AbortSignal.timeout(patience);
    thread ??= newThread();
    try {
      return await answerOf(thread, task, AbortSignal.any([signal, late]));
    } catch (error) {
      // It may still be at work, on what nobody waits for.
      await thread.terminate();
      thread = undefined;
      if (!late.aborted) throw error;
      return undefined;
    }
  };
  const drawNow = async (drawing: Drawing, format: PictureFormat, signal: AbortSignal) => {
    for (const inRows of [false, true]) {
      const picture = await inTime({ drawing, format, inRows }, signal);
      if (picture) return picture;
    }
    throw tooLarge('This design takes too long to draw.');
  };
  return {
    async draw(drawing, format, signal) {
      if (asked >= pictures)
        throw new ToolError('internal_error', 'too many pictures are being drawn', { retryAfter: 5 });
      if (format === 'png' && drawing.shapes.length > mostShapes)
        throw tooLarge(
          `A PNG has room for ${mostShapes} steps and hook nodes, not for ${drawing.shapes.length}.`,
        );
      asked++;
      const drawn = last.then(() => drawNow(drawing, format, signal));
      last = drawn.catch(() => undefined);
      try {
        return await drawn;
      } finally {
        asked--;
      }
    },
    async close() {
      await thread?.terminate();
    },
  };
}

function tooLarge(message: string): ToolError {
  return new ToolError('payload_too_large', message, {
    hint: 'svg has more room than png, and mermaid needs none.',
  });
}

function newThread(): Worker {
  // Nothing of the environment: it needs none of the secrets there.
  const thread = new Worker(new URL(files.worker, import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  // Who asked hears of it; an error that nobody listens for would end the server.
  thread.on('error', () => undefined);
  return thread;
}

/** The picture, or why there is none. A program that is done does not wait for a thread that has nothing to do. */
async function answerOf(thread: Worker, task: Task, signal: AbortSignal): Promise<Uint8Array> {
  const settled = new AbortController();
  const options = { signal: AbortSignal.any([signal, settled.signal]) };
  const ended = async () => {
    await once(thread, 'exit', options);
    throw new Error('the drawing thread ended');
  };
  thread.ref();
  try {
    const answered = once(thread, 'message', options);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(task);
    const [picture] = (await Promise.race([answered, ended()])) as [Uint8Array];
    return picture;
  } finally {
    settled.abort();
    thread.unref();
  }
}
