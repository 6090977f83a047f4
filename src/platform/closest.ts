import { distance } from 'fastest-levenshtein';

export interface Mistyped {
  readonly word: string;
  readonly known: readonly string[];
  /** Letters that may differ; a third of the word by default. */
  readonly most?: number;
}

/** The known word that differs least from a mistyped one, regardless of case; undefined if all differ by too much. */
export function closest({
  word,
  known,
  most = Math.max(2, Math.floor(word.length / 3)),
}: Mistyped): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, steps: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.steps - b.steps);
  const [best] = ranked;
  return best && best.steps <= most && best.steps < best.candidate.length ? best.candidate : undefined;
}

/** The known names that are most like a wrong one, the best first: those that share words with it, then those spelled alike. */
export function similarNames({ word, known }: Mistyped, most: number): string[] {
  const words = new Set(wordsOf(word));
  return known
    .map((name) => {
      const steps = distance(word.toLowerCase(), name.toLowerCase());
      const shared = wordsOf(name).filter((one) => words.has(one)).length;
      return { name, shared, steps, isAlike: steps <= word.length / 3 };
    })
    .filter(({ shared, isAlike }) => shared > 0 || isAlike)
    .toSorted((a, b) => Number(b.isAlike) - Number(a.isAlike) || b.shared - a.shared || a.steps - b.steps)
    .slice(0, most)
    .map(({ name }) => name);
}

/** The words of a name, without a plural. */
function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^a-z]+/)
    .flatMap((word) => (word === '' ? [] : [word.replace(/s$/, '')]));
}
