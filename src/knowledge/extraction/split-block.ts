import type { Block } from './blocks.ts';

type Table = Extract<Block, { kind: 'table' }>;

/** A block as texts of at most so many characters: whole where it fits; a table by rows, its header with each. */
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
  // Where header and row have no room together, each cell brings the name of its column.
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

/** Where a text may be parted, the best place first. */
const seams = [/(?<=\n)/, /(?<=[.!?…]["'”’»)]?\s)|(?<=[。！？])/u, /(?<=;\s)/, /(?<=\s)/];

/** A text in parts: of lines, else of sentences, else of words, else of characters. */
function partsOf(text: string, most: number, depth = 0): string[] {
  if (text.length <= most) return [text];
  const seam = seams[depth];
  if (!seam) return slicesOf(text, most);
  const parts = text.split(seam).flatMap((part) => partsOf(part, most, depth + 1));
  return packed(parts, '', most)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** A text cut where it has to be, but never through a character that is two units long. */
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

/** Texts joined to fewer, as evenly as their order allows; none is longer than `most`. */
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
