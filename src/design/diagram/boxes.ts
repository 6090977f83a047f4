import type { Arrow, Diagram, Shape } from './diagram.ts';
import { cutTo, lineOf, widthOf } from './text.ts';

/** How much wider bold letters are. */
const bold = 1.12;
/** Sizes of letters, in pixels. */
export const titleSize = 13;
export const detailSize = 11;
export const labelSize = 11;
/** Height of a line of a label. */
export const labelLine = 14;

const widestText = 230;
const widestLabel = 150;
const mostLabels = 4;
const narrowest = 90;

/** A shape with its texts as they fit. */
export interface Box {
  readonly title: string;
  readonly detail: string;
  readonly width: number;
  readonly height: number;
}

/** The label of an arrow, line by line; no lines where it has none. */
export interface LabelBox {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** What each shape and each arrow takes, in their order. */
export interface Boxes {
  readonly shapes: readonly Box[];
  readonly labels: readonly LabelBox[];
}

export function boxesOf({ shapes, arrows }: Diagram): Boxes {
  return { shapes: shapes.map(boxOf), labels: arrows.map(labelBoxOf) };
}

function boxOf({ at, title: name, detail: words }: Shape): Box {
  const title = cutTo(lineOf(name), widestText, bold * titleSize);
  const detail = cutTo(lineOf(words), widestText, detailSize);
  const text = Math.max(widthOf(title, bold * titleSize), widthOf(detail, detailSize));
  const padding = at === 'before' || at === 'after' ? 18 : 13;
  return {
    title,
    detail,
    width: Math.max(narrowest, Math.ceil(text) + 2 * padding),
    height: detail === '' ? 30 : 44,
  };
}

function labelBoxOf({ labels }: Arrow): LabelBox {
  const cut = (text: string) => cutTo(lineOf(text), widestLabel, labelSize);
  const shown = labels.length > mostLabels ? labels.slice(0, mostLabels - 1) : labels;
  const more = labels.length - shown.length;
  const lines = [...shown.map(cut), ...(more > 0 ? [`and ${more} more`] : [])];
  const width = Math.max(0, ...lines.map((line) => widthOf(line, labelSize)));
  return { lines, width: Math.ceil(width), height: lines.length * labelLine };
}
