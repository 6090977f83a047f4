import type { Box, Boxes } from './boxes.ts';
import type { Diagram } from './diagram.ts';
import type { Layout, Point } from './geometry.ts';

const [gapAcross, gapDown] = [70, 60];

/** Lays out a diagram in rows, in the order in which a call can reach the shapes. Arrows are straight. */
export function gridOf({ shapes, arrows }: Diagram, boxes: Boxes): Layout {
  const cell = {
    width: Math.max(...boxes.shapes.map(({ width }) => width)) + gapAcross,
    height: Math.max(...boxes.shapes.map(({ height }) => height)) + gapDown,
  };
  const columns = Math.ceil(Math.sqrt((1.4 * shapes.length * cell.height) / cell.width));
  const places: Point[] = [];
  for (const [index, shape] of [...inOrder(shapes.length, arrows)].entries())
    places[shape] = {
      x: ((index % columns) + 0.5) * cell.width,
      y: (Math.floor(index / columns) + 0.5) * cell.height,
    };
  return {
    width: columns * cell.width,
    height: Math.ceil(shapes.length / columns) * cell.height,
    shapes: places,
    arrows: arrows.map(({ from, to }) => {
      const [start = origin, end = origin] = [places[from], places[to]];
      const [fromBox = none, toBox = none] = [boxes.shapes[from], boxes.shapes[to]];
      const points =
        from === to ? loopAt(start, fromBox) : [edgeOf(start, fromBox, end), edgeOf(end, toBox, start)];
      const [first = start, last = end] = [points[0], points.at(-1)];
      return { points, label: { x: (2 * first.x + last.x) / 3, y: (2 * first.y + last.y) / 3 } };
    }),
  };
}

const origin: Point = { x: 0, y: 0 };
const none: Box = { title: '', detail: '', notes: [], width: 0, height: 0 };

/** Indexes of shapes, breadth first: from the first shape, then from each that is not reached yet. */
function inOrder(count: number, arrows: Diagram['arrows']): Set<number> {
  const onward: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of arrows) onward[from]?.push(to);
  const order = new Set<number>();
  for (let start = 0; start < count; start++) {
    if (order.has(start)) continue;
    // Iterating a set also visits what is added during the iteration.
    const reached = new Set([start]);
    for (const at of reached) {
      order.add(at);
      for (const next of onward[at] ?? []) if (!order.has(next)) reached.add(next);
    }
  }
  return order;
}

/** Where the line from the centre of a box to a point crosses the edge of the box. */
function edgeOf(middle: Point, { width, height }: Box, to: Point): Point {
  const [x, y] = [to.x - middle.x, to.y - middle.y];
  const part = Math.min(width / 2 / Math.abs(x || 1e-9), height / 2 / Math.abs(y || 1e-9), 1);
  return { x: middle.x + x * part, y: middle.y + y * part };
}

function loopAt({ x, y }: Point, { width, height }: Box): Point[] {
  const right = x + width / 2;
  return [
    { x: right, y: y - height / 4 },
    { x: right + gapAcross / 2, y },
    { x: right, y: y + height / 4 },
  ];
}
