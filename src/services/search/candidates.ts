import { anyOf } from './lexeme.ts';
import type { QueryTerm, WeightedQuery } from './weighted-query.ts';

/** One term, or several that a candidate has to contain together. */
interface Combination {
  readonly terms: readonly QueryTerm[];
  /** The estimated number of chunks that contain them all. */
  readonly expected: number;
}

/** How many common terms are combined with each other. */
const mostCombined = 6;
/** How much more often terms meet in a chunk than chance predicts, because they share a subject. */
const affinity = 4;

/**
 * The tsqueries that select the candidates, about `most` chunks each. If few enough chunks contain any term, one
 * tsquery selects them all. Otherwise it selects chunks with the rarest terms, and chunks in which several common terms
 * meet. If all terms are common, a second tsquery selects some chunks with the rarest one.
 */
export function candidateQueries({ terms, total }: WeightedQuery, most: number): [string, ...string[]] {
  const single = terms
    .map((term): Combination => ({ terms: [term], expected: chunksWith(term) }))
    .toSorted((one, other) => one.expected - other.expected);
  const chosen: Combination[] = [];
  let expected = 0;
  /** Chooses as many as there is room for, and returns the rest. */
  const choose = (offered: readonly Combination[]) => {
    let at = 0;
    for (; at < offered.length; at++) {
      const combination = offered[at];
      if (combination === undefined || expected + combination.expected > most) break;
      expected += combination.expected;
      chosen.push(combination);
    }
    return offered.slice(at);
  };
  const common = choose(single).slice(0, mostCombined);
  const areAllCommon = chosen.length === 0;
  let combinations = common;
  for (let size = 2; size <= common.length; size++) {
    combinations = combinations.flatMap((combination) =>
      common.filter(isAfter(combination, common)).map((one) => combined(combination, one, total)),
    );
    choose(combinations.toSorted((one, other) => one.expected - other.expected));
  }
  const selected =
    chosen.length > 0
      ? chosen.map((combination) => combination.terms)
      : [common.flatMap((combination) => combination.terms)];
  const [rarest] = common;
  const query = selected.map(allOf).join(' | ');
  return areAllCommon && rarest ? [query, allOf(rarest.terms)] : [query];
}

/** Whether a term comes after those of a combination: each set of terms is combined in one order only. */
function isAfter(combination: Combination, ordered: readonly Combination[]): (one: Combination) => boolean {
  const last = Math.max(
    ...combination.terms.map((term) => ordered.findIndex(({ terms }) => terms[0] === term)),
  );
  return (one) => ordered.indexOf(one) > last;
}

function combined(combination: Combination, one: Combination, total: number): Combination {
  const chance = (combination.expected * one.expected) / Math.max(total, 1);
  return {
    terms: [...combination.terms, ...one.terms],
    expected: Math.min(combination.expected, one.expected, chance * affinity),
  };
}

function chunksWith({ lexemes }: QueryTerm): number {
  return lexemes.reduce((sum, { chunks }) => sum + chunks, 0);
}

function allOf(terms: readonly QueryTerm[]): string {
  return `(${terms.map(({ lexemes }) => `(${anyOf(lexemes)})`).join(' & ')})`;
}
