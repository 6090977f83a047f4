import type { Arrow, Mark } from './diagram.ts';
import type { Way } from './graph.ts';

export type MarkedWay = Way & { readonly mark: Mark | undefined };

/** Ways between the same two shapes with the same mark become one arrow. `index` holds the places of the shapes by key. */
export function arrowsOf(ways: readonly MarkedWay[], index: ReadonlyMap<string, number>): Arrow[] {
  const arrows = new Map<string, Arrow & { labels: string[] }>();
  for (const { label, when, isAside, mark, ...way } of ways) {
    const key = JSON.stringify([way.from, way.to, isAside, mark]);
    const [from, to] = [index.get(way.from), index.get(way.to)];
    if (from === undefined || to === undefined) continue;
    const arrow = arrows.get(key) ?? { from, to, labels: [], isAside, mark };
    if (label !== '') arrow.labels.push(when === '' ? label : `${label}: ${when}`);
    arrows.set(key, arrow);
  }
  return [...arrows.values()];
}
