import { folded, type Token } from './words.ts';

/** Phrases with holes: `*` stands for the rest of a word, `_` for up to three words. */

/** The words of a phrase, by the parts between its holes. */
export function partsOf(phrase: string): string[][] {
  return phrase.split('_').map((part) => wordsWithStar(part));
}

function wordsWithStar(part: string): string[] {
  return folded(part)
    .split(/[^\p{L}\p{N}*]+/u)
    .filter((word) => word !== '');
}

/** Words in a hole, at most. */
const widestHole = 3;

/** The token after a phrase that starts at a token; undefined if none does. */
export function endOfParts(
  tokens: readonly Token[],
  from: number,
  parts: readonly (readonly string[])[],
): number | undefined {
  let at = from;
  for (const [index, part] of parts.entries()) {
    let start: number | undefined;
    for (let skip = 0; skip <= (index === 0 ? 0 : widestHole) && start === undefined; skip += 1)
      if (part.every((word, offset) => fits(tokens[at + skip + offset], word))) start = at + skip;
    if (start === undefined) return undefined;
    at = start + part.length;
  }
  return at;
}

function fits(token: Token | undefined, word: string): boolean {
  if (!token) return false;
  return word.endsWith('*') ? token.word.startsWith(word.slice(0, -1)) : token.word === word;
}
