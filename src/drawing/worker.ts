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
parentPort?.on('message', async ({ drawing, format, inRows }: Task) => {
  const picture = svgOf(drawing, inRows);
  const bytes = format === 'svg' ? new TextEncoder().encode(picture.svg) : await pngOf(picture.svg, picture);
  parentPort?.postMessage(bytes);
});
