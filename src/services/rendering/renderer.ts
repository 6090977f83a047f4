import type { Diagram } from '../../design/diagram/diagram.ts';
import { ToolError, tooManyAtOnce } from '../../platform/errors.ts';
import type { Thread } from '../../platform/threads/thread.ts';
import type { Threads } from '../../platform/threads/threads.ts';
import { Turns } from '../../platform/turns.ts';
import { files } from './files.ts';
import type { PictureFormat, PictureTask } from './worker.ts';

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
}

/** The largest pictures take 3 s of processor time (`docs/measurements/drawings.md`). Only a busy machine needs more. */
const defaultLimits: RenderLimits = { perProject: 8, queueLength: 64, timeout: 10_000 };

/** A larger PNG would be unreadable at the size that hosts accept, and slow to render. */
const maximumShapes = 1500;
const maximumArrows = 1500;
/** Seconds until a queue has moved on. */
const retryAfter = 5;
/** PNGs of one thread. From the eleventh on, V8 would optimize a large function of resvg, which takes 60 MiB for a moment. */
const pngsOfThread = 8;

/** Renders one picture at a time in a worker thread, and projects take turns. */
export function rendererIn(threads: Threads, limits: Partial<RenderLimits> = {}): RenderDiagram {
  const { perProject, queueLength, timeout } = { ...defaultLimits, ...limits };
  const pngs = new WeakMap<Thread, number>();
  const turns = new Turns();
  let queued = 0;

  /** Undefined if the time ran out. */
  const renderInTime = (input: PictureTask, signal: AbortSignal): Promise<Uint8Array | undefined> =>
    threads.use(async (thread) => {
      signal.throwIfAborted();
      const late = AbortSignal.timeout(timeout);
      const task = { module: new URL(files.worker, import.meta.url).href, input };
      try {
        return await thread.run<Uint8Array>(task, AbortSignal.any([signal, late]));
      } catch (error) {
        if (!late.aborted) throw error;
        return undefined;
      } finally {
        const drawn = (pngs.get(thread) ?? 0) + (input.format === 'png' ? 1 : 0);
        pngs.set(thread, drawn);
        if (drawn === pngsOfThread) await thread.end();
      }
    });
  const renderNow = async (diagram: Diagram, format: PictureFormat, signal: AbortSignal) => {
    for (const asGrid of [false, true]) {
      const picture = await renderInTime({ diagram, format, asGrid }, signal);
      if (picture) return picture;
    }
    throw tooLarge(`This design takes longer than ${timeout / 1000} s to draw.`);
  };
  return async (projectId, diagram, format, signal) => {
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
