import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { diagramOf } from '../../../src/design/diagram/compare.ts';
import type { Diagram } from '../../../src/design/diagram/diagram.ts';
import { svgOf } from '../../../src/design/diagram/svg.ts';
import { Threads, type ThreadsLimits } from '../../../src/platform/threads/threads.ts';
import {
  type RenderDiagram,
  type RenderLimits,
  rendererIn,
} from '../../../src/services/rendering/renderer.ts';
import { rawDesign } from '../../designs/real-designs.ts';

const small = diagramOf(rawDesign('minimal'));
const { signal } = new AbortController();

/** A renderer with threads of its own, which are closed after the test. */
function rendererWith(limits?: Partial<RenderLimits>, threadsLimits?: Partial<ThreadsLimits>): RenderDiagram {
  const threads = new Threads(threadsLimits);
  onTestFinished(() => threads.close());
  return rendererIn(threads, limits);
}

/** A diagram of `count` steps, each with arrows to others. */
function manyShapes(count: number, arrowsOfEach = 1): Diagram {
  const [shape] = small.shapes;
  if (!shape) throw new Error('no shape');
  const shapes = Array.from({ length: count }, (_, index) => ({ ...shape, id: `s${index}` }));
  const arrows = shapes.flatMap((_, from) =>
    Array.from({ length: arrowsOfEach }, (__, exit) => ({
      from,
      to: (from * 7 + exit * 3 + 1) % count,
      labels: [],
      isAside: false,
      mark: undefined,
    })),
  );
  return { shapes, arrows, isComparison: false };
}

test('renders two pictures that are requested at once, one after the other', async () => {
  const render = rendererWith();
  const [svg, png] = await Promise.all([
    render('project', small, 'svg', signal),
    render('project', small, 'png', signal),
  ]);
  expect(Buffer.from(svg).toString()).toMatch(/^<svg /);
  expect(Buffer.from(png).subarray(1, 4).toString()).toBe('PNG');
});

test('no thread starts once the threads are closed, not even for a drawing that waits', async () => {
  const threads = new Threads();
  let started = 0;
  const count = () => void started++;
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  const [one, other] = [rendererIn(threads), rendererIn(threads)];
  const drawings = Promise.allSettled([
    one('project', manyShapes(390), 'svg', signal),
    other('project', small, 'svg', signal),
  ]);
  await expect.poll(() => started, { timeout: 10_000 }).toBe(1);
  await threads.close();
  expect((await drawings).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(one('project', small, 'svg', signal)).rejects.toThrow('the threads are closed');
  expect(started).toBe(1);
});

test('throws payload_too_large for a diagram that takes too long, and other renderers go on', async () => {
  const render = rendererWith({ timeout: 1 });
  await expect(render('project', manyShapes(390), 'svg', signal)).rejects.toMatchObject({
    code: 'payload_too_large',
  });
  const other = rendererWith();
  expect(await other('project', small, 'svg', signal)).toBeInstanceOf(Uint8Array);
});

test.each([
  [1501, 1, 'A PNG holds at most 1500 steps and hook nodes; this design has 1501.'],
  [95, 55, 'A PNG holds at most 1500 arrows; this design has 5225.'],
])(
  'throws payload_too_large for a PNG of %i shapes with %i arrows each, and draws the SVG',
  async (count, arrows, message) => {
    const render = rendererWith();
    const diagram = manyShapes(count, arrows);
    await expect(render('project', diagram, 'png', signal)).rejects.toMatchObject({
      code: 'payload_too_large',
      message,
    });
    expect(await render('project', diagram, 'svg', signal)).toBeInstanceOf(Uint8Array);
  },
);

test('draws 100 steps of ordinary size in layers, and a design whose layers take long in a grid', () => {
  const isGrid = (diagram: Diagram) => svgOf(diagram).svg === svgOf(diagram, true).svg;
  expect(isGrid(manyShapes(100, 2))).toBe(false);
  expect(isGrid(diagramOf(rawDesign('large-insurance')))).toBe(false);
  expect(isGrid(diagramOf(rawDesign('limit')))).toBe(false);
  // Both are below the limits on shapes and arrows.
  expect(isGrid(manyShapes(95, 7))).toBe(true);
  expect(isGrid(manyShapes(340, 2))).toBe(true);
});

test('lets projects take turns, however many pictures one of them has queued', async () => {
  const render = rendererWith();
  const done: string[] = [];
  const draw = async (project: string) => {
    await render(project, small, 'svg', signal);
    done.push(project);
  };
  await Promise.all([draw('a'), draw('a'), draw('a'), draw('b'), draw('b'), draw('c')]);
  expect(done).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
});

test('throws rate_limited for a ninth picture of one project, and draws those of another', async () => {
  const render = rendererWith();
  const first = Array.from({ length: 8 }, () => render('project', small, 'svg', signal));
  await expect(render('project', small, 'svg', signal)).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'A project can have 8 pictures drawn at once. Wait until one of them is done.',
    details: { resource: 'drawings', limit: 8, retryAfter: 5 },
    retryAfter: 5,
  });
  expect(await render('other project', small, 'svg', signal)).toBeInstanceOf(Uint8Array);
  await Promise.all(first);
  expect(await render('project', small, 'svg', signal)).toBeInstanceOf(Uint8Array);
});

test('throws internal_error with a Retry-After while the queue of all projects is full', async () => {
  const render = rendererWith({ queueLength: 1 });
  const first = render('project', small, 'svg', signal);
  await expect(render('other project', small, 'svg', signal)).rejects.toMatchObject({
    code: 'internal_error',
    retryAfter: 5,
  });
  await first;
  expect(await render('other project', small, 'svg', signal)).toBeInstanceOf(Uint8Array);
});

test('stops the work for an aborted request, and renders the next picture', async () => {
  const render = rendererWith();
  const caller = new AbortController();
  const aborted = render('project', manyShapes(390), 'svg', caller.signal);
  const next = render('project', small, 'svg', signal);
  caller.abort();
  await expect(aborted).rejects.toThrow(/abort/i);
  expect(await next).toBeInstanceOf(Uint8Array);
});

test('rejects if rendering fails, and renders the next picture', async () => {
  const render = rendererWith();
  const broken = { shapes: small.shapes, isComparison: false } as unknown as Diagram;
  await expect(render('project', broken, 'svg', signal)).rejects.toThrow(/undefined/);
  expect(await render('project', small, 'svg', signal)).toBeInstanceOf(Uint8Array);
});

test('ends an idle thread, and starts another one for the next picture', async () => {
  const threads: Worker[] = [];
  const collect = (message: unknown) => void threads.push((message as { worker: Worker }).worker);
  subscribe('worker_threads', collect);
  try {
    const render = rendererWith({}, { idle: 1 });
    const first = await render('project', small, 'svg', signal);
    const [thread] = threads;
    // The thread may have ended already.
    if (thread && thread.threadId !== -1) await once(thread, 'exit');
    expect(await render('project', small, 'svg', signal)).toEqual(first);
    expect(threads).toHaveLength(2);
  } finally {
    unsubscribe('worker_threads', collect);
  }
});

test('draws the ninth PNG in another thread', async () => {
  let threads = 0;
  const count = () => void threads++;
  subscribe('worker_threads', count);
  try {
    const render = rendererWith();
    for (let drawn = 0; drawn < 8; drawn++) await render('project', small, 'png', signal);
    expect(threads).toBe(1);
    await render('project', small, 'png', signal);
    expect(threads).toBe(2);
  } finally {
    unsubscribe('worker_threads', count);
  }
});
