/** Characters. No label shows more, so the rest is not processed. */
const maximumRead = 400;

/** Invisible characters, some of which reverse the direction of the text that follows. */
const unseen =
  /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}\p{Noncharacter_Code_Point}]/gu;
const blanks = /[\p{Cc}\p{Z}]+/gu;
/** More combining marks on one letter than any script uses. */
const heapedMarks = /(\p{M}{4})\p{M}+/gu;

/** Words of ASCII, with one blank between two of them. */
const plainLine = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/** A text on one line, without line breaks, invisible characters and changes of direction. */
export function lineOf(text: string): string {
  // Most texts are such, and this takes a fifth of the time.
  if (text.length <= maximumRead && plainLine.test(text)) return text;
  return text
    .slice(0, maximumRead)
    .toWellFormed()
    .replaceAll(blanks, ' ')
    .replaceAll(unseen, '')
    .replaceAll(heapedMarks, '$1')
    .trim();
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const narrow = /[ijlrftI.,:;'"|!()[\]{} ·/\\-]/;
const broad = /[mwMW@%…—]/;

/** An estimate of the width of a text in DejaVu Sans, in pixels. Errs on the wide side. */
export function widthOf(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += advanceOf(character);
  return width * size;
}

/** The width of a character, relative to the font size. */
function advanceOf(character: string): number {
  if (/\p{M}|\u200d/u.test(character)) return 0;
  if (wide.test(character)) return 1.1;
  if (narrow.test(character)) return 0.4;
  if (broad.test(character)) return 1;
  return /\p{Lu}/u.test(character) ? 0.74 : 0.63;
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The text, or the part that fits the width, followed by `…`. */
export function cutTo(text: string, width: number, size: number): string {
  if (widthOf(text, size) <= width) return text;
  const room = width - widthOf('…', size);
  let kept = '';
  let taken = 0;
  for (const { segment } of graphemes.segment(text)) {
    taken += widthOf(segment, size);
    if (taken > room) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** The text in lines of at most this width, broken between words. The last line is shortened if there are too many. */
export function linesOf(text: string, width: number, size: number, most: number): string[] {
  const lines: string[] = [];
  let rest = text.split(' ');
  while (rest.length > 0 && lines.length < most - 1) {
    const over = rest.findIndex((_, index) => widthOf(rest.slice(0, index + 1).join(' '), size) > width);
    const taken = over === -1 ? rest.length : Math.max(1, over);
    lines.push(cutTo(rest.slice(0, taken).join(' '), width, size));
    rest = rest.slice(taken);
  }
  return rest.length === 0 ? lines : [...lines, cutTo(rest.join(' '), width, size)];
}
