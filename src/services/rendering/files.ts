import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { resolve } = createRequire(import.meta.url);
const packaged = (file: string) => pathToFileURL(resolve(file)).href;

/** The files that rendering loads at run time. The build replaces them with copies next to the bundle. */
export const files = {
  worker: new URL('worker.ts', import.meta.url).href,
  wasm: packaged('@resvg/resvg-wasm/index_bg.wasm'),
  fonts: [
    packaged('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
    packaged('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  ],
};
