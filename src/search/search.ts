import type { Knex } from 'knex';
import type { QuestionEmbedding } from '../store/embedder.ts';
import type { Queries } from '../store/queries.ts';
import { mergedRanking, settingsForNearest } from './merging.ts';
import { askedOf, type Question, questionOf } from './question.ts';
import { type PassageRow, rankingOf } from './ranking.ts';
import { fluentIn, type ReadRow, readingsOf, readQuestion, wordsToRead } from './reading.ts';
import { lookalikesOf, readSimilar, type SimilarRow, understood } from './similar.ts';

/**
 * A chunk that was found, with a score of 0 to 1: how much of the question it answers by its words or, where it was
 * looked for by meaning too, how near it stands to the first place by both.
 */
export interface Passage {
  sourceId: string;
  sourceName: string;
  /** Of a page; an uploaded file has none. */
  url?: string;
  heading?: string;
  text: string;
  score: number;
}

/** Milliseconds: whoever asks is on the telephone; a silent or busy database is given up. */
const patience = 5_000;

/** The search of a project's knowledge bases. */
export class KnowledgeSearchStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  /**
   * The passages of a base that answer a question best, in order; undefined where there is no such base.
   * @param embed makes the question's vector; undefined, as its answer may be: words alone tell
   */
  async passages(
    id: string,
    query: string,
    limit: number,
    embed?: () => Promise<QuestionEmbedding | undefined>,
  ): Promise<Passage[] | undefined> {
    const read = await this.#rows<ReadRow>(readQuestion, { id, ...wordsToRead(query) });
    if (read.length === 0) return undefined;
    const isEmpty = read.every(({ language }) => language === null);
    const [questions, embedding] = await Promise.all([
      this.#understand(id, read),
      isEmpty ? undefined : embed?.(),
    ]);
    if (embedding) return (await this.#nearest({ id, limit }, questions, embedding)).map(toPassage);
    if (questions.length === 0) return [];
    const { sql, bindings } = rankingOf(questions);
    return (await this.#rows<PassageRow>(sql, { ...bindings, id, limit })).map(toPassage);
  }

  /** By words and by meaning. */
  async #nearest(
    wanted: { readonly id: string; readonly limit: number },
    questions: readonly Question[],
    embedding: QuestionEmbedding,
  ): Promise<PassageRow[]> {
    const { sql, bindings } = mergedRanking(questions, embedding);
    return this.#queries.knex.transaction(async (trx) => {
      await trx.raw(settingsForNearest);
      return this.#rows<PassageRow>(sql, { ...bindings, ...wanted }, trx);
    });
  }

  /** The question in each language of the base that knows a word of it. */
  async #understand(id: string, read: readonly ReadRow[]): Promise<Question[]> {
    const readings = readingsOf(read);
    const { unknown, bindings } = lookalikesOf(readings);
    const similar = bindings ? await this.#rows<SimilarRow>(readSimilar, { id, ...bindings }) : [];
    const understandings = readings.map((reading) => understood(reading, unknown, similar));
    return askedOf(fluentIn(understandings).flatMap((reading) => questionOf(reading) ?? []));
  }

  async #rows<Row>(
    sql: string,
    bindings: Readonly<Record<string, Knex.Value>>,
    knex = this.#queries.knex,
  ): Promise<Row[]> {
    const values = { ...bindings, projectId: this.#projectId };
    return (await knex.raw<{ rows: Row[] }>(sql, values).timeout(patience)).rows;
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
