import type { Lexeme } from './question.ts';
import { type Reading, typed, unknownIn } from './reading.ts';
import { type KnownWord, meant, partsOf, taken } from './spelling.ts';

/** A word of a base's list that is like one of the question's. */
export interface SimilarRow extends KnownWord {
  readonly language: string;
  readonly lexeme: string;
}

const mostCompounds = 20;

/**
 * For words that nobody knows those that look like them, and the two that they may be made of; for all others those
 * that are made with them.
 */
export const readSimilar = `
  select language, lexeme, word, chunks::int
  from unnest(cast(:unknownLanguages as text[]), cast(:unknown as text[])) as asked (language, lexeme)
  cross join lateral (
    select word, chunks from knowledge_words as known
    where project_id = :projectId and knowledge_base_id = :id and known.language = asked.language
      and word % lexeme and length(word) between length(lexeme) - 5 and length(lexeme) + 2
  ) as lookalike
  union all
  select language, lexeme, word, chunks::int
  from unnest(cast(:partLanguages as text[]), cast(:wholes as text[]), cast(:parts as text[]))
    as made (language, lexeme, part)
  join knowledge_words as known using (language)
  where project_id = :projectId and knowledge_base_id = :id and word = part
  union all
  select language, lexeme, word, chunks::int
  from unnest(cast(:insideLanguages as text[]), cast(:inside as text[])) as asked (language, lexeme)
  cross join lateral (
    select word, chunks from knowledge_words as known
    where project_id = :projectId and knowledge_base_id = :id and known.language = asked.language
      and word > lexeme and word < lexeme || U&'\\FFFF'
    order by chunks desc, word limit ${mostCompounds}
  ) as compound`;

/** Of a long question only the first words are looked up: each costs a look at the list. */
const mostLookedUp = 32;
/** Another number is not what is meant, and what is longer is no word. */
const misspelt = /^\P{N}{1,40}$/u;
/** Only of letters: numbers have no compounds. */
const insideWord = /^\p{L}{4,}$/u;

/** What to look up for a question, if anything, and the positions of the words that nobody knows. */
export function lookalikesOf(readings: readonly Reading[]) {
  const unknownPositions = unknownIn(readings);
  const typedWords = readings.flatMap(({ language, words }) => {
    const first = [...words].slice(0, mostLookedUp);
    return first.flatMap(([position, lexemes]) =>
      lexemes
        .filter(({ likeness }) => likeness === typed)
        .map(({ lexeme }) => ({ language, lexeme, position })),
    );
  });
  const unknown = typedWords.filter(
    ({ position, lexeme }) => unknownPositions.has(position) && misspelt.test(lexeme),
  );
  const inside = typedWords.filter(({ lexeme }) => insideWord.test(lexeme));
  const parts = unknown.flatMap(({ language, lexeme }) =>
    partsOf(lexeme).map((part) => ({ language, lexeme, part })),
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
  return { unknown: unknownPositions, bindings: isNeeded ? bindings : undefined };
}

/** A question with all that may stand for its words; one that is made of two becomes them. */
export function understood(
  { language, total, words }: Reading,
  unknown: ReadonlySet<number>,
  similar: readonly SimilarRow[],
): Reading {
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
 * What stands for an unknown word: those that are one mistake away, or else the two that it is made of, or else those
 * that are two away, or itself.
 */
function guessed(lexemes: readonly Lexeme[], found: Found): (readonly Lexeme[])[] {
  for (const { lexeme } of lexemes) {
    const similar = found.get(lexeme) ?? [];
    const near = meant(lexeme, similar, 1);
    if (near.length > 0) return [[...lexemes, ...near]];
    const made = taken(lexeme, similar);
    if (made) return made.map((one) => [one]);
    const far = meant(lexeme, similar, 2);
    if (far.length > 0) return [[...lexemes, ...far]];
  }
  return [lexemes];
}

const compoundLikeness = 0.5;

function withCompounds(lexemes: readonly Lexeme[], found: Found): readonly Lexeme[] {
  const there = new Set(lexemes.map(({ lexeme }) => lexeme));
  const compounds = lexemes.flatMap(({ lexeme }) =>
    (found.get(lexeme) ?? []).filter(
      ({ word }) => !there.has(word) && (word.startsWith(lexeme) || word.endsWith(lexeme)),
    ),
  );
  return [
    ...lexemes,
    ...compounds.map(({ word, chunks }) => ({ lexeme: word, chunks, likeness: compoundLikeness })),
  ];
}
