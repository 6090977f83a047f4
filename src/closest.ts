import { distance } from 'fastest-levenshtein';

export interface Mistyped {
  readonly word: string;
  readonly known: readonly string[];
}

/** The known word that differs least from a mistyped one; undefined if all differ by more than a third. */
export function closest({ word, known }: Mistyped): string | undefined {
  const most = Math.max(2, Math.floor(word.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, steps: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.steps - b.steps);
  const [best] = ranked;
  return best && best.steps <= most && best.steps < best.candidate.length ? best.candidate : undefined;
}
