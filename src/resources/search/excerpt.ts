import { folded } from '../../design/folded.ts';

/** Characters to show on each side of the words that were searched. */
const around = 30;
/** Characters of the shortest beginning of a word by which a passage is shown. */
const shortestStem = 3;

/** The part of a line around some words, cut between words, with `…` where something is left out. */
export function excerpt(line: string, words: string): string {
  const characters = Array.from(line.normalize('NFC').replaceAll(/\s+/g, ' ').trim());
  const starts: number[] = [];
  let text = '';
  for (const character of characters) {
    starts.push(text.length);
    text += folded(character);
  }
  const wanted = folded(words).trim();
  const found = Math.max(0, text.indexOf(wanted));
  const first = Math.max(
    0,
    starts.findLastIndex((start) => start <= found),
  );
  const after = starts.findIndex((start) => start >= found + wanted.length);
  const last = after === -1 ? characters.length : after;
  const start = first <= around ? 0 : beginOfWord(characters, first - around, first);
  const end =
    characters.length - last <= around ? characters.length : endOfWord(characters, last + around, last);
  return `${start > 0 ? '…' : ''}${characters.slice(start, end).join('').trim()}${end < characters.length ? '…' : ''}`;
}

/** The part of a text around the longest of some words that it has, at least by the word's beginning. */
export function excerptOfAny(text: string, words: string): string {
  const plain = folded(text);
  const whole = folded(words).trim();
  if (plain.includes(whole)) return excerpt(text, whole);
  const longestFirst = whole.split(/[^\p{L}\p{N}]+/u).toSorted((one, other) => other.length - one.length);
  for (const word of longestFirst)
    for (let length = word.length; length >= shortestStem; length--)
      if (plain.includes(word.slice(0, length))) return excerpt(text, word.slice(0, length));
  return excerpt(text, '');
}

/** The first position at which a word begins, or the given one in a script without spaces. */
function beginOfWord(characters: readonly string[], from: number, to: number): number {
  const space = characters.indexOf(' ', from);
  return space === -1 || space >= to ? from : space + 1;
}

function endOfWord(characters: readonly string[], from: number, to: number): number {
  const space = characters.lastIndexOf(' ', from);
  return space <= to ? from : space;
}
