import { afterEach, expect, test } from 'vitest';
import { drawingOf } from '../../src/design/drawing/compare.ts';
import type { Drawing } from '../../src/design/drawing/drawing.ts';
import { type Drawer, type DrawingLimits, openDrawer } from '../../src/drawing/drawer.ts';
import { rawDesign } from '../designs/real-designs.ts';

const small = drawingOf(rawDesign('minimal'));
const { signal } = new AbortController();
const open: Drawer[] = [];
afterEach(async () => {
  for (const drawer of open.splice(0)) await drawer.close();
});

function drawerWith(limits?: DrawingLimits): Drawer {
  const drawer = openDrawer(limits);
  open.push(drawer);
  return drawer;
}

/** A drawing of many steps, each with an arrow to another. */
function manyShapes(count: number): Drawing {
  const [shape] = small.shapes;
  if (!shape) throw new Error('no shape');
  const shapes = Array.from({ length: count }, (_, index) => ({ ...shape, id: `s${index}` }));
  const arrows = shapes.map((_, from) => ({
    from,
    to: (from * 7 + 1) % count,
    labels: [],
    isAside: false,
    mark: undefined,
  }));
  return { shapes, arrows, isComparison: false };
}

test('draws what is asked for at once, one after another', async () => {
  const { draw } = drawerWith();
  const [svg, png] = await Promise.all([draw(small, 'svg', signal), draw(small, 'png', signal)]);
  expect(Buffer.from(svg).toString()).toMatch(/^<svg /);
  expect(Buffer.from(png).subarray(1, 4).toString()).toBe('PNG');
});

test('a design that takes too long is refused, and the next one is drawn', async () => {
  const { draw } = drawerWith({ pictures: 8, patience: 1 });
  await expect(draw(manyShapes(390), 'svg', signal)).rejects.toMatchObject({ code: 'payload_too_large' });
  const patient = drawerWith();
  expect(await patient.draw(small, 'svg', signal)).toBeInstanceOf(Uint8Array);
});

test('a PNG has an end to its room', async () => {
  const { draw } = drawerWith();
  await expect(draw(manyShapes(1501), 'png', signal)).rejects.toMatchObject({
    code: 'payload_too_large',
    message: 'A PNG has room for 1500 steps and hook nodes, not for 1501.',
  });
});

test('who comes while too many wait is told to come later', async () => {
  const { draw } = drawerWith({ pictures: 1, patience: 10_000 });
  const first = draw(small, 'svg', signal);
  await expect(draw(small, 'svg', signal)).rejects.toMatchObject({ code: 'internal_error', retryAfter: 5 });
  await first;
  expect(await draw(small, 'svg', signal)).toBeInstanceOf(Uint8Array);
});

test('who leaves stops the work, and the next picture is drawn all the same', async () => {
  const { draw } = drawerWith();
  const leaving = new AbortController();
  const left = draw(manyShapes(390), 'svg', leaving.signal);
  const next = draw(small, 'svg', signal);
  leaving.abort();
  await expect(left).rejects.toThrow(/abort/i);
  expect(await next).toBeInstanceOf(Uint8Array);
});

test('a picture that cannot be drawn is our failure, and the next one is drawn', async () => {
  const { draw } = drawerWith();
  const broken = { shapes: small.shapes, isComparison: false } as unknown as Drawing;
  await expect(draw(broken, 'svg', signal)).rejects.toThrow(/undefined/);
  expect(await draw(small, 'svg', signal)).toBeInstanceOf(Uint8Array);
});
