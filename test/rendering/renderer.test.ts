import { afterEach, expect, test } from 'vitest';
import { diagramOf } from '../../src/design/diagram/compare.ts';
import type { Diagram } from '../../src/design/diagram/diagram.ts';
import { openRenderer, type Renderer, type RenderLimits } from '../../src/rendering/renderer.ts';
import { rawDesign } from '../designs/real-designs.ts';

const small = diagramOf(rawDesign('minimal'));
const { signal } = new AbortController();
const open: Renderer[] = [];
afterEach(async () => {
  for (const renderer of open.splice(0)) await renderer.close();
});

function rendererWith(limits?: RenderLimits): Renderer {
  const renderer = openRenderer(limits);
  open.push(renderer);
  return renderer;
}

/** A diagram of `count` steps, each with an arrow to another one. */
function manyShapes(count: number): Diagram {
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

test('renders two pictures that are requested at once, one after the other', async () => {
  const { render } = rendererWith();
  const [svg, png] = await Promise.all([render(small, 'svg', signal), render(small, 'png', signal)]);
  expect(Buffer.from(svg).toString()).toMatch(/^<svg /);
  expect(Buffer.from(png).subarray(1, 4).toString()).toBe('PNG');
});

test('throws payload_too_large for a diagram that takes too long, and other renderers go on', async () => {
  const { render } = rendererWith({ queueLength: 8, timeout: 1 });
  await expect(render(manyShapes(390), 'svg', signal)).rejects.toMatchObject({ code: 'payload_too_large' });
  const other = rendererWith();
  expect(await other.render(small, 'svg', signal)).toBeInstanceOf(Uint8Array);
});

test('throws payload_too_large for a PNG of more than 1,500 shapes', async () => {
  const { render } = rendererWith();
  await expect(render(manyShapes(1501), 'png', signal)).rejects.toMatchObject({
    code: 'payload_too_large',
    message: 'A PNG holds at most 1500 steps and hook nodes; this design has 1501.',
  });
});

test('throws internal_error with a Retry-After while the queue is full', async () => {
  const { render } = rendererWith({ queueLength: 1, timeout: 10_000 });
  const first = render(small, 'svg', signal);
  await expect(render(small, 'svg', signal)).rejects.toMatchObject({ code: 'internal_error', retryAfter: 5 });
  await first;
  expect(await render(small, 'svg', signal)).toBeInstanceOf(Uint8Array);
});

test('stops the work for an aborted request, and renders the next picture', async () => {
  const { render } = rendererWith();
  const caller = new AbortController();
  const aborted = render(manyShapes(390), 'svg', caller.signal);
  const next = render(small, 'svg', signal);
  caller.abort();
  await expect(aborted).rejects.toThrow(/abort/i);
  expect(await next).toBeInstanceOf(Uint8Array);
});

test('rejects if rendering fails, and renders the next picture', async () => {
  const { render } = rendererWith();
  const broken = { shapes: small.shapes, isComparison: false } as unknown as Diagram;
  await expect(render(broken, 'svg', signal)).rejects.toThrow(/undefined/);
  expect(await render(small, 'svg', signal)).toBeInstanceOf(Uint8Array);
});
