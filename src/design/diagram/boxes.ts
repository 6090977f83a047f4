import type { Arrow, Diagram, Shape } from './diagram.ts';
import { cutTo, lineOf, linesOf, widthOf } from './text.ts';

/** The width of bold letters, relative to regular ones. */
const bold = 1.12;
/** Font sizes, in pixels. */
export const titleSize = 13;
export const detailSize = 11;
export const labelSize = 11;
/** Height of a line of a label, in pixels. */
export const labelLine = 14;

const maximumText = 230;
const maximumLabel = 150;
const maximumLabels = 4;
/** Lines that one note takes. */
const maximumLines = 5;
const minimumWidth = 90;

/** The texts of a shape, shortened to fit, and its size in pixels. */
export interface Box {
  readonly title: string;
  readonly detail: string;
  /** The lines of its notes. */
  readonly notes: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** The label of an arrow, line by line; no lines if it has no label. */
export interface LabelBox {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

export interface Boxes {
  readonly shapes: readonly Box[];
  readonly labels: readonly LabelBox[];
}

export function boxesOf({ shapes, arrows }: Diagram): Boxes {
  return { shapes: shapes.map(boxOf), labels: arrows.map(labelBoxOf) };
}

function boxOf({ at, title: name, detail: words, notes: texts }: Shape): Box {
  const title = cutTo(lineOf(name), maximumText, bold * titleSize);
  const detail = cutTo(lineOf(words), maximumText, detailSize);
  const notes = texts.flatMap((note) => linesOf(lineOf(note), maximumText, detailSize, maximumLines));
  const text = Math.max(
    widthOf(title, bold * titleSize),
    ...[detail, ...notes].map((line) => widthOf(line, detailSize)),
  );
  const padding = at === 'before' || at === 'after' ? 18 : 13;
  return {
    title,
    detail,
    notes,
    width: Math.max(minimumWidth, Math.ceil(text) + 2 * padding),
    height: heightOfWords(detail) + (notes.length === 0 ? 0 : notes.length * labelLine + 4),
  };
}

/** The height of a shape without notes, in pixels. */
export function heightOfWords(detail: string): number {
  return detail === '' ? 30 : 44;
}

function labelBoxOf({ labels }: Arrow): LabelBox {
  const cut = (text: string) => cutTo(lineOf(text), maximumLabel, labelSize);
  const shown = labels.length > maximumLabels ? labels.slice(0, maximumLabels - 1) : labels;
  const more = labels.length - shown.length;
  const lines = [...shown.map(cut), ...(more > 0 ? [`and ${more} more`] : [])];
  const width = Math.max(0, ...lines.map((line) => widthOf(line, labelSize)));
  return { lines, width: Math.ceil(width), height: lines.length * labelLine };
}
