import { readFile } from 'node:fs/promises';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { files } from './files.ts';

/** Pixels on the longer side; MCP hosts show no more. */
const maximumSide = 4000;
const maximumPixels = 5_000_000;
/** MCP hosts reject larger images. */
const maximumBytes = 1_000_000;
/** Two pixels per unit of the SVG, for high-density screens. */
const maximumScale = 2;
/** The bytes of a crowded picture grow by about the power 1.2 of its side. A smaller exponent renders it more often. */
const sideOfBytes = 0.85;

let fonts: Promise<Uint8Array[]> | undefined;

/** Renders an SVG as PNG at the largest scale that fits all bounds. A large SVG is scaled down, never rejected. */
export async function pngOf(
  svg: string,
  { width, height }: { width: number; height: number },
): Promise<Uint8Array> {
  fonts ??= load();
  const fontBuffers = await fonts;
  const pixels = Math.sqrt(maximumPixels / (width * height));
  let scale = Math.min(maximumScale, maximumSide / Math.max(width, height), pixels);
  for (;;) {
    const png = rendered(svg, scale, fontBuffers);
    if (png.length <= maximumBytes) return png;
    scale *= 0.98 * (maximumBytes / png.length) ** sideOfBytes;
  }
}

async function load(): Promise<Uint8Array[]> {
  const read = (file: string) => readFile(new URL(file, import.meta.url));
  await initWasm(await read(files.wasm));
  return Promise.all(files.fonts.map(read));
}

function rendered(svg: string, scale: number, fontBuffers: Uint8Array[]): Uint8Array {
  const family = 'DejaVu Sans';
  const resvg = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: { fontBuffers, defaultFontFamily: family, sansSerifFamily: family },
  });
  const image = resvg.render();
  const png = image.asPng();
  // The garbage collector does not free WebAssembly memory.
  image.free();
  resvg.free();
  return png;
}
