import type { Knex } from 'knex';
import { askedOf, type Question, questionOf } from './knowledge-question.ts';
import { type PassageRow, rankingOf } from './knowledge-ranking.ts';
import { type ReadWord, readingsOf, readQuestion, wordsToRead } from './knowledge-reading.ts';
import { lookalikesOf, readSimilar, type SimilarRow, understood } from './knowledge-similar.ts';
import type { Queries } from './queries.ts';

/** A chunk that was found, by how much of the question it answers: 0 to 1. */
export interface Passage {
  sourceId: string;
  sourceName: string;
  /** Of a page; an uploaded file has none. */
  url?: string;
  heading?: string;
  text: string;
  score: number;
}

/** The search of a project's knowledge bases. */
export class KnowledgeSearchStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  /** The passages of a base that answer a question best, in order; undefined where there is no such base. */
  async passages(id: string, query: string, limit: number): Promise<Passage[] | undefined> {
    const rows = await this.#rows<ReadWord | { language: null }>(readQuestion, { id, ...wordsToRead(query) });
    if (rows.length === 0) return undefined;
    const questions = await this.#understand(
      id,
      rows.filter((row): row is ReadWord => row.language !== null),
    );
    if (questions.length === 0) return [];
    const { sql, bindings } = rankingOf(questions);
    return (await this.#rows<PassageRow>(sql, { ...bindings, id, limit })).map(toPassage);
  }

  /** The question in each language of the base that knows a word of it. */
  async #understand(id: string, words: readonly ReadWord[]): Promise<Question[]> {
    const readings = readingsOf(words);
    const { unknown, bindings } = lookalikesOf(words, readings);
    const similar = bindings ? await this.#rows<SimilarRow>(readSimilar, { id, ...bindings }) : [];
    return readings.flatMap(
      (reading) => questionOf(reading.language, reading.total, understood(reading, unknown, similar)) ?? [],
    );
  }

  async #rows<Row>(sql: string, bindings: Readonly<Record<string, Knex.Value>>): Promise<Row[]> {
    const values = { ...bindings, projectId: this.#projectId };
    return (await this.#queries.knex.raw<{ rows: Row[] }>(sql, values)).rows;
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
