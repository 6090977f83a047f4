// Measures the processor time of drawings, from ordinary designs to the largest that fit into a request.
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { diagramOf } from '../../src/design/diagram/compare.ts';
import type { Diagram } from '../../src/design/diagram/diagram.ts';
import { spannedLayers } from '../../src/design/diagram/spans.ts';
import { svgOf } from '../../src/design/diagram/svg.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { pngOf } from '../../src/services/rendering/png.ts';
import { rawDesign } from '../designs/real-designs.ts';

/** Milliseconds of processor time that a drawing may take. */
const most = 4_000;
/** The limits of a PNG, as the renderer has them. */
const mostInPng = 1_500;

/** The step to which an exit of a step leads. */
type Leads = (step: number, exit: number, steps: number) => number;

const scattered: Leads = (step, exit, steps) => (step * 7 + exit * 3 + 1) % steps;
const near: Leads = (step, exit, steps) => (step + exit + 1) % steps;
const onwardAndToTheLast: Leads = (step, exit, steps) =>
  exit === 0 ? Math.min(step + 1, steps - 1) : steps - 1;

function routes(steps: number, exits: number, leads: Leads): Diagram {
  const step = (index: number) => ({
    kind: 'route',
    name: `Step number ${index}`,
    options: Array.from({ length: exits }, (_, exit) => ({
      id: `o${exit}`,
      target: `s${leads(index, exit, steps)}`,
    })),
  });
  const all = Object.fromEntries(Array.from({ length: steps }, (_, index) => [`s${index}`, step(index)]));
  return diagramOf({ schemaVersion: 'cd/1', entry: { stepId: 's0' }, steps: all } as unknown as Design);
}

const cases: readonly (readonly [name: string, diagram: Diagram])[] = [
  ...['bank-hotline', 'large-insurance', 'limit'].map((name) => [name, diagramOf(rawDesign(name))] as const),
  ...[
    [50, 5],
    [100, 2],
    [95, 3],
    [95, 5],
    [95, 15],
    [95, 55],
    [200, 2],
    [200, 3],
    [1400, 1],
  ].map(
    ([steps = 0, exits = 0]) => [`${steps} × ${exits}, scattered`, routes(steps, exits, scattered)] as const,
  ),
  ['100 × 4, near', routes(100, 4, near)],
  ['340 × 2, onward and to the last', routes(340, 2, onwardAndToTheLast)],
];

/** Milliseconds of processor time, of all threads, so that other load on the machine does not count. */
async function timed<Result>(work: () => Result | Promise<Result>): Promise<[Result, number]> {
  const began = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage();
  return [result, (user + system - began.user - began.system) / 1000];
}

const rows: string[] = [];
let longest = 0;
for (const [name, diagram] of cases) {
  const [picture, svgTime] = await timed(() => svgOf(diagram));
  const isGrid = picture.svg === svgOf(diagram, true).svg;
  const { length: shapes } = diagram.shapes;
  const { length: arrows } = diagram.arrows;
  const fits = shapes <= mostInPng && arrows <= mostInPng;
  const pngTime = fits ? (await timed(() => pngOf(picture.svg, picture)))[1] : undefined;
  longest = Math.max(longest, svgTime + (pngTime ?? 0));
  const spans = shapes <= 400 ? spannedLayers(diagram) : '';
  const cells = [
    name,
    shapes,
    arrows,
    spans,
    isGrid ? 'grid' : 'layers',
    svgTime.toFixed(0),
    pngTime?.toFixed(0) ?? '413',
  ];
  rows.push(`| ${cells.join(' | ')} |`);
}

const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
  encoding: 'utf8',
}).trim();
console.log(`${new Date().toISOString()}, commit ${commit}, ${os.cpus().length} cores, Node ${process.versions.node}. Steps × exits, in milliseconds of processor time.

| design | shapes | arrows | spans | layout | SVG | then PNG |
|---|---|---|---|---|---|---|
${rows.join('\n')}

The longest drawing takes ${longest.toFixed(0)} ms (limit ${most}).`);
if (longest > most) process.exitCode = 1;
