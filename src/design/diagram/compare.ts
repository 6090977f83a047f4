import { jsonPointer } from '../../platform/errors.ts';
import { changesBetween } from '../changes.ts';
import type { Design } from '../schema/design.ts';
import { arrowsOf, type MarkedWay } from './arrows.ts';
import type { Diagram, Mark, Shape } from './diagram.ts';
import { type DesignGraph, graphOf, type PlainShape, type Way } from './graph.ts';

/**
 * The diagram of a design. If `against` is given, the diagram marks everything that differs from that version, and also
 * contains what was removed since.
 */
export function diagramOf(design: Design, against?: Design): Diagram {
  const graph = graphOf(design);
  const old = against && graphOf(against);
  const changes = new Map(
    against
      ? changesBetween(against, design, Number.POSITIVE_INFINITY).map(({ path, change }) => [path, change])
      : [],
  );
  const shapes: Shape[] = [];
  const index = new Map<string, number>();
  const add = (key: string, shape: PlainShape, mark: Mark | undefined) =>
    index.set(key, shapes.push(marked(shape, mark)) - 1);
  for (const [key, shape] of graph.shapes) add(key, shape, changes.get(placeOf(shape)));
  for (const [key, shape] of old?.shapes ?? []) if (!index.has(key)) add(key, shape, 'removed');
  return { shapes, arrows: arrowsOf(waysOf(graph, old), index), isComparison: against !== undefined };
}

/** JSON pointer to a shape's part of the design; empty for points of the call. */
function placeOf({ at, id }: PlainShape): string {
  if (at === 'call') return '';
  return jsonPointer(at === 'step' ? ['steps', id] : ['hooks', at, 'nodes', id]);
}

function marked(shape: PlainShape, mark: Mark | undefined): Shape {
  const detail = mark === undefined ? shape.detail : [mark, shape.detail].filter(Boolean).join(' · ');
  return { ...shape, detail, mark, notes: [] };
}

/** The ways of both versions. */
function waysOf({ ways }: DesignGraph, old: DesignGraph | undefined): MarkedWay[] {
  const now = new Set(ways.map(textOf));
  const before = new Set(old?.ways.map(textOf));
  const kept = ways.map((way) => ({
    ...way,
    mark: old === undefined || before.has(textOf(way)) ? undefined : ('added' as const),
  }));
  const removed = (old?.ways ?? []).filter((way) => !now.has(textOf(way)));
  return [...kept, ...removed.map((way) => ({ ...way, mark: 'removed' as const }))];
}

function textOf({ from, to, label, when, isAside }: Way): string {
  return JSON.stringify([from, to, label, when, isAside]);
}
