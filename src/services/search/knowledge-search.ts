import type { Knex } from 'knex';
import { runSql } from '../../postgres/sql.ts';
import type { Bindings } from '../../postgres/statement.ts';
import { fluentQueries, type ParsedRow, parseBindings, parsedQueries, parseQuery } from './parsed-query.ts';
import { rankByWordsAndMeaning, settingsForNearest } from './rank-fusion.ts';
import { type PassageRow, rankByWords } from './ranking.ts';
import { findSimilar, type SimilarRow, similarBindings, withSimilar } from './similar-words.ts';
import type { QueryEmbedding } from './vectors.ts';
import { bestKnown, type WeightedQuery, weightedQuery } from './weighted-query.ts';

/**
 * A found chunk. The score is 0 to 1: the share of the query that the chunk matches by words or, if the search is by
 * meaning too, its fused rank, where 1 is the first place by both.
 */
export interface Passage {
  sourceId: string;
  sourceName: string;
  /** The address of a page; an uploaded file has none. */
  url?: string;
  heading?: string;
  text: string;
  score: number;
}

/** Knowledge bases and passages that a search for words reads at most. */
const [mostBases, mostPassages] = [100, 5];

/**
 * Passages with all the words, or their beginnings, in the language of the passage. It reads few chunks: the limits hold
 * inside, and the index starts with the base.
 */
const findMentions = `
  with spoken as (
    select base.project_id, base.id, base.name, language
    from knowledge_bases base join knowledge_words words
      on words.project_id = base.project_id and knowledge_base_id = base.id and word = ''
    where base.project_id = :projectId order by base.id desc limit ${mostBases}
  )
  select sources.id as "sourceId", sources.name as "sourceName", spoken.id as "knowledgeBaseId",
    spoken.name as "knowledgeBase", found.url, found.heading, found.text
  from spoken
  cross join lateral (
    select cast(string_agg('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || ''':*', ' & ') as tsquery) as words
    from unnest(knowledge_vector(spoken.language, :text))
  ) wanted
  cross join lateral (
    select source_id, url, heading, text from knowledge_chunks chunks
    where chunks.project_id = spoken.project_id and chunks.knowledge_base_id = spoken.id
      and chunks.language = spoken.language and search @@ wanted.words
    limit ${mostPassages}
  ) found
  join knowledge_sources sources on sources.project_id = spoken.project_id and sources.id = found.source_id
  order by spoken.id desc, sources.id desc limit ${mostPassages}`;

/** A passage that has the words of a text. */
export interface Mention {
  readonly sourceId: string;
  readonly sourceName: string;
  readonly knowledgeBaseId: string;
  readonly knowledgeBase: string;
  /** Of a page; empty for a file. */
  readonly url: string;
  readonly heading: string;
  readonly text: string;
}

/** Milliseconds for each statement: the person who asks is on the telephone. */
const patience = 5_000;

/** Searches the knowledge bases of a project. */
export class KnowledgeSearch {
  readonly #knex: Knex;
  readonly #projectId: string;

  constructor(knex: Knex, projectId: string) {
    this.#knex = knex;
    this.#projectId = projectId;
  }

  /**
   * The passages of a base that match a query best, in order; undefined if the base does not exist.
   * @param embed makes the query's vector; without it, or if it resolves to undefined, words alone decide
   */
  async passages(
    id: string,
    query: string,
    limit: number,
    embed?: () => Promise<QueryEmbedding | undefined>,
  ): Promise<Passage[] | undefined> {
    const parsed = await this.#rows<ParsedRow>(parseQuery, { id, ...parseBindings(query) });
    if (parsed.length === 0) return undefined;
    const isEmpty = parsed.every(({ language }) => language === null);
    const [queries, embedding] = await Promise.all([
      this.#weightedQueries(id, parsed),
      isEmpty ? undefined : embed?.(),
    ]);
    if (embedding) return (await this.#nearest({ id, limit }, queries, embedding)).map(toPassage);
    if (queries.length === 0) return [];
    const { sql, bindings } = rankByWords(queries);
    return (await this.#rows<PassageRow>(sql, { ...bindings, id, limit })).map(toPassage);
  }

  /** A few passages of any base with all words of a text, or with words that begin so. */
  mentions(text: string): Promise<Mention[]> {
    return this.#rows<Mention>(findMentions, { text });
  }

  async #nearest(
    base: { readonly id: string; readonly limit: number },
    queries: readonly WeightedQuery[],
    embedding: QueryEmbedding,
  ): Promise<PassageRow[]> {
    const { sql, bindings } = rankByWordsAndMeaning(queries, embedding);
    return this.#knex.transaction(async (trx) => {
      await runSql(trx, settingsForNearest);
      return this.#rows<PassageRow>(sql, { ...bindings, ...base }, trx);
    });
  }

  /** The query in each language of the base that knows a word of it. */
  async #weightedQueries(id: string, parsed: readonly ParsedRow[]): Promise<WeightedQuery[]> {
    const queries = parsedQueries(parsed);
    const { unknown, bindings } = similarBindings(queries);
    const similar = bindings ? await this.#rows<SimilarRow>(findSimilar, { id, ...bindings }) : [];
    const completed = queries.map((query) => withSimilar(query, unknown, similar));
    return bestKnown(fluentQueries(completed).flatMap((query) => weightedQuery(query) ?? []));
  }

  #rows<Row>(sql: string, bindings: Bindings, knex = this.#knex): Promise<Row[]> {
    return runSql<Row>(knex, sql, { ...bindings, projectId: this.#projectId }, patience);
  }
}

function toPassage({ source_id, name, type, url, heading, text, score }: PassageRow): Passage {
  return {
    sourceId: source_id,
    sourceName: name,
    ...(type === 'website' && { url }),
    ...(heading !== '' && { heading }),
    text,
    score: Math.min(1, score),
  };
}
