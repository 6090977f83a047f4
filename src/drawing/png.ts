import { readFile } from 'node:fs/promises';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { files } from './files.ts';

/** Of the longer side, in pixels: more than hosts show. */
const longestSide = 4000;
const mostPixels = 5_000_000;
/** Hosts refuse larger images. */
const mostBytes = 1_000_000;
/** For screens whose pixels are small. */
const largestScale = 2;

let fonts: Promise<Uint8Array[]> | undefined;

/** An SVG as PNG, drawn as large as the bounds allow; what it is scaled down by is no error. */
export async function pngOf(
  svg: string,
  { width, height }: { width: number; height: number },
): Promise<Uint8Array> {
  fonts ??= load();
  const fontBuffers = await fonts;
  const pixels = Math.sqrt(mostPixels / (width * height));
  let scale = Math.min(largestScale, longestSide / Math.max(width, height), pixels);
  for (;;) {
    const png = rendered(svg, scale, fontBuffers);
    if (png.length <= mostBytes) return png;
    scale *= Math.min(0.9, Math.sqrt(mostBytes / png.length));
  }
}

async function load(): Promise<Uint8Array[]> {
  const read = (file: string) => readFile(new URL(file, import.meta.url));
  await initWasm(await read(files.renderer));
  return Promise.all(files.fonts.map(read));
}

function rendered(svg: string, scale: number, fontBuffers: Uint8Array[]): Uint8Array {
  const family = 'DejaVu Sans';
  const renderer = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: { fontBuffers, defaultFontFamily: family, sansSerifFamily: family },
  });
  const image = renderer.render();
  const png = image.asPng();
  // What WebAssembly holds no collector frees.
  image.free();
  renderer.free();
  return png;
}
