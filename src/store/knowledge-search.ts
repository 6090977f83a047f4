import type { Knex } from 'knex';
import { emptyWords } from './knowledge-empty-words.ts';
import { anyOf, candidates, isKnown, type Lexeme, type Question, questionOf } from './knowledge-question.ts';
import { type KnownWord, meant, partsOf, taken } from './knowledge-spelling.ts';
import { synonymsIn } from './knowledge-synonyms.ts';
import type { Queries } from './queries.ts';

/** A chunk that was found, by how much of the question it answers: 0 to 1. */
export interface Passage {
  sourceId: string;
  sourceName: string;
  url?: string;
  heading?: string;
  text: string;
  score: number;
}

/** A word of a question in one language of a base, and in how many of its chunks it is. */
interface ReadWord {
  readonly language: string;
  /** Chunks in the language. */
  readonly total: number;
  readonly position: number;
  readonly lexeme: string;
  readonly chunks: number;
  readonly isSynonym: boolean;
}

interface PassageRow {
  source_id: string;
  name: string;
  type: 'website' | 'file';
  url: string;
  heading: string;
  text: string;
  score: number;
}

/** The question as each language of the base reads it, as it was typed and as it would be without accents. */
const readQuestion = `
  select language, total::int, position, lexeme, chunks::int, is_synonym as "isSynonym"
  from knowledge_bases as base
  left join lateral (
    select spoken.language, spoken.chunks as total, position, lexeme, is_synonym,
      coalesce(known.chunks, 0) as chunks
    from knowledge_words as spoken
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
    left join unnest(cast(:emptyLanguages as text[]), cast(:emptyWords as text[])) as without (language, words)
      on without.language = spoken.language
    left join knowledge_words as known
      on known.project_id = spoken.project_id and known.knowledge_base_id = spoken.knowledge_base_id
        and known.language = spoken.language and known.word = lexeme
    where spoken.project_id = base.project_id and spoken.knowledge_base_id = base.id
      and spoken.word = '' and spoken.chunks > 0
      and (without.words is null or lexeme <> all(tsvector_to_array(knowledge_vector(spoken.language, without.words))))
  ) as words on true
  where base.project_id = :projectId and base.id = :id
  order by language, position, lexeme`;

/** For each word that a language of the base does not have those that look like it, and those it may be made of. */
const readSimilar = `
  select language, lexeme, word, chunks::int
  from unnest(cast(:languages as text[]), cast(:lexemes as text[])) as asked (language, lexeme)
  cross join lateral (
    select word, chunks from knowledge_words as known
    where project_id = :projectId and knowledge_base_id = :id and known.language = asked.language
      and word % lexeme and abs(length(word) - length(lexeme)) <= 2 and chunks > 0
  ) as looks_alike
  union all
  select language, lexeme, word, chunks::int
  from unnest(cast(:compounding as text[]), cast(:inside as text[])) as asked (language, lexeme)
  cross join lateral (
    select word, chunks from knowledge_words as known
    where project_id = :projectId and knowledge_base_id = :id and known.language = asked.language
      and (word like lexeme || '_%' or word like '%_' || lexeme) and chunks > 0
    order by chunks desc, word limit 20
  ) as made_with
  union all
  select language, lexeme, word, chunks::int
  from unnest(cast(:partLanguages as text[]), cast(:wholes as text[]), cast(:parts as text[])) as made (language, lexeme, part)
  join knowledge_words as known using (language)
  where project_id = :projectId and knowledge_base_id = :id and word = part and chunks > 0`;

/** So many chunks are looked at in each language. */
const mostCandidates = 1000;
/** Estimates may be wrong; what they let through is bounded as well. */
const candidateBound = 4 * mostCandidates;
/** What ts_rank gives words of the text and of the heading (D, C, B, A). */
const weights = `'{0.7, 0.7, 0.7, 1}'`;

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
    const synonyms = synonymsIn(query.normalize('NFC'));
    const read = await this.#rows<ReadWord | { language: null }>(readQuestion, {
      id,
      query: query.normalize('NFC'),
      synonymLanguages: synonyms.map(({ language }) => language),
      synonymWords: synonyms.map(({ word }) => word),
      synonyms: synonyms.map(({ synonym }) => synonym),
      emptyLanguages: emptyWords.map(({ language }) => language),
      emptyWords: emptyWords.map(({ words }) => words),
    });
    if (read.length === 0) return undefined;
    const words = read.filter((row): row is ReadWord => row.language !== null);
    const questions = await this.#understand(id, words);
    if (questions.length === 0) return [];
    const { sql, bindings } = ranking(questions);
    const rows = await this.#rows<PassageRow>(sql, { ...bindings, id, limit });
    return rows.map(toPassage);
  }

  /** One question for each language that knows a word of it. */
  async #understand(id: string, read: readonly ReadWord[]): Promise<Question[]> {
    const languages = Map.groupBy(read, ({ language }) => language);
    const readings = [...languages].map(([language, words]) => ({
      language,
      total: words[0]?.total ?? 0,
      words: new Map(
        [...Map.groupBy(words, ({ position }) => position)].map(([position, at]) => [
          position,
          at.filter((one) => one.chunks > 0 || !one.isSynonym).map(({ lexeme, chunks, isSynonym }): Lexeme => ({ lexeme, chunks, likeness: isSynonym ? Number(process.env['SYN'] ?? 0.6) : 1 })),
        ]),
      ),
    }));
    // A word that one language knows, or leaves out as saying nothing, is misspelt in none.
    const unknown = new Set(
      [...new Set(read.map(({ position }) => position))].filter((position) =>
        readings.every(({ words }) => {
          const lexemes = words.get(position);
          return lexemes !== undefined && !isKnown(lexemes);
        }),
      ),
    );
    const similar = await this.#similar(
      id,
      read.filter(({ position, isSynonym }) => !isSynonym && unknown.has(position)),
      read.filter(({ language, lexeme }) => isInside(lexeme)),
    );
    return readings.flatMap(({ language, total, words }) => {
      const understood = [...words].flatMap(([position, lexemes]) =>
        (unknown.has(position) ? guessed(lexemes, similar.get(language)) : [lexemes]).map((one) => withCompounds(one, similar.get(language))),
      );
      return questionOf(language, total, understood) ?? [];
    });
  }

  /** What may be meant by words that the base does not have, by language and word. */
  async #similar(id: string, unknown: readonly ReadWord[], inside: readonly ReadWord[]) {
    if (unknown.length + inside.length === 0) return new Map<string, Map<string, SimilarRow[]>>();
    const parts = unknown.flatMap(({ language, lexeme }) =>
      partsOf(lexeme).map((part) => ({ language, lexeme, part })),
    );
    const rows = await this.#rows<SimilarRow>(readSimilar, {
      id,
      languages: unknown.map(({ language }) => language),
      lexemes: unknown.map(({ lexeme }) => lexeme),
      compounding: inside.map(({ language }) => language),
      inside: inside.map(({ lexeme }) => lexeme),
      partLanguages: parts.map(({ language }) => language),
      wholes: parts.map(({ lexeme }) => lexeme),
      parts: parts.map(({ part }) => part),
    });
    return new Map(
      [...Map.groupBy(rows, ({ language }) => language)].map(([language, found]) => [
        language,
        Map.groupBy(found, ({ lexeme }) => lexeme),
      ]),
    );
  }

  async #rows<Row>(sql: string, bindings: Readonly<Record<string, Knex.Value>>): Promise<Row[]> {
    const values = { ...bindings, projectId: this.#projectId };
    return (await this.#queries.knex.raw<{ rows: Row[] }>(sql, values)).rows;
  }
}

interface SimilarRow extends KnownWord {
  readonly language: string;
  readonly lexeme: string;
}

/** What stands for an unknown word: the words that look like it, or else the two that it is made of, or itself. */
function guessed(lexemes: readonly Lexeme[], similar: ReadonlyMap<string, SimilarRow[]> | undefined) {
  for (const { lexeme } of lexemes) {
    const found = similar?.get(lexeme) ?? [];
    const alike = meant(lexeme, found);
    if (alike.length > 0) return [[...lexemes, ...alike]];
    const made = taken(lexeme, found);
    if (made) return made.map((one) => [one]);
  }
  return [lexemes];
}

/** Languages that write words together. */
const compounding = new Set(['danish', 'dutch', 'finnish', 'german', 'hungarian', 'norwegian', 'swedish']);
const isInside = (lexeme: string) => /^\p{L}{4,}$/u.test(lexeme);

function withCompounds(lexemes: readonly Lexeme[], similar: ReadonlyMap<string, SimilarRow[]> | undefined) {
  const there = new Set(lexemes.map(({ lexeme }) => lexeme));
  const compounds = lexemes.flatMap(({ lexeme }) =>
    (similar?.get(lexeme) ?? []).filter(({ word }) => word.length > lexeme.length && (word.startsWith(lexeme) || word.endsWith(lexeme)) && !there.has(word)),
  );
  return [...lexemes, ...compounds.map(({ word, chunks }): Lexeme => ({ lexeme: word, chunks, likeness: 0.5 }))];
}

/** The statement that ranks the candidates of each language by the words of the question that they have. */
function ranking(questions: readonly Question[]) {
  const bindings: Record<string, string | number> = {};
  const bind = (value: string | number) => {
    const name = `v${Object.keys(bindings).length}`;
    bindings[name] = value;
    return `:${name}`;
  };
  const L = Number(process.env['LAMBDA'] ?? 0), S = Number(process.env['SRC'] ?? 0), N = Number(process.env['NORM'] ?? 60), P = Number(process.env['POW'] ?? 1);
  const branches = questions.map((question) => {
    const whole = question.words.reduce((sum, { weight }) => sum + weight ** P, 0);
    const known = question.words.filter(({ lexemes }) => isKnown(lexemes));
    const terms = known.map(({ weight }, i) => `cast(${bind(weight ** P / whole)} as real) * (r${i} + ${L} * max(r${i}) over page)`);
    return `(
      select source_id, url, position, heading, text, (${terms.join(' + ')}) / ${1 + L} / (1 + ln(1 + length(search) / ${N}.0)) as score
      from (
        select *, ${known.map(({ lexemes }, i) => `${likelihood(lexemes, bind)} as r${i}`).join(', ')} from (
        select * from knowledge_chunks
        where project_id = :projectId and knowledge_base_id = :id
          and search @@ cast(${bind(candidates(question, mostCandidates))} as tsquery)
          and language = ${bind(question.language)}
        limit ${candidateBound} ) x
      ) as candidate
      window page as (partition by source_id, url)
      order by score desc, source_id, url, position limit :limit)`;
  });
  const sql = `
    select found.*, source.name, source.type
    from (${branches.join(' union all ')}) as found
    join knowledge_sources as source on source.project_id = :projectId and source.id = found.source_id
    where score > 0
    order by score desc, source_id, url, position limit :limit`;
  return { sql, bindings };
}

/** How well a chunk has a word: the best of the lexemes that stand for it. */
function likelihood(lexemes: readonly Lexeme[], bind: (value: string | number) => string): string {
  const ranks = [...Map.groupBy(lexemes, ({ likeness }) => likeness)].map(
    // The rank of several is the mean of theirs.
    ([likeness, alike]) =>
      `cast(${bind(likeness)} as real) * least(1, ${alike.length} * ts_rank(${weights}, search, cast(${bind(anyOf(alike))} as tsquery)))`,
  );
  return `greatest(${ranks.join(', ')})`;
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
