import type { Block } from './blocks.ts';
import { oneLine } from './clean-text.ts';
import { isUnseen } from './html-boilerplate.ts';
import type { Measure } from './html-measures.ts';
import { attribute, type Element, isElement, tagOf, walk } from './html-tree.ts';

type Table = Extract<Block, { kind: 'table' }>;

/** The most columns that one cell may span, and rows of a head. */
const widest = 50;
const tallestHead = 3;

interface Cell {
  readonly text: string;
  readonly isHead: boolean;
  readonly columns: number;
  readonly rows: number;
}

/** Whether a table holds data. A layout table contains headings or other tables, or has one text in each row. */
export function isDataTable(table: Element, measure: Measure): boolean {
  const role = attribute(table, 'role');
  if (role === 'presentation' || role === 'none' || measure.holdsStructure) return false;
  return rowsOf(table).some((row) => cellsOf(row).filter((cell) => textOf(cell)).length > 1);
}

/** Reads a table. Each cell is repeated where it spans, so that every row can be read on its own. */
export function tableBlock(table: Element): Table {
  const rows: string[][] = [];
  const heads: boolean[] = [];
  /** By column: cells of rows above that span down, and the number of rows left. */
  let reaching: { readonly text: string; left: number }[] = [];
  for (const row of rowsOf(table)) {
    const texts: string[] = [];
    const cells = cellsOf(row).map(cellOf);
    const next: typeof reaching = [];
    const takeReaching = () => {
      for (let above = reaching[texts.length]; above && above.left > 0; above = reaching[texts.length]) {
        next[texts.length] = { text: above.text, left: above.left - 1 };
        texts.push(above.text);
      }
    };
    for (const { text, columns, rows: down } of cells) {
      takeReaching();
      for (let column = 0; column < columns; column++) {
        next[texts.length] = { text, left: down - 1 };
        texts.push(text);
      }
    }
    takeReaching();
    reaching = next;
    if (!texts.some(Boolean)) continue;
    rows.push(texts);
    heads.push(isElement(row) && (isInHead(row) || cells.every(({ isHead }) => isHead)));
  }
  const headRows = Math.min(tallestHead, Math.max(heads.indexOf(false), heads.includes(false) ? 0 : 1));
  return {
    kind: 'table',
    caption: captionOf(table),
    header: joined(rows.slice(0, headRows)),
    rows: rows.slice(headRows),
  };
}

/** Joins the rows of a head: `Summer` over `Adult` is `Summer Adult`. */
function joined(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: width }, (_, column) =>
    [...new Set(rows.map((row) => row[column] ?? ''))].filter(Boolean).join(' '),
  );
}

function rowsOf(table: Element): Element[] {
  const parts = childrenOf(table);
  return parts
    .flatMap((part) => (tagOf(part) === 'tr' ? part : childrenOf(part)))
    .filter((row) => tagOf(row) === 'tr' && !isUnseen(row));
}

function cellsOf(row: Element): Element[] {
  return childrenOf(row).filter((cell) => /^t[dh]$/.test(tagOf(cell)) && !isUnseen(cell));
}

function childrenOf(element: Element): Element[] {
  return element.childNodes.filter(isElement);
}

function isInHead(row: Element): boolean {
  return row.parentNode !== null && isElement(row.parentNode) && tagOf(row.parentNode) === 'thead';
}

function captionOf(table: Element): string {
  const caption = childrenOf(table).find((child) => tagOf(child) === 'caption');
  return caption ? textOf(caption) : '';
}

function cellOf(cell: Element): Cell {
  return {
    text: textOf(cell),
    isHead: tagOf(cell) === 'th',
    columns: spanOf(cell, 'colspan', widest),
    rows: spanOf(cell, 'rowspan', 1000),
  };
}

function spanOf(cell: Element, name: string, most: number): number {
  const span = Number.parseInt(attribute(cell, name) ?? '1', 10);
  return span >= 1 ? Math.min(span, most) : 1;
}

/** The text of an element on one line, or else the `alt` texts of its pictures. */
export function textOf(root: Element): string {
  let text = '';
  let pictures = '';
  walk(root, {
    text(value) {
      text += value;
    },
    enter(element) {
      const tag = tagOf(element);
      if (tag === 'img') pictures += ` ${attribute(element, 'alt') ?? ''}`;
      if (/^(?:br|p|div|li|tr|td|dd|dt)$/.test(tag)) text += ' ';
      return isUnseen(element);
    },
    leave(element) {
      if (/^(?:p|div|li|dd|dt)$/.test(tagOf(element))) text += ' ';
    },
  });
  return oneLine(text) || oneLine(pictures);
}
