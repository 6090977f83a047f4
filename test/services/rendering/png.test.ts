import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { Resvg } from '@resvg/resvg-wasm';
import { expect, test } from 'vitest';
import { diagramOf } from '../../../src/design/diagram/compare.ts';
import { svgOf } from '../../../src/design/diagram/svg.ts';
import { files } from '../../../src/services/rendering/files.ts';
import { pngOf } from '../../../src/services/rendering/png.ts';
import { rawDesign } from '../../designs/real-designs.ts';

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** The pixels of a PNG whose rows are not filtered, and whose only IDAT comes second. */
function decoded(png: Buffer): Picture {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const data = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  const rowBytes = width * 4;
  const rows = Array.from({ length: height }, (_, row) =>
    data.subarray(row * (rowBytes + 1) + 1, (row + 1) * (rowBytes + 1)),
  );
  return { width, height, pixels: Buffer.concat(rows) };
}

/** The same part of a drawing, rendered in one piece. */
async function inOnePiece(svg: string, zoom: number, { width, height }: Picture): Promise<Picture> {
  const fontBuffers = await Promise.all(files.fonts.map((file) => readFile(new URL(file))));
  const family = 'DejaVu Sans';
  const resvg = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: zoom },
    font: { fontBuffers, defaultFontFamily: family, sansSerifFamily: family },
  });
  const box = resvg.getBBox();
  if (!box) throw new Error('no box');
  Object.assign(box, { x: 0, y: 0, width: width / zoom, height: height / zoom });
  resvg.cropByBBox(box);
  const image = resvg.render();
  return { width: image.width, height: image.height, pixels: image.pixels };
}

test.each(['clinic', 'bank-hotline', 'large-insurance'])('draws %s in bands without a seam', async (name) => {
  const picture = svgOf(diagramOf(rawDesign(name)));
  const drawn = decoded(Buffer.from(await pngOf(picture.svg, picture)));
  const whole = await inOnePiece(picture.svg, drawn.width / picture.width, drawn);
  expect([drawn.width, drawn.height]).toEqual([whole.width, whole.height]);
  const { length } = whole.pixels;
  let different = 0;
  for (let at = 0; at < length; at++)
    if (Math.abs((drawn.pixels[at] ?? 0) - (whole.pixels[at] ?? 0)) > 64) different++;
  // Edges may be smoothed a little differently. Bands that are out of place by a pixel change 0.7 % of the bytes.
  expect(different / length).toBeLessThan(0.001);
});
