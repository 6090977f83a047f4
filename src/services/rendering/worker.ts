import type { Diagram } from '../../design/diagram/diagram.ts';
import { svgOf } from '../../design/diagram/svg.ts';
import { pngOf } from './png.ts';

export interface PictureTask {
  readonly diagram: Diagram;
  readonly format: PictureFormat;
  /** Use the grid layout, which is always fast, instead of the layered one. */
  readonly asGrid: boolean;
}

export type PictureFormat = 'svg' | 'png';

/** Draws in a thread: layout and rasterising take up to seconds, which would block the server's main thread. */
export async function run({ diagram, format, asGrid }: PictureTask): Promise<Uint8Array> {
  const picture = svgOf(diagram, asGrid);
  return format === 'svg' ? new TextEncoder().encode(picture.svg) : pngOf(picture.svg, picture);
}
