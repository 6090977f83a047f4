import type { Section } from './blocks.ts';
import { oneLine } from './clean-text.ts';
import { Outline } from './outline.ts';
import { commonest, type Line, type PageLines, sizeOf, withoutRunning } from './pdf-lines.ts';

/** The least size of a heading relative to the body text, and its most characters. */
const larger = 1.12;
const longestHeading = 120;
const mostLevels = 4;
/** The least distance between two paragraphs, in font sizes. */
const apart = 1.7;
const bullet = /^[•▪◦‣·–]\s*/;

/** Groups the lines of all pages into sections. Headings have a larger or different font; tables have gaps in lines. */
export function sectionsOf(allLines: readonly PageLines[]): Section[] {
  const written = allLines.flatMap(({ lines }) => lines);
  const bodySize = commonest(written, sizeOf) ?? 1;
  const bodyFont = commonest(written, ({ font }) => font);
  const pages = withoutRunning(allLines, bodySize);
  const isLarge = (line: Line) => sizeOf(line) >= bodySize * larger && isShort(line);
  const sizes = [...new Set(pages.flat().filter(isLarge).map(sizeOf))].toSorted((a, b) => b - a);
  /** The level of a heading; undefined for any other line. */
  const levelOf = (line: Line, above: Line | undefined): number | undefined => {
    if (isLarge(line)) return Math.min(mostLevels, sizes.indexOf(sizeOf(line)) + 1);
    const isOwnFont = line.font !== '' && line.font !== bodyFont && sizeOf(line) >= bodySize;
    const isAlone = above === undefined || isApart(above, line) || isLarge(above);
    const isSentence = /[.,;:!?]$/.test(line.cells[0]?.trim() ?? '');
    return isOwnFont && isAlone && isShort(line) && !isSentence
      ? Math.min(mostLevels, sizes.length) + 1
      : undefined;
  };
  const reader = new LineReader();
  for (const page of pages) {
    let above: Line | undefined;
    for (const line of page) {
      reader.read(line, levelOf(line, above), above !== undefined && isApart(above, line));
      above = line;
    }
  }
  return reader.finished();
}

function isShort({ cells: [text = '', ...more] }: Line): boolean {
  return more.length === 0 && text.length <= longestHeading && /\p{L}/u.test(text);
}

function isApart(above: Line, line: Line): boolean {
  return Math.abs(above.y - line.y) > line.size * apart;
}

/** Joins lines to headings, tables, lists and paragraphs. */
class LineReader {
  readonly #outline = new Outline();
  #heading: { readonly level: number; readonly text: string } | undefined;
  #rows: string[][] = [];
  #items: string[] = [];
  #paragraph = '';

  read(line: Line, level: number | undefined, isFirst: boolean): void {
    const text = line.cells.join(' ').trim();
    if (level !== undefined) {
      const more = this.#heading?.level === level && !isFirst ? `${this.#heading.text} ` : '';
      if (!more) this.#flush();
      this.#heading = { level, text: more + text };
    } else if (line.cells.length > 1) {
      if (this.#rows.length === 0) this.#flush();
      this.#rows.push(line.cells.map(oneLine));
    } else if (bullet.test(text)) {
      if (this.#items.length === 0) this.#flush();
      this.#items.push(text.replace(bullet, ''));
    } else {
      if (isFirst || this.#heading || this.#rows.length > 0) this.#flush();
      if (this.#items.length > 0) this.#items.push(continued(this.#items.pop() ?? '', text));
      else this.#paragraph = continued(this.#paragraph, text);
    }
  }

  finished(): Section[] {
    this.#flush();
    return this.#outline.finished();
  }

  #flush(): void {
    if (this.#heading) this.#outline.heading(this.#heading.level, oneLine(this.#heading.text));
    const [header = [], ...rows] = this.#rows;
    // A single line with gaps is not a table.
    if (rows.length > 0) this.#outline.add({ kind: 'table', caption: '', header, rows });
    const text = oneLine(rows.length > 0 ? this.#paragraph : `${header.join(' ')} ${this.#paragraph}`);
    if (text) this.#outline.add({ kind: 'text', text });
    const items = this.#items.map((item) => `- ${oneLine(item)}`);
    if (items.length > 0) this.#outline.add({ kind: 'list', items });
    [this.#heading, this.#rows, this.#items, this.#paragraph] = [undefined, [], [], ''];
  }
}

/** Appends a line, and rejoins a word that was hyphenated at the line break. */
function continued(before: string, line: string): string {
  const isHyphenated = /\p{L}[-\u00ad]$/u.test(before) && /^\p{Ll}/u.test(line);
  return isHyphenated ? before.slice(0, -1) + line : `${before} ${line}`.trim();
}
