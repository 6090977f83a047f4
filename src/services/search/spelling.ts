import type { Lexeme } from './lexeme.ts';

/** A word of a base's list that may stand for a word of the query that the list lacks. */
export interface KnownWord {
  readonly word: string;
  /** How many chunks contain it. */
  readonly chunks: number;
}

/** Letters of the shortest word that may be a misspelling, and of the shortest part of a compound. */
const shortest = 4;
const mostSimilar = 3;
/** Letters of the shortest word that may have two mistakes; in a shorter one they make another word. */
const longWord = 8;

/** The words with the fewest spelling mistakes between them and the lexeme, at most `most`, the commonest first. */
export function closestWords(lexeme: string, known: readonly KnownWord[], most: 1 | 2): Lexeme[] {
  const allowed = lexeme.length < shortest ? 0 : lexeme.length < longWord ? 1 : most;
  const near = known
    .map(({ word, chunks }) => ({ lexeme: word, chunks, mistakes: mistakesIn(lexeme, word) }))
    .filter(({ mistakes }) => mistakes <= allowed);
  const fewest = Math.min(...near.map(({ mistakes }) => mistakes));
  return near
    .filter(({ mistakes }) => mistakes === fewest)
    .toSorted((one, other) => other.chunks - one.chunks)
    .slice(0, mostSimilar)
    .map(({ mistakes, ...word }) => ({ ...word, likeness: mistakes > 1 ? 0.6 : 0.8 }));
}

/** Letters of the shortest stem that is recognised by its beginning alone. */
const longStem = 6;

/** A surplus ending counts as at most two mistakes: a misspelt ending keeps a word from being stemmed. */
function mistakesIn(lexeme: string, word: string): number {
  const whole = distance(word, lexeme);
  return word.length >= longStem && lexeme.startsWith(word) ? Math.min(whole, 2) : whole;
}

/** The possible first and last parts of a compound, to look up in the word list. */
export function splitsOf(lexeme: string): string[] {
  const ends: string[] = [];
  for (let at = shortest; at <= lexeme.length - shortest; at++)
    ends.push(lexeme.slice(0, at), lexeme.slice(at));
  return ends;
}

/** The most letters between the two words of a compound: `Hund-e-preis`. */
const longestLink = 2;

/** The two known words of a compound, those with the fewest letters between them. */
export function splitCompound(
  lexeme: string,
  known: readonly KnownWord[],
): readonly [Lexeme, Lexeme] | undefined {
  const starts = known.filter(({ word }) => lexeme.startsWith(word));
  const ends = known.filter(({ word }) => lexeme.endsWith(word));
  const pairs = starts.flatMap((start) =>
    ends.map((end) => ({ start, end, left: lexeme.length - start.word.length - end.word.length })),
  );
  const [best] = pairs
    .filter(({ left }) => left >= 0 && left <= longestLink)
    .toSorted((one, other) => one.left - other.left || other.end.word.length - one.end.word.length);
  return best && [part(best.start), part(best.end)];
}

function part({ word, chunks }: KnownWord): Lexeme {
  return { lexeme: word, chunks, likeness: 0.8 };
}

/** Letters to add, drop, change, or swap with the next one (optimal string alignment). */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped && row > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, current];
  }
  return last[other.length] ?? 0;
}
