import { escaped, round } from '../../src/design/diagram/elements.ts';

/** A point of a line, and the mark above it that a whisker reaches. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly high?: number;
  /** Not on the line: drawn hollow. */
  readonly isAside?: boolean;
}

export interface Line {
  readonly name: string;
  readonly marks: readonly Mark[];
}

/** One chart, with logarithmic axes. */
export interface Panel {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly lines: readonly Line[];
}

const [width, height] = [470, 340];
const edges = { left: 62, right: 22, bottom: 46 };
const columns = 2;
const legendLine = 17;
const legendTop = 46;
/** Pixels between the marks of two lines at the same place. */
const aside = 7;

/** Okabe and Ito's colours, which colour-blind readers can tell apart; lighter ones on a dark page. */
const colours = [
  ['#0072b2', '#56b4e9'],
  ['#c24d00', '#ff9f57'],
  ['#007f5c', '#3fd6aa'],
  ['#a1448a', '#ea9ad6'],
] as const;

const styles = [
  `text{font-family:'DejaVu Sans',Verdana,sans-serif;font-size:12px;fill:#1f2933}`,
  '.t{font-size:14px;font-weight:bold}.end{text-anchor:end}.middle{text-anchor:middle}',
  '.ground{fill:#fff}.grid{stroke:#dde2e7}.frame{fill:none;stroke:#8b949e}',
  'path{fill:none;stroke-width:2}.whisker{stroke-width:1.2}.mark{stroke-width:2}',
  ...colours.map(([light], n) => `.c${n}{stroke:${light}}.f${n}{fill:${light}}`),
  '.hollow{fill:#fff}',
  `@media (prefers-color-scheme:dark){text{fill:#e6edf3}.ground,.hollow{fill:#0d1117}.grid{stroke:#2b323b}${colours
    .map(([, dark], n) => `.c${n}{stroke:${dark}}.f${n}{fill:${dark}}`)
    .join('')}}`,
];

/** Draws the panels as one SVG, which follows the reader's light or dark page. */
export function chartOf(panels: readonly Panel[]): string {
  const rows = Math.ceil(panels.length / columns);
  const size = [columns * width, rows * height] as const;
  const drawn = panels.map((panel, n) => {
    const place = `${(n % columns) * width} ${Math.floor(n / columns) * height}`;
    return `<g transform="translate(${place})">${panelSvg(panel)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}" viewBox="0 0 ${size[0]} ${size[1]}">`,
    '<title>Cost of calls by the number of rows, and throughput by the number of replicas</title>',
    `<style>${styles.join('\n')}</style>`,
    '<rect class="ground" width="100%" height="100%"/>',
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

/** A logarithmic axis. */
interface Axis {
  /** The ends of the axis. */
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  /** The place of a value, in pixels. */
  at(value: number): number;
}

function panelSvg({ title, x, y, lines }: Panel): string {
  const marks = lines.flatMap((line) => line.marks);
  const top = legendTop + lines.length * legendLine;
  const [left, right, bottom] = [edges.left, width - edges.right, height - edges.bottom];
  const inset = 18;
  const across = xAxis(
    marks.map((mark) => mark.x),
    left + inset,
    right - inset,
  );
  const up = yAxis(
    marks.flatMap((mark) => [mark.y, mark.high ?? mark.y]),
    bottom,
    top,
  );
  return [
    `<text class="t" x="${left}" y="24">${escaped(title)}</text>`,
    ...lines.map(({ name }, n) => legendSvg(name, n, left + 8, legendTop + n * legendLine)),
    ...up.ticks.map((tick) => {
      const place = round(up.at(tick));
      const grid = `<line class="grid" x1="${left}" x2="${right}" y1="${place}" y2="${place}"/>`;
      return `${grid}<text class="end" x="${left - 6}" y="${place + 4}">${short(tick)}</text>`;
    }),
    ...across.ticks.map((tick) => {
      const place = round(across.at(tick));
      const grid = `<line class="grid" x1="${place}" x2="${place}" y1="${top}" y2="${bottom}"/>`;
      return `${grid}<text class="middle" x="${place}" y="${bottom + 17}">${short(tick)}</text>`;
    }),
    `<rect class="frame" x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/>`,
    `<text class="middle" x="${(left + right) / 2}" y="${bottom + 36}">${escaped(x)}</text>`,
    `<text class="middle" transform="translate(16 ${(top + bottom) / 2}) rotate(-90)">${escaped(y)}</text>`,
    ...lines.map((line, n) => lineSvg(line, n, (n - (lines.length - 1) / 2) * aside, across, up)),
  ].join('\n');
}

function lineSvg({ name, marks }: Line, n: number, shift: number, across: Axis, up: Axis): string {
  const placed = marks.map((mark) => ({
    ...mark,
    left: round(across.at(mark.x) + shift),
    top: round(up.at(mark.y)),
  }));
  const path = placed.filter(({ isAside }) => !isAside).map(({ left, top }) => `${left} ${top}`);
  const whiskers = placed.flatMap(({ left, top, high }) => {
    if (high === undefined) return [];
    const end = round(up.at(high));
    return [`<path class="whisker c${n}" d="M${left} ${top}V${end}M${left - 3} ${end}h6"/>`];
  });
  const shapes = placed.map(({ left, top, isAside }) => markSvg(n, left, top, isAside));
  const title = `<title>${escaped(name)}</title>`;
  return `<g>${title}${whiskers.join('')}<path class="c${n}" d="M${path.join('L')}"/>${shapes.join('')}</g>`;
}

/** A shape of its own for each line, because not every reader tells the colours apart. */
function markSvg(n: number, x: number, y: number, isAside = false): string {
  const look = `class="mark c${n} ${isAside ? 'hollow' : `f${n}`}"`;
  const corners = [
    `${x - 4},${y - 4} ${x + 4},${y - 4} ${x + 4},${y + 4} ${x - 4},${y + 4}`,
    `${x},${y - 5} ${x + 5},${y + 4} ${x - 5},${y + 4}`,
    `${x},${y - 5.5} ${x + 5.5},${y} ${x},${y + 5.5} ${x - 5.5},${y}`,
  ][n - 1];
  if (corners === undefined) return `<circle ${look} cx="${x}" cy="${y}" r="4"/>`;
  return `<polygon ${look} points="${corners}"/>`;
}

function legendSvg(name: string, n: number, x: number, y: number): string {
  return `${markSvg(n, x, y - 4)}<text x="${x + 12}" y="${y}">${escaped(name)}</text>`;
}

function xAxis(values: readonly number[], left: number, right: number): Axis {
  const ticks = [...new Set(values)].toSorted((a, b) => a - b);
  return axis(ticks[0] ?? 1, ticks.at(-1) ?? 1, ticks, left, right);
}

/** From one decade to another, so that a flat line looks flat however little the values differ. */
function yAxis(values: readonly number[], bottom: number, top: number): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const ends = [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high * 1.001))] as const;
  const decades = Math.round(Math.log10(ends[1] / ends[0]));
  const ticks = Array.from({ length: decades + 1 }, (_, power) =>
    Number((ends[0] * 10 ** power).toPrecision(3)),
  );
  return axis(...ends, ticks, bottom, top);
}

function axis(from: number, to: number, ticks: readonly number[], start: number, end: number): Axis {
  const length = Math.log(to / from);
  const at = (value: number) =>
    length === 0 ? (start + end) / 2 : start + ((end - start) * Math.log(value / from)) / length;
  return { from, to, ticks, at };
}

function short(value: number): string {
  if (value >= 1_000_000) return `${value / 1_000_000}M`;
  return value >= 1_000 ? `${value / 1_000}k` : String(value);
}
