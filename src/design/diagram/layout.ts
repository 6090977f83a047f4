import * as dagre from '@dagrejs/dagre';
import type { Boxes } from './boxes.ts';
import type { Diagram } from './diagram.ts';
import type { Layout, Point } from './geometry.ts';
import { gridOf } from './grid.ts';
import { spannedLayers } from './spans.ts';

/** The part of dagre that is used. Its own types do not resolve under `module: nodenext`. */
interface LayeredGraph {
  setGraph(options: Readonly<Record<string, unknown>>): void;
  graph(): Size;
  setNode(name: string, size: Size): void;
  node(name: string): Point;
  setEdge(from: string, to: string, label: Size & { labelpos: 'c' }, name: string): void;
  edge(from: string, to: string, name: string): Partial<Point> & { points: Point[] };
}

interface Size {
  width: number;
  height: number;
}

const { Graph, layout } = dagre as unknown as {
  readonly Graph: new (options: { multigraph: true }) => LayeredGraph;
  readonly layout: (graph: LayeredGraph) => void;
};

/** The layered layout and `spannedLayers` call themselves once for each shape of a chain. */
const maximumShapes = 400;
const maximumArrows = 700;
/** At 0.15 to 0.35 ms each, these take up to 1.7 s of processor time. 100 steps with three random exits have as many. */
const maximumSpans = 5_000;
/** The preferred width of a picture, divided by its height. */
const bestRatio = 1.4;

/** Lays out a diagram: in layers along the call, or in a grid if it is too large for layers. */
export function layoutOf(diagram: Diagram, boxes: Boxes): Layout {
  if (!isFastInLayers(diagram)) return gridOf(diagram, boxes);
  const down = layersOf(diagram, boxes, 'TB');
  if (down.width / down.height <= 2 * bestRatio) return down;
  const across = layersOf(diagram, boxes, 'LR');
  return distance(across) < distance(down) ? across : down;
}

function isFastInLayers(diagram: Diagram): boolean {
  const { shapes, arrows } = diagram;
  return (
    shapes.length <= maximumShapes && arrows.length <= maximumArrows && spannedLayers(diagram) <= maximumSpans
  );
}

/** How far a picture is from the preferred ratio. */
function distance({ width, height }: Layout): number {
  return Math.abs(Math.log(width / height / bestRatio));
}

function layersOf({ shapes, arrows }: Diagram, boxes: Boxes, rankdir: 'TB' | 'LR'): Layout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir, nodesep: 22, edgesep: 14, ranksep: 34, ranker: 'tight-tree' });
  for (const [index, { width, height }] of boxes.shapes.entries())
    graph.setNode(String(index), { width, height });
  for (const [index, { from, to }] of arrows.entries()) {
    const { width = 0, height = 0 } = boxes.labels[index] ?? {};
    graph.setEdge(String(from), String(to), { width, height, labelpos: 'c' }, String(index));
  }
  layout(graph);
  const { width, height } = graph.graph();
  return {
    width,
    height,
    shapes: shapes.map((_, index) => pointOf(graph.node(String(index)))),
    arrows: arrows.map(({ from, to }, index) => {
      const edge = graph.edge(String(from), String(to), String(index));
      return { points: edge.points.map(pointOf), label: pointOf(edge) };
    }),
  };
}

/** dagre gives an edge a position only if it has a label. */
function pointOf({ x = 0, y = 0 }: Partial<Point>): Point {
  return { x, y };
}
