import {
  type Box,
  boxesOf,
  detailSize,
  heightOfWords,
  type LabelBox,
  labelLine,
  labelSize,
  titleSize,
} from './boxes.ts';
import { curveOf } from './curve.ts';
import type { Arrow, Diagram, Shape } from './diagram.ts';
import { escaped, rectSvg, round, textSvg } from './elements.ts';
import type { Layout, Point } from './geometry.ts';
import { gridOf } from './grid.ts';
import { layoutOf } from './layout.ts';
import { legendOf, margin } from './legend.ts';
import { arrowLine, arrowLook, entryLine, type LookName, labelText, lookOf, looks } from './look.ts';
import { lineOf } from './text.ts';

const legendHeight = 26;
/** The PNG renderer uses DejaVu Sans. Verdana has the same widths. */
const family = "'DejaVu Sans', Verdana, sans-serif";

export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/**
 * A diagram as SVG, without scripts and links. Text from the design is escaped. `asGrid` forces the grid layout.
 *
 * Pages find their way by attributes: `data-place` of a shape, and `data-from` and `data-to` of an arrow, hold what
 * `placeOf` returns. Nothing has a `style` attribute, which a Content-Security-Policy may refuse.
 */
export function svgOf(diagram: Diagram, asGrid = false): Picture {
  const boxes = boxesOf(diagram);
  const layout = asGrid ? gridOf(diagram, boxes) : layoutOf(diagram, boxes);
  const legend = legendOf(diagram);
  const width = Math.ceil(Math.max(layout.width, legend.width) + 2 * margin);
  const height = Math.ceil(layout.height + 2 * margin + (legend.svg === '' ? 0 : legendHeight));
  const top = height - margin - layout.height;
  const left = (width - layout.width) / 2;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${family}">`,
    `<style>${styles(diagram)}</style>`,
    `<defs>${markers(diagram)}</defs>`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    legend.svg,
    `<g transform="translate(${round(left)} ${round(top)})">`,
    ...diagram.arrows.map((arrow, index) => arrowSvg(arrow, layout.arrows[index], diagram)),
    ...diagram.shapes.map((shape, index) =>
      shapeSvg(shape, lookOf(shape, diagram.isComparison), boxes.shapes[index], layout.shapes[index]),
    ),
    // Labels come last, so that no arrow is drawn over them.
    ...diagram.arrows.map(({ mark }, index) =>
      labelSvg(boxes.labels[index], layout.arrows[index]?.label, mark),
    ),
    '</g>',
    '</svg>',
  ];
  return { svg: `${lines.filter(Boolean).join('\n')}\n`, width, height };
}

function styles({ shapes, arrows, isComparison }: Diagram): string {
  const marks = new Set(arrows.flatMap(({ mark }) => mark ?? []));
  const used = new Set(shapes.map((shape) => lookOf(shape, isComparison)));
  return [
    'text{text-anchor:middle}',
    `.t{font-size:${titleSize}px;font-weight:bold}`,
    `.d{font-size:${detailSize}px}`,
    `.l{font-size:${labelSize}px;fill:${labelText}}`,
    '.b{fill:#fff;fill-opacity:.85}',
    `path{fill:none;stroke:${arrowLine};stroke-width:1.4}`,
    '.aside{stroke-dasharray:5 4}',
    ...[...used].map((name) => {
      const { fill, line, text } = looks[name];
      const dashes = 'isDashed' in looks[name] ? ';stroke-dasharray:5 4' : '';
      return `.${name} rect{fill:${fill};stroke:${line};stroke-width:1.4${dashes}}.${name} path{stroke:${line}}.${name} text{fill:${text}}`;
    }),
    ...[...marks].map((mark) => {
      const colour = arrowLook(mark);
      return `path.${mark}{stroke:${colour};stroke-width:${mark === 'missed' ? 1.2 : 2}}text.${mark}{fill:${colour}}`;
    }),
    '.key rect{fill:#fff}',
    'text.key{text-anchor:start}',
    `.entry rect{stroke:${entryLine};stroke-width:3.2}`,
  ].join('\n');
}

/**
 * One arrow head for each colour, because a marker does not inherit the colour of its line. They are not clipped to their
 * box, which they fit: resvg would clip each in a layer of its own, and fails if that is far from the part that it renders.
 */
function markers({ arrows }: Diagram): string {
  return [...new Set(arrows.map(({ mark }) => mark))]
    .map(
      (mark) =>
        `<marker id="head${mark ?? ''}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto" overflow="visible"><polygon points="0,1 10,5 0,9" fill="${arrowLook(mark)}"/></marker>`,
    )
    .join('');
}

function shapeSvg(
  { at, kind, title: name, id, isEntry }: Shape,
  look: LookName,
  box: Box | undefined,
  place: Point | undefined,
): string {
  if (!box || !place) return '';
  const { title, detail, notes, width, height } = box;
  const wordsHeight = heightOfWords(detail);
  const top = place.y - height / 2;
  const corner =
    at === 'call' || kind === 'end' || kind === 'transfer' ? wordsHeight / 2 : at === 'step' ? 6 : 0;
  const rect = rectSvg({ ...place, width, height, corner });
  const full = lineOf(name) === lineOf(id) ? lineOf(id) : `${lineOf(name)} (${lineOf(id)})`;
  const words =
    detail === ''
      ? textSvg('t', place.x, top + 20, title)
      : textSvg('t', place.x, top + 19, title) + textSvg('d', place.x, top + 35, detail);
  const texts = [
    words,
    ...notes.map((line, index) =>
      textSvg('d', place.x, top + wordsHeight + labelLine * (index + 1) - 5, line),
    ),
  ].join('');
  const bars = at === 'before' || at === 'after' ? barsSvg(place, box) : '';
  return `<g class="${look}${isEntry ? ' entry' : ''}" data-place="${placeOf({ at, id })}"><title>${escaped(full)}</title>${rect}${bars}${texts}</g>`;
}

/** Two vertical bars, as in the flowchart symbol of a subroutine. They mark a hook node without relying on colour. */
function barsSvg({ x, y }: Point, { width, height }: Box): string {
  const [left, right] = [round(x - width / 2 + 6), round(x + width / 2 - 6)];
  const [top, bottom] = [round(y - height / 2), round(y + height / 2)];
  return `<path d="M${left} ${top}V${bottom}M${right} ${top}V${bottom}"/>`;
}

/** What a shape is called in the attributes of a drawing: `step`, `before`, `after` or `call`, and its id. */
function placeOf({ at, id }: Pick<Shape, 'at' | 'id'>): string {
  return escaped(`${at} ${lineOf(id)}`);
}

function arrowSvg(
  { from, to, labels, isAside, mark }: Arrow,
  placed: Layout['arrows'][number] | undefined,
  { shapes }: Diagram,
): string {
  if (!placed) return '';
  const [start, end] = [shapes[from], shapes[to]];
  if (!start || !end) return '';
  const ends = `${lineOf(start.id)} → ${lineOf(end.id)}`;
  const what = labels.length === 0 ? ends : `${ends}: ${labels.map(lineOf).join(', ')}`;
  const classes = [mark, (isAside || mark === 'removed') && 'aside'].filter(Boolean).join(' ');
  const look = classes === '' ? '' : ` class="${classes}"`;
  const places = ` data-from="${placeOf(start)}" data-to="${placeOf(end)}"`;
  return `<path d="${curveOf(placed.points)}"${look}${places} marker-end="url(#head${mark ?? ''})"><title>${escaped(what)}</title></path>`;
}

function labelSvg(box: LabelBox | undefined, place: Point | undefined, mark: Arrow['mark']): string {
  if (!box || !place || box.lines.length === 0) return '';
  const { lines, width, height } = box;
  const top = place.y - height / 2;
  const ground = `<rect class="b" x="${round(place.x - width / 2)}" y="${round(top)}" width="${width}" height="${height}"/>`;
  const classes = mark === undefined ? 'l' : `l ${mark}`;
  const texts = lines.map((line, index) =>
    textSvg(classes, place.x, top + labelLine * (index + 1) - 3.5, line),
  );
  return ground + texts.join('');
}
