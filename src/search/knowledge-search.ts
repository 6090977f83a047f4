import type { Knex } from 'knex';
import { runSql } from '../db/sql.ts';
import type { Bindings } from '../db/statement.ts';
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
