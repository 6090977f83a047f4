import type { Section } from './blocks.ts';
import { oneLine } from './clean.ts';
import { Outline } from './outline.ts';
import { commonSize, type Line, type PageLines, sizeOf, withoutRunning } from './pdf-lines.ts';

/** How much larger than the text a heading is, and its most characters. */
const larger = 1.12;
const longestHeading = 120;
const mostLevels = 4;

/** Puts the lines of all pages into sections: headings by the size of their font, tables by the gaps in their lines. */
export function sectionsOf(allLines: readonly PageLines[]): Section[] {
  const bodySize = commonSize(allLines.flatMap(({ lines }) => lines));
  const pages = withoutRunning(allLines, bodySize);
  const all = pages.flat();
  const sizes = [...new Set(all.filter((line) => isHeading(line, bodySize)).map(sizeOf))].toSorted(
    (a, b) => b - a,
  );
  const outline = new Outline();
  let paragraph = '';
  let rows: string[][] = [];
  let heading: { readonly level: number; text: string } | undefined;
  const flush = () => {
    if (heading) outline.heading(heading.level, oneLine(heading.text));
    const [header = [], ...rest] = rows;
    if (rest.length > 0) outline.add({ kind: 'table', caption: '', header, rows: rest });
    const said = oneLine(rest.length > 0 ? paragraph : `${header.join(' ')} ${paragraph}`);
    if (said) outline.add({ kind: 'text', text: said });
    [paragraph, rows, heading] = ['', [], undefined];
  };
  for (const page of pages) {
    let above: Line | undefined;
    for (const line of page) {
      const text = line.cells.join(' ');
      const isApart = above !== undefined && Math.abs(above.y - line.y) > line.size * 1.7;
      if (isHeading(line, bodySize)) {
        const level = Math.min(mostLevels, sizes.indexOf(sizeOf(line)) + 1);
        if (heading?.level === level && !isApart) heading.text += ` ${text}`;
        else {
          flush();
          heading = { level, text };
        }
      } else {
        const isRow = line.cells.length > 1;
        if (heading || (isApart && !isRow) || isRow !== rows.length > 0) flush();
        if (isRow) rows.push(line.cells.map(oneLine));
        else paragraph = continued(paragraph, text);
      }
      above = line;
    }
  }
  flush();
  return outline.finished();
}

/** A word that a line's end has parted is one again. */
function continued(paragraph: string, line: string): string {
  const parted = /(\p{L})[-\u00ad]$/u.test(paragraph) && /^\p{Ll}/u.test(line);
  return parted ? paragraph.slice(0, -1) + line : `${paragraph} ${line}`.trim();
}

function isHeading(line: Line, bodySize: number): boolean {
  const [text = ''] = line.cells;
  return (
    sizeOf(line) >= bodySize * larger &&
    line.cells.length === 1 &&
    text.length <= longestHeading &&
    /\p{L}/u.test(text)
  );
}
