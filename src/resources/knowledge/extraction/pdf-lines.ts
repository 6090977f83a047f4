/** A piece of text on a page, in points from its lower left corner. */
export interface Piece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** The size of its font. */
  readonly size: number;
  readonly font: string;
}

/** A line of a page; wide gaps separate it into cells. */
export interface Line {
  readonly cells: string[];
  readonly y: number;
  size: number;
  /** Empty if the line has several. */
  font: string;
  /** The position of its end, in points. */
  right: number;
}

/** Joins pieces, in the order of the file, to lines. */
export function linesOf(pieces: readonly Piece[]): Line[] {
  const lines: Line[] = [];
  for (const piece of pieces) {
    if (!piece.text.trim()) continue;
    const line = lines.at(-1);
    const gap = line ? piece.x - line.right : 0;
    const isSame = line && Math.abs(line.y - piece.y) < piece.size * 0.4 && gap > -piece.size;
    if (!isSame) {
      const { text, y, size, font } = piece;
      lines.push({ cells: [text], y, size, font, right: piece.x + piece.width });
      continue;
    }
    if (gap > piece.size * 1.5) line.cells.push(piece.text);
    else line.cells.push(`${line.cells.pop()}${gap > piece.size * 0.15 ? ' ' : ''}${piece.text}`);
    line.size = Math.max(line.size, piece.size);
    if (line.font !== piece.font) line.font = '';
    line.right = piece.x + piece.width;
  }
  return lines;
}

/** The lines of a page, and its edges in points. */
export interface PageLines {
  readonly lines: readonly Line[];
  readonly bottom: number;
  readonly top: number;
}

/** The share of a page's height, at the top and at the bottom, that may hold running headers and footers. */
const margin = 0.1;

/**
 * The lines of all pages without running headers, footers and page numbers: small lines in the margins that repeat on
 * most pages, ignoring their numbers.
 */
export function withoutRunning(pages: readonly PageLines[], bodySize: number): Line[][] {
  const seen = new Map<string, number>();
  for (const page of pages)
    for (const key of new Set(marginsOf(page, bodySize).map(keyOf))) seen.set(key, (seen.get(key) ?? 0) + 1);
  const enough = Math.max(3, pages.length * 0.5);
  return pages.map((page) => {
    const running = new Set(
      marginsOf(page, bodySize).filter((line) => isNumber(line) || (seen.get(keyOf(line)) ?? 0) >= enough),
    );
    return page.lines.filter((line) => !running.has(line));
  });
}

function marginsOf({ lines, bottom, top }: PageLines, bodySize: number): Line[] {
  const height = (top - bottom) * margin;
  return lines.filter(({ y, size }) => size <= bodySize * 1.1 && (y < bottom + height || y > top - height));
}

function isNumber({ cells }: Line): boolean {
  return /^\W*\d+\W*$/.test(cells.join(' '));
}

function keyOf({ cells, y }: Line): string {
  return `${Math.round(y / 4)} ${cells.join(' ').trim().replaceAll(/\d+/g, '#')}`;
}

/** The size or font of most characters. */
export function commonest<T>(lines: readonly Line[], of: (line: Line) => T): T | undefined {
  const characters = new Map<T, number>();
  for (const line of lines)
    characters.set(of(line), (characters.get(of(line)) ?? 0) + line.cells.join('').length);
  return [...characters].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

/** The size of a line, rounded to half points. */
export function sizeOf({ size }: Line): number {
  return Math.round(size * 2) / 2;
}
