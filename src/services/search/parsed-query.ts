import { isKnown, type Lexeme } from './lexeme.ts';
import { stopWords } from './stop-words.ts';
import { synonymsIn } from './synonyms.ts';

/** A word of a query in one language of a base. */
interface ParsedWord {
  readonly language: string;
  /** How many chunks the language has. */
  readonly total: number;
  /** The position of the word in the query; a synonym has that of its word. */
  readonly position: number;
  readonly lexeme: string;
  /** How many chunks contain it. */
  readonly chunks: number;
  readonly isSynonym: boolean;
}

/** A row of `parseQuery`. */
export type ParsedRow =
  | ParsedWord
  | { readonly language: string | null; readonly total: number | null; readonly position: null };

/** A query in one language of a base. */
export interface ParsedQuery {
  readonly language: string;
  /** How many chunks the language has. */
  readonly total: number;
  /** The lexemes of each word, by its position. */
  readonly words: ReadonlyMap<number, readonly Lexeme[]>;
}

/** Words of a query that are parsed; the rest is ignored. */
const mostWords = 256;

/**
 * Parses a query in each language of a base, without stop words. A language without words for the query returns one row
 * without a position, and an empty base one row without a language.
 */
export const parseQuery = `
  select spoken.language, spoken.total, position, lexeme, parsed.chunks, is_synonym as "isSynonym"
  from knowledge_bases as base
  left join lateral (
    select language, chunks as total from knowledge_words
    where project_id = base.project_id and knowledge_base_id = base.id and word = ''
  ) as spoken on true
  left join lateral (
    select tsvector_to_array(knowledge_vector(spoken.language, words)) as lexemes
    from unnest(cast(:stopLanguages as text[]), cast(:stopWords as text[])) as listed (language, words)
    where listed.language = spoken.language offset 0
  ) as stop on true
  left join lateral (
    with typed as (
      select distinct lexeme, position::int
      from unnest(knowledge_vector(spoken.language, :query))
      cross join lateral unnest(positions) as position
      where position <= ${mostWords}
    ),
    meant as (
      select lexeme, position, false as is_synonym from typed
      union
      select other, position, true
      from unnest(cast(:synonymLanguages as text[]), cast(:synonymWords as text[]), cast(:synonyms as text[]))
        as meaning (language, word, synonym)
      join typed on lexeme = any(tsvector_to_array(knowledge_vector(spoken.language, word)))
      cross join lateral unnest(tsvector_to_array(knowledge_vector(spoken.language, synonym))) as other
      where meaning.language = spoken.language and other <> lexeme
    )
    select lexeme, position, is_synonym, coalesce(known.chunks, 0) as chunks
    from meant
    left join knowledge_words as known
      on known.project_id = base.project_id and known.knowledge_base_id = base.id
        and known.language = spoken.language and known.word = lexeme
    where stop.lexemes is null or lexeme <> all(stop.lexemes)
  ) as parsed on true
  where base.project_id = :projectId and base.id = :id
  order by spoken.language, position, lexeme`;

/** The bindings of `parseQuery` for a query, except `projectId` and `id`. */
export function parseBindings(text: string) {
  const query = text.normalize('NFC');
  const synonyms = synonymsIn(query);
  return {
    query,
    synonymLanguages: synonyms.map(({ language }) => language),
    synonymWords: synonyms.map(({ word }) => word),
    synonyms: synonyms.map(({ synonym }) => synonym),
    stopLanguages: stopWords.map(({ language }) => language),
    stopWords: stopWords.map(({ words }) => words),
  };
}

/** The likeness of a word to itself. */
export const exact = 1;
const synonymLikeness = 0.6;

/** Postgres also takes some signs for words. */
const isWord = (lexeme: string) => /[\p{L}\p{N}]/u.test(lexeme);

/** The query in each language of the base. */
export function parsedQueries(rows: readonly ParsedRow[]): ParsedQuery[] {
  return [...Map.groupBy(rows, ({ language }) => language)].flatMap(([language, ofLanguage]) => {
    const total = ofLanguage[0]?.total;
    if (language === null || total === null || total === undefined) return [];
    const words = ofLanguage.filter((row): row is ParsedWord => row.position !== null && isWord(row.lexeme));
    const byPosition = [...Map.groupBy(words, ({ position }) => position)].map(
      ([position, here]) =>
        [position, here.filter(({ chunks, isSynonym }) => chunks > 0 || !isSynonym).map(toLexeme)] as const,
    );
    return { language, total, words: new Map(byPosition) };
  });
}

function toLexeme({ lexeme, chunks, isSynonym }: ParsedWord): Lexeme {
  return { lexeme, chunks, likeness: isSynonym ? synonymLikeness : exact };
}

/** The positions of words that no language knows. A word that is a stop word in one language counts as known. */
export function unknownPositions(queries: readonly ParsedQuery[]): ReadonlySet<number> {
  const positions = new Set(queries.flatMap(({ words }) => [...words.keys()]));
  const isUnknown = (position: number) =>
    queries.every(({ words }) => {
      const lexemes = words.get(position);
      return lexemes !== undefined && !isKnown(lexemes);
    });
  return new Set([...positions].filter(isUnknown));
}

/** A language that knows fewer words than this share of what the best language knows is ignored. */
const leastFluent = 1 / 2;

/** The query in the languages that it may be in: those that know its words, or have them as stop words. */
export function fluentQueries(queries: readonly ParsedQuery[]): ParsedQuery[] {
  const positions = new Set(queries.flatMap(({ words }) => [...words.keys()])).size;
  const fluency = ({ words }: ParsedQuery) =>
    positions - [...words.values()].filter((lexemes) => !isKnown(lexemes)).length;
  const most = Math.max(...queries.map(fluency));
  return queries.filter((query) => fluency(query) >= most * leastFluent);
}
