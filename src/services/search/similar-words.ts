import type { Lexeme } from './lexeme.ts';
import { exact, type ParsedQuery, unknownPositions } from './parsed-query.ts';
import { closestWords, type KnownWord, splitCompound, splitsOf } from './spelling.ts';

/** A word of a base's list that is similar to one of the query's. */
export interface SimilarRow extends KnownWord {
  readonly language: string;
  readonly lexeme: string;
}

const mostCompounds = 20;

/**
 * Finds, in a base's word list, words that look like unknown words of the query, the two words that an unknown compound
 * may consist of, and compounds that begin with a word of the query.
 */
export const findSimilar = `
  select language, lexeme, word, chunks::int
  from unnest(cast(:unknownLanguages as text[]), cast(:unknown as text[])) as typed (language, lexeme)
  cross join lateral (
    select word, chunks from knowledge_words as known
    where project_id = :projectId and knowledge_base_id = :id and known.language = typed.language
      and word % lexeme and length(word) between length(lexeme) - 5 and length(lexeme) + 2
  ) as lookalike
  union all
  select language, lexeme, word, chunks::int
  from unnest(cast(:partLanguages as text[]), cast(:wholes as text[]), cast(:parts as text[]))
    as split (language, lexeme, part)
  join knowledge_words as known using (language)
  where project_id = :projectId and knowledge_base_id = :id and word = part
  union all
  select language, lexeme, word, chunks::int
  from unnest(cast(:insideLanguages as text[]), cast(:inside as text[])) as typed (language, lexeme)
  cross join lateral (
    select word, chunks from knowledge_words as known
    where project_id = :projectId and knowledge_base_id = :id and known.language = typed.language
      and word > lexeme and word < lexeme || U&'\\FFFF'
    order by chunks desc, word limit ${mostCompounds}
  ) as compound`;

/** Of a long query only the first words are looked up, because each costs a scan of the list. */
const mostLookedUp = 32;
/** A similar number would be another number, and nothing longer is a word. */
const misspelt = /^\P{N}{1,40}$/u;
/** Letters only: numbers have no compounds. */
const insideWord = /^\p{L}{4,}$/u;

/** The positions of unknown words, and the bindings of `findSimilar`; undefined if there is nothing to look up. */
export function similarBindings(queries: readonly ParsedQuery[]) {
  const positions = unknownPositions(queries);
  const typedWords = queries.flatMap(({ language, words }) => {
    const first = [...words].slice(0, mostLookedUp);
    return first.flatMap(([position, lexemes]) =>
      lexemes
        .filter(({ likeness }) => likeness === exact)
        .map(({ lexeme }) => ({ language, lexeme, position })),
    );
  });
  const unknown = typedWords.filter(
    ({ position, lexeme }) => positions.has(position) && misspelt.test(lexeme),
  );
  const inside = typedWords.filter(({ lexeme }) => insideWord.test(lexeme));
  const parts = unknown.flatMap(({ language, lexeme }) =>
    splitsOf(lexeme).map((part) => ({ language, lexeme, part })),
  );
  const bindings = {
    unknownLanguages: unknown.map(({ language }) => language),
    unknown: unknown.map(({ lexeme }) => lexeme),
    partLanguages: parts.map(({ language }) => language),
    wholes: parts.map(({ lexeme }) => lexeme),
    parts: parts.map(({ part }) => part),
    insideLanguages: inside.map(({ language }) => language),
    inside: inside.map(({ lexeme }) => lexeme),
  };
  const isNeeded = unknown.length + inside.length > 0;
  return { unknown: positions, bindings: isNeeded ? bindings : undefined };
}

/** The query with all lexemes that may stand for its words. An unknown compound becomes its two words. */
export function withSimilar(
  { language, total, words }: ParsedQuery,
  unknown: ReadonlySet<number>,
  similar: readonly SimilarRow[],
): ParsedQuery {
  const found = Map.groupBy(
    similar.filter((row) => row.language === language),
    ({ lexeme }) => lexeme,
  );
  const meanings = [...words].flatMap(([position, lexemes]) => {
    const parts = unknown.has(position) ? guessed(lexemes, found) : [lexemes];
    return parts.map((part, index) => [position + index / 2, withCompounds(part, found)] as const);
  });
  return { language, total, words: new Map(meanings) };
}

type Found = ReadonlyMap<string, readonly SimilarRow[]>;

/**
 * Guesses an unknown word: words one mistake away, else the two words that it consists of, else words two mistakes away,
 * else itself.
 */
function guessed(lexemes: readonly Lexeme[], found: Found): (readonly Lexeme[])[] {
  for (const { lexeme } of lexemes) {
    const similar = found.get(lexeme) ?? [];
    const near = closestWords(lexeme, similar, 1);
    if (near.length > 0) return [[...lexemes, ...near]];
    const parts = splitCompound(lexeme, similar);
    if (parts) return parts.map((part) => [part]);
    const far = closestWords(lexeme, similar, 2);
    if (far.length > 0) return [[...lexemes, ...far]];
  }
  return [lexemes];
}

const compoundLikeness = 0.5;

function withCompounds(lexemes: readonly Lexeme[], found: Found): readonly Lexeme[] {
  const present = new Set(lexemes.map(({ lexeme }) => lexeme));
  const compounds = lexemes.flatMap(({ lexeme }) =>
    (found.get(lexeme) ?? []).filter(
      ({ word }) => !present.has(word) && (word.startsWith(lexeme) || word.endsWith(lexeme)),
    ),
  );
  return [
    ...lexemes,
    ...compounds.map(({ word, chunks }) => ({ lexeme: word, chunks, likeness: compoundLikeness })),
  ];
}
