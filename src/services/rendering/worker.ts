import { parentPort } from 'node:worker_threads';
import type { Diagram } from '../../design/diagram/diagram.ts';
import { svgOf } from '../../design/diagram/svg.ts';
import { pngOf } from './png.ts';

export interface Task {
  readonly diagram: Diagram;
  readonly format: PictureFormat;
  /** Use the grid layout, which is always fast, instead of the layered one. */
  readonly asGrid: boolean;
}

export type PictureFormat = 'svg' | 'png';

// Layout and rasterising take up to seconds, which would block the server's main thread.
parentPort?.on('message', (task: Task) => {
  // An error ends the thread, and the renderer sees it exit.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void pictureOf(task).then((picture) => parentPort?.postMessage(picture));
});

async function pictureOf({ diagram, format, asGrid }: Task): Promise<Uint8Array> {
  const picture = svgOf(diagram, asGrid);
  return format === 'svg' ? new TextEncoder().encode(picture.svg) : pngOf(picture.svg, picture);
}
