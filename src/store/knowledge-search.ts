import type { Knex } from 'knex';
import { askedOf, type Question, questionOf } from './knowledge-question.ts';
import { type PassageRow, rankingOf } from './knowledge-ranking.ts';
import { fluentIn, type ReadRow, readingsOf, readQuestion, wordsToRead } from './knowledge-reading.ts';
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

  /** The passages of a base that answer a question best, in order; undefined where there is no such base. */
  async passages(id: string, query: string, limit: number): Promise<Passage[] | undefined> {
    const read = await this.#rows<ReadRow>(readQuestion, { id, ...wordsToRead(query) });
    if (read.length === 0) return undefined;
    const questions = await this.#understand(id, read);
    if (questions.length === 0) return [];
    const { sql, bindings } = rankingOf(questions);
    return (await this.#rows<PassageRow>(sql, { ...bindings, id, limit })).map(toPassage);
  }

  /** The question in each language of the base that knows a word of it. */
  async #understand(id: string, read: readonly ReadRow[]): Promise<Question[]> {
    const readings = readingsOf(read);
    const { unknown, bindings } = lookalikesOf(readings);
    const similar = bindings ? await this.#rows<SimilarRow>(readSimilar, { id, ...bindings }) : [];
    const understandings = readings.map((reading) => understood(reading, unknown, similar));
    return askedOf(fluentIn(understandings).flatMap((reading) => questionOf(reading) ?? []));
  }

  async #rows<Row>(sql: string, bindings: Readonly<Record<string, Knex.Value>>): Promise<Row[]> {
    const values = { ...bindings, projectId: this.#projectId };
    return (await this.#queries.knex.raw<{ rows: Row[] }>(sql, values).timeout(patience)).rows;
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
