import { emptyWords } from './knowledge-empty-words.ts';
import { isKnown, type Lexeme } from './knowledge-question.ts';
import { synonymsIn } from './knowledge-synonyms.ts';

/** A word of a question as one language of a base reads it. */
export interface ReadWord {
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

/** A question as one language of a base reads it, word by word. */
export interface Reading {
  readonly language: string;
  readonly total: number;
  readonly words: ReadonlyMap<number, readonly Lexeme[]>;
}

/**
 * The question as each language that the base has reads it: as it was typed and as it would be without accents, without
 * what says nothing. One row without a language where the base is empty or there is nothing to read.
 */
export const readQuestion = `
  select language, total::int, position, lexeme, chunks::int, is_synonym as "isSynonym"
  from knowledge_bases as base
  left join lateral (
    select spoken.language, spoken.chunks as total, position, lexeme, is_synonym,
      coalesce(known.chunks, 0) as chunks
    from knowledge_words as spoken
    left join lateral (
      select tsvector_to_array(knowledge_vector(spoken.language, words)) as lexemes
      from unnest(cast(:emptyLanguages as text[]), cast(:emptyWords as text[])) as listed (language, words)
      where listed.language = spoken.language offset 0
    ) as empty on true
    cross join lateral (
      with asked as (
        select distinct lexeme, unnest(positions)::int as position
        from (values (:query), (knowledge_plain(:query))) as typed (words)
        cross join lateral unnest(knowledge_vector(spoken.language, words))
      )
      select lexeme, position, false as is_synonym from asked
      union
      select other, position, true
      from unnest(cast(:synonymLanguages as text[]), cast(:synonymWords as text[]), cast(:synonyms as text[]))
        as meaning (language, word, synonym)
      join asked on lexeme = any(tsvector_to_array(knowledge_vector(spoken.language, word)))
      cross join lateral unnest(tsvector_to_array(knowledge_vector(spoken.language, synonym))) as other
      where meaning.language = spoken.language and other <> lexeme
    ) as read
    left join knowledge_words as known
      on known.project_id = spoken.project_id and known.knowledge_base_id = spoken.knowledge_base_id
        and known.language = spoken.language and known.word = lexeme
    where spoken.project_id = base.project_id and spoken.knowledge_base_id = base.id and spoken.word = ''
      and (empty.lexemes is null or lexeme <> all(empty.lexemes))
  ) as words on true
  where base.project_id = :projectId and base.id = :id
  order by language, position, lexeme`;

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

const synonymLikeness = 0.6;

/** The words of a question, language by language. */
export function readingsOf(words: readonly ReadWord[]): Reading[] {
  return [...Map.groupBy(words, ({ language }) => language)].map(([language, ofLanguage]) => ({
    language,
    total: ofLanguage[0]?.total ?? 0,
    words: new Map(
      [...Map.groupBy(ofLanguage, ({ position }) => position)].map(([position, here]) => [
        position,
        here.filter(({ chunks, isSynonym }) => chunks > 0 || !isSynonym).map(toLexeme),
      ]),
    ),
  }));
}

function toLexeme({ lexeme, chunks, isSynonym }: ReadWord): Lexeme {
  return { lexeme, chunks, likeness: isSynonym ? synonymLikeness : 1 };
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
