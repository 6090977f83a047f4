import { emptyWords } from './empty-words.ts';
import { isKnown, type Lexeme } from './question.ts';
import { synonymsIn } from './synonyms.ts';

/** A word of a question as one language of a base reads it. */
interface ReadWord {
  readonly language: string;
  /** Chunks in the language. */
  readonly total: number;
  /** In the question, counted by words; a synonym stands where its word does. */
  readonly position: number;
  readonly lexeme: string;
  /** Chunks that have it. */
  readonly chunks: number;
  readonly isSynonym: boolean;
}

/** What `readQuestion` answers. */
export type ReadRow =
  | ReadWord
  | { readonly language: string | null; readonly total: number | null; readonly position: null };

/** A question as one language of a base reads it, word by word. */
export interface Reading {
  readonly language: string;
  readonly total: number;
  readonly words: ReadonlyMap<number, readonly Lexeme[]>;
}

/** What follows so many words of a question is not read. */
const wordsRead = 256;

/**
 * The question as each language that the base has reads it, without what says nothing. A language without words for it
 * has one row without a position, and an empty base one without a language.
 */
export const readQuestion = `
  select spoken.language, spoken.total, position, lexeme, read.chunks, is_synonym as "isSynonym"
  from knowledge_bases as base
  left join lateral (
    select language, chunks as total from knowledge_words
    where project_id = base.project_id and knowledge_base_id = base.id and word = ''
  ) as spoken on true
  left join lateral (
    select tsvector_to_array(knowledge_vector(spoken.language, words)) as lexemes
    from unnest(cast(:emptyLanguages as text[]), cast(:emptyWords as text[])) as listed (language, words)
    where listed.language = spoken.language offset 0
  ) as empty on true
  left join lateral (
    with asked as (
      select distinct lexeme, position::int
      from unnest(knowledge_vector(spoken.language, :query))
      cross join lateral unnest(positions) as position
      where position <= ${wordsRead}
    ),
    meant as (
      select lexeme, position, false as is_synonym from asked
      union
      select other, position, true
      from unnest(cast(:synonymLanguages as text[]), cast(:synonymWords as text[]), cast(:synonyms as text[]))
        as meaning (language, word, synonym)
      join asked on lexeme = any(tsvector_to_array(knowledge_vector(spoken.language, word)))
      cross join lateral unnest(tsvector_to_array(knowledge_vector(spoken.language, synonym))) as other
      where meaning.language = spoken.language and other <> lexeme
    )
    select lexeme, position, is_synonym, coalesce(known.chunks, 0) as chunks
    from meant
    left join knowledge_words as known
      on known.project_id = base.project_id and known.knowledge_base_id = base.id
        and known.language = spoken.language and known.word = lexeme
    where empty.lexemes is null or lexeme <> all(empty.lexemes)
  ) as read on true
  where base.project_id = :projectId and base.id = :id
  order by spoken.language, position, lexeme`;

/** What `readQuestion` is given of a question. */
export function wordsToRead(typed: string) {
  const query = typed.normalize('NFC');
  const synonyms = synonymsIn(query);
  return {
    query,
    synonymLanguages: synonyms.map(({ language }) => language),
    synonymWords: synonyms.map(({ word }) => word),
    synonyms: synonyms.map(({ synonym }) => synonym),
    emptyLanguages: emptyWords.map(({ language }) => language),
    emptyWords: emptyWords.map(({ words }) => words),
  };
}

/** The likeness of a word to itself. */
export const typed = 1;
const synonymLikeness = 0.6;

/** Signs that Postgres takes for words. */
const isWord = (lexeme: string) => /[\p{L}\p{N}]/u.test(lexeme);

/** The words of a question, language by language. */
export function readingsOf(rows: readonly ReadRow[]): Reading[] {
  return [...Map.groupBy(rows, ({ language }) => language)].flatMap(([language, ofLanguage]) => {
    const total = ofLanguage[0]?.total;
    if (language === null || total === null || total === undefined) return [];
    const words = ofLanguage.filter((row): row is ReadWord => row.position !== null && isWord(row.lexeme));
    const byPosition = [...Map.groupBy(words, ({ position }) => position)].map(
      ([position, here]) =>
        [position, here.filter(({ chunks, isSynonym }) => chunks > 0 || !isSynonym).map(toLexeme)] as const,
    );
    return { language, total, words: new Map(byPosition) };
  });
}

function toLexeme({ lexeme, chunks, isSynonym }: ReadWord): Lexeme {
  return { lexeme, chunks, likeness: isSynonym ? synonymLikeness : typed };
}

/** The positions of words that no language knows; where one leaves a word out as saying nothing, that is known. */
export function unknownIn(readings: readonly Reading[]): ReadonlySet<number> {
  const positions = new Set(readings.flatMap(({ words }) => [...words.keys()]));
  const isUnknown = (position: number) =>
    readings.every(({ words }) => {
      const lexemes = words.get(position);
      return lexemes !== undefined && !isKnown(lexemes);
    });
  return new Set([...positions].filter(isUnknown));
}

/** A language that makes something of fewer words than this part of what another one does has no say. */
const leastFluent = 1 / 2;

/** The languages that the question may be in: those that know its words, or know that they say nothing. */
export function fluentIn(readings: readonly Reading[]): Reading[] {
  const positions = new Set(readings.flatMap(({ words }) => [...words.keys()])).size;
  const fluency = ({ words }: Reading) =>
    positions - [...words.values()].filter((lexemes) => !isKnown(lexemes)).length;
  const most = Math.max(...readings.map(fluency));
  return readings.filter((reading) => fluency(reading) >= most * leastFluent);
}
