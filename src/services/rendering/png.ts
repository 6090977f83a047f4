import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { files } from './files.ts';
import { encodePng, type Size } from './png-file.ts';

/** Pixels on the longer side; MCP hosts show no more. */
const maximumSide = 4000;
const maximumPixels = 5_000_000;
/** MCP hosts reject larger images. */
const maximumBytes = 1_000_000;
/** Two pixels per unit of the SVG, for high-density screens. */
const maximumScale = 2;
/** The bytes of a crowded picture grow by about the power 1.2 of its side. A smaller exponent renders it more often. */
const sideOfBytes = 0.85;
/** Pixels rendered at once. resvg holds two copies of them in WebAssembly memory, which never shrinks. */
const bandPixels = 1_000_000;
/**
 * V8's `--wasm-tiering-budget`, at most and by default. With the default, V8 optimizes a function of 128 KB in the first
 * picture, which takes 60 MiB and more time than it ever saves. With the most, it optimizes only the functions that draw.
 */
const [largestBudget, usualBudget] = [2_147_483_647, 13_000_000];

let fonts: Promise<Uint8Array[]> | undefined;

/** Renders an SVG as PNG at the largest scale that fits all bounds. A large SVG is scaled down, never rejected. */
export async function pngOf(svg: string, { width, height }: Size): Promise<Uint8Array> {
  fonts ??= load();
  const fontBuffers = await fonts;
  const pixels = Math.sqrt(maximumPixels / (width * height));
  let scale = Math.min(maximumScale, maximumSide / Math.max(width, height), pixels);
  for (;;) {
    const png = await rendered(svg, { width, height }, scale, fontBuffers);
    if (png.length <= maximumBytes) return png;
    scale *= 0.98 * (maximumBytes / png.length) ** sideOfBytes;
  }
}

async function load(): Promise<Uint8Array[]> {
  const read = (file: string) => readFile(new URL(file, import.meta.url));
  const wasm = await read(files.wasm);
  // A module takes its budget when it is compiled.
  setFlagsFromString(`--wasm-tiering-budget=${largestBudget}`);
  await initWasm(wasm);
  setFlagsFromString(`--wasm-tiering-budget=${usualBudget}`);
  return Promise.all(files.fonts.map(read));
}

async function rendered(
  svg: string,
  { width, height }: Size,
  scale: number,
  fontBuffers: Uint8Array[],
): Promise<Uint8Array> {
  // With whole pixels in a row, resvg has nothing to round.
  const rowPixels = Math.max(1, Math.floor(width * scale));
  const zoom = rowPixels / width;
  const pixels = { width: rowPixels, height: Math.max(1, Math.floor(height * zoom)) };
  const family = 'DejaVu Sans';
  const resvg = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: zoom },
    font: { fontBuffers, defaultFontFamily: family, sansSerifFamily: family },
  });
  const png = await encodePng(pixels, bandsOf(resvg, pixels, zoom));
  // The garbage collector does not free WebAssembly memory.
  resvg.free();
  return png;
}

/** Renders the pixels of a picture from top to bottom, as many rows at once as `bandPixels` allows. */
function* bandsOf(resvg: InstanceType<typeof Resvg>, pixels: Size, zoom: number): Generator<Uint8Array> {
  const box = resvg.getBBox();
  if (!box) throw new Error('the drawing is empty');
  const most = Math.max(1, Math.floor(bandPixels / pixels.width));
  for (let top = 0; top < pixels.height; top += most) {
    const rows = Math.min(most, pixels.height - top);
    Object.assign(box, { x: 0, y: top / zoom, width: pixels.width / zoom, height: rows / zoom });
    resvg.cropByBBox(box);
    const image = resvg.render();
    yield image.pixels;
    image.free();
  }
  box.free();
}
