import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { resolve } = createRequire(import.meta.url);
const packaged = (file: string) => pathToFileURL(resolve(file)).href;

/** Where the files are that drawing needs besides its code. The build puts its own beside the bundle. */
export const files = {
  worker: new URL('worker.ts', import.meta.url).href,
  renderer: packaged('@resvg/resvg-wasm/index_bg.wasm'),
  fonts: [
    packaged('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
    packaged('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  ],
};
