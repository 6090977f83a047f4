import * as dagre from '@dagrejs/dagre';
import type { Boxes } from './boxes.ts';
import type { Drawing } from './drawing.ts';
import { gridOf } from './grid.ts';

/** What is used of dagre: its own types name their files in a way that Node.js's modules do not know. */
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

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where everything stands, in pixels: shapes and labels by their middle, in the order of the drawing. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Point[];
  readonly arrows: readonly { readonly points: readonly Point[]; readonly label: Point }[];
}

/** Beyond these the time that layers take grows to many seconds; shapes then stand in rows. */
const mostShapes = 400;
const mostArrows = 700;
/** How wide a picture is for its height, at best. */
const bestShape = 1.4;

/** Places a drawing: in layers along the call, or in a grid where it is too large for that. */
export function layoutOf(drawing: Drawing, boxes: Boxes): Layout {
  if (drawing.shapes.length > mostShapes || drawing.arrows.length > mostArrows) return gridOf(drawing, boxes);
  const down = layersOf(drawing, boxes, 'TB');
  if (down.width / down.height <= 2 * bestShape) return down;
  const across = layersOf(drawing, boxes, 'LR');
  return distance(across) < distance(down) ? across : down;
}

/** How far a picture is from the best shape. */
function distance({ width, height }: Layout): number {
  return Math.abs(Math.log(width / height / bestShape));
}

function layersOf({ shapes, arrows }: Drawing, boxes: Boxes, rankdir: 'TB' | 'LR'): Layout {
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

/** Only an arrow with a label has a place of its own. */
function pointOf({ x = 0, y = 0 }: Partial<Point>): Point {
  return { x, y };
}
