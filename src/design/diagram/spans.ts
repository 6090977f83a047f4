import type { Arrow, Diagram } from './diagram.ts';

/**
 * How many layers the arrows of a diagram span together, if each shape lies in a layer below those that lead to it. The
 * time of the layered layout is proportional to this number (`docs/measurements/drawings.md`).
 */
export function spannedLayers({ shapes, arrows }: Diagram): number {
  const places = placesOf(shapes.length, arrows);
  const placeOf = (shape: number) => places[shape] ?? 0;
  const downward = arrows
    .filter(({ from, to }) => from !== to)
    .map(({ from, to }) =>
      placeOf(from) < placeOf(to) ? { upper: from, lower: to } : { upper: to, lower: from },
    )
    .toSorted((one, other) => placeOf(one.upper) - placeOf(other.upper));
  const layers = shapes.map(() => 0);
  const layerOf = (shape: number) => layers[shape] ?? 0;
  // All arrows to a shape come before those that leave it.
  for (const { upper, lower } of downward) layers[lower] = Math.max(layerOf(lower), layerOf(upper) + 1);
  return downward.reduce((sum, { upper, lower }) => sum + layerOf(lower) - layerOf(upper), 0);
}

/** The place of each shape in an order in which arrows lead onward, apart from those that close a circle. */
function placesOf(count: number, arrows: readonly Arrow[]): number[] {
  const onward: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of arrows) onward[from]?.push(to);
  const places: number[] = [];
  const visited = new Set<number>();
  let place = count;
  const visit = (shape: number) => {
    if (visited.has(shape)) return;
    visited.add(shape);
    for (const next of onward[shape] ?? []) visit(next);
    places[shape] = --place;
  };
  for (let shape = 0; shape < count; shape++) visit(shape);
  return places;
}
