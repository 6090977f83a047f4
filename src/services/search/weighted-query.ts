import { isKnown, type Lexeme } from './lexeme.ts';
import type { ParsedQuery } from './parsed-query.ts';

/** A word of a query: the lexemes that stand for it, and its share of the query's weight. */
export interface QueryTerm {
  readonly lexemes: readonly Lexeme[];
  readonly weight: number;
}

/** A query for the chunks of one language. */
export interface WeightedQuery {
  readonly language: string;
  /** How many chunks the language has. */
  readonly total: number;
  /** Only terms that some chunk contains. */
  readonly terms: readonly QueryTerm[];
}

/** Further terms hardly change the order, and each costs a look at every candidate. */
const mostTerms = 24;

/**
 * Weighs the words of a query, each once, and keeps the weightiest; undefined if no chunk contains any. A word that no
 * chunk contains weighs like the rarest, so a language that knows little of the query scores lower.
 */
export function weightedQuery({ language, total, words }: ParsedQuery): WeightedQuery | undefined {
  const distinct = new Map(
    [...words.values()].map((lexemes) => [lexemes.map(({ lexeme }) => lexeme).join(' '), lexemes]),
  );
  const weighed = [...distinct.values()]
    .map((lexemes) => ({ lexemes, weight: weightOf(lexemes, total) }))
    .toSorted((one, other) => other.weight - one.weight);
  const known = weighed.filter(({ lexemes }) => isKnown(lexemes)).slice(0, mostTerms);
  if (known.length === 0) return undefined;
  const sum = sumOf(weighed);
  return {
    language,
    total,
    terms: known.map(({ lexemes, weight }) => ({ lexemes, weight: weight / sum })),
  };
}

/** A language that knows less than this share of what the best language knows is not searched. */
const leastKnown = 1 / 3;

/** The queries of those languages that the query seems to be in. */
export function bestKnown(queries: readonly WeightedQuery[]): WeightedQuery[] {
  const most = Math.max(...queries.map(({ terms }) => sumOf(terms)));
  return queries.filter(({ terms }) => sumOf(terms) >= most * leastKnown);
}

function sumOf(terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

/** The inverse document frequency of BM25 (Robertson, Zaragoza 2009), for the most frequent of the closest lexemes. */
function weightOf(lexemes: readonly Lexeme[], total: number): number {
  const known = lexemes.filter(({ chunks }) => chunks > 0);
  const closest = Math.max(...known.map(({ likeness }) => likeness));
  const frequencies = known.filter(({ likeness }) => likeness === closest).map(({ chunks }) => chunks);
  const frequency = Math.min(Math.max(0, ...frequencies), total);
  return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}
