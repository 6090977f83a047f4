import type { Block } from './blocks.ts';

type Table = Extract<Block, { kind: 'table' }>;

/** Splits a block into texts of at most `most` characters; a table by rows, with its header in each text. */
export function piecesOf(block: Block, most: number): string[] {
  if (block.kind === 'text') return partsOf(block.text, most);
  if (block.kind === 'list')
    return packed(
      block.items.flatMap((item) => partsOf(item, most)),
      '\n',
      most,
    );
  return tablePieces(block, most);
}

function tablePieces({ caption, header, rows }: Table, most: number): string[] {
  const first = [caption, header.some(Boolean) ? row(header) : ''].filter(Boolean).join('\n');
  const room = most - first.length - 1;
  const lines = rows.map(row);
  // If a row is too long to repeat the header, each cell gets the name of its column.
  if (lines.some(({ length }) => length > room)) {
    const pairs = rows.map((cells) =>
      cells.flatMap((cell, at) => (cell ? named(header[at], cell) : [])).join('; '),
    );
    return packed(
      [caption, ...pairs].filter(Boolean).flatMap((text) => partsOf(text, most)),
      '\n',
      most,
    );
  }
  if (lines.length === 0) return partsOf(first, most);
  return packed(lines, '\n', room).map((text) => (first ? `${first}\n${text}` : text));
}

function row(cells: readonly string[]): string {
  return cells.join(' | ').trim();
}

function named(name: string | undefined, cell: string): string {
  return name ? `${name}: ${cell}` : cell;
}

/** Where a text may be split, best first: lines, sentences, clauses, words. */
const seams = [/(?<=\n)/, /(?<=[.!?…]["'”’»)]?\s)|(?<=[。！？])/u, /(?<=;\s)/, /(?<=\s)/];

/** Splits a text at the best seams that give short enough parts, or else between characters. */
function partsOf(text: string, most: number, depth = 0): string[] {
  if (text.length <= most) return [text];
  const seam = seams[depth];
  if (!seam) return slicesOf(text, most);
  const parts = text.split(seam).flatMap((part) => partsOf(part, most, depth + 1));
  return packed(parts, '', most)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Slices a text, but never within a surrogate pair. */
function slicesOf(text: string, most: number): string[] {
  const slices: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + most;
    const isPair = /[\ud800-\udbff]$/.test(text.slice(end - 1, end));
    slices.push(text.slice(start, isPair ? end - 1 : end));
    start += isPair ? most - 1 : most;
  }
  return slices;
}

/** Joins neighbouring texts as evenly as possible; no result is longer than `most`. */
export function packed(texts: readonly string[], between: string, most: number): string[] {
  const total = texts.reduce((sum, { length }) => sum + length + between.length, 0);
  const enough = total / Math.max(1, Math.ceil(total / most));
  const joined: string[] = [];
  let text = '';
  for (const next of texts) {
    const isFull = text.length >= enough || text.length + between.length + next.length > most;
    if (text && isFull) {
      joined.push(text);
      text = '';
    }
    text = text ? text + between + next : next;
  }
  if (text) joined.push(text);
  return joined;
}
