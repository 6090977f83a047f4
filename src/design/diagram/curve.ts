import { pair } from './elements.ts';
import type { Point } from './geometry.ts';

const roundness = 30;

/** An SVG path through points. The corners are rounded so little that the line still passes its label. */
export function curveOf(points: readonly Point[]): string {
  const [first, ...more] = points;
  const last = more.pop();
  if (!first || !last) return '';
  const corners = more.map((corner, index) => {
    const before = towards(corner, more[index - 1] ?? first);
    const after = towards(corner, more[index + 1] ?? last);
    return `L${pair(before)}Q${pair(corner)} ${pair(after)}`;
  });
  return `M${pair(first)}${corners.join('')}L${pair(last)}`;
}

/** Where the rounding of a corner starts, on the way to another point. */
function towards(from: Point, to: Point): Point {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const part = Math.min(roundness / (distance || 1), 0.5);
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}
