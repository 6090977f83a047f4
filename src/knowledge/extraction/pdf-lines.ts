/** A piece of text on a page, in points from its lower left corner. */
export interface Piece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Of its font. */
  readonly size: number;
}

/** A line of a page; what stands far apart on it are cells. */
export interface Line {
  readonly cells: string[];
  readonly y: number;
  size: number;
  /** Where it ends. */
  right: number;
}

/** Puts pieces, in the order in which the file has them, into lines. */
export function linesOf(pieces: readonly Piece[]): Line[] {
  const lines: Line[] = [];
  for (const piece of pieces) {
    if (!piece.text.trim()) continue;
    const line = lines.at(-1);
    const gap = line ? piece.x - line.right : 0;
    const isSame = line && Math.abs(line.y - piece.y) < piece.size * 0.4 && gap > -piece.size;
    if (!isSame) {
      lines.push({ cells: [piece.text], y: piece.y, size: piece.size, right: piece.x + piece.width });
      continue;
    }
    if (gap > piece.size * 1.5) line.cells.push(piece.text);
    else line.cells.push(`${line.cells.pop()}${gap > piece.size * 0.15 ? ' ' : ''}${piece.text}`);
    line.size = Math.max(line.size, piece.size);
    line.right = piece.x + piece.width;
  }
  return lines;
}

/** Lines at the top and the bottom of a page that most pages have, their numbers aside. */
const edge = 3;

/** Leaves out what runs along all pages: headers, footers, page numbers. */
export function withoutRunning(pages: readonly (readonly Line[])[]): Line[][] {
  const seen = new Map<string, number>();
  for (const page of pages)
    for (const key of new Set(edgesOf(page).map(keyOf))) seen.set(key, (seen.get(key) ?? 0) + 1);
  const enough = Math.max(3, pages.length * 0.5);
  return pages.map((page) => {
    const edges = new Set(edgesOf(page));
    return page.filter(
      (line) =>
        !edges.has(line) || ((seen.get(keyOf(line)) ?? 0) < enough && !/^\W*\d+\W*$/.test(keyText(line))),
    );
  });
}

function edgesOf(page: readonly Line[]): Line[] {
  const byHeight = page.toSorted((a, b) => b.y - a.y);
  return page.length <= edge * 2 ? byHeight : [...byHeight.slice(0, edge), ...byHeight.slice(-edge)];
}

function keyText({ cells }: Line): string {
  return cells.join(' ').trim();
}

function keyOf(line: Line): string {
  return `${Math.round(line.y / 4)} ${keyText(line).replaceAll(/\d+/g, '#')}`;
}
