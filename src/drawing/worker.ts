import { parentPort } from 'node:worker_threads';
import type { Drawing } from '../design/drawing/drawing.ts';
import { svgOf } from '../design/drawing/svg.ts';
import { pngOf } from './png.ts';

/** What the thread is asked to draw. */
export interface Task {
  readonly drawing: Drawing;
  readonly format: PictureFormat;
  /** Whether to leave out the layers, which may take long. */
  readonly inRows: boolean;
}

export type PictureFormat = 'svg' | 'png';

// Layers and pixels take up to seconds, in which the server's own thread would answer nobody.
parentPort?.on('message', (task: Task) => {
  // What fails ends the thread, of which the drawer hears.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void pictureOf(task).then((picture) => parentPort?.postMessage(picture));
});

async function pictureOf({ drawing, format, inRows }: Task): Promise<Uint8Array> {
  const picture = svgOf(drawing, inRows);
  return format === 'svg' ? new TextEncoder().encode(picture.svg) : pngOf(picture.svg, picture);
}
