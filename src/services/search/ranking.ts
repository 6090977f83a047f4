import { candidateQueries } from './candidates.ts';
import { anyOf, type Lexeme } from './lexeme.ts';
import type { WeightedQuery } from './weighted-query.ts';

/** A found chunk with its source. */
export interface PassageRow {
  source_id: string;
  name: string;
  type: 'website' | 'file';
  url: string;
  heading: string;
  text: string;
  score: number;
}

/** Chunks that are ranked in each language. This is an estimate; the hard limit is twice as many. */
const mostCandidates = 1000;
/** The weights of ts_rank, D to A: words of the text have D, words of the heading A. */
const weights = `'{0.7, 0.7, 0.7, 1}'`;
/** The weight of a word that is elsewhere on the chunk's page; a word in the chunk counts 1. */
const nearby = 0.2;
/** The scale, in distinct words, by which longer chunks rank lower. */
const usualWords = 120;

/** Deleted sources whose chunks are not all removed yet; there are few, if any. */
export const beingRemoved = `
  select source_id from knowledge_removals where project_id = :projectId and knowledge_base_id = :id`;

/** Adds a value to a statement and returns its placeholder. */
export type Bind = (value: string | number) => string;

/** The values of a statement under generated names. */
export function newBindings() {
  const bindings: Record<string, string | number> = {};
  const bind: Bind = (value) => {
    const name = `v${Object.keys(bindings).length}`;
    bindings[name] = value;
    return `:${name}`;
  };
  return { bindings, bind };
}

/**
 * A statement that ranks the candidates of each language by the terms that they contain, with its bindings; the caller
 * adds `projectId`, `id` (of the base) and `limit`. A term adds up to its weight, more if the chunk repeats it.
 */
export function rankByWords(queries: readonly WeightedQuery[]) {
  const { bindings, bind } = newBindings();
  return { sql: passagesOf(rankedBy(queries, bind, ':limit')), bindings };
}

/** Selects the best chunks by words, with their scores. */
export function rankedBy(queries: readonly WeightedQuery[], bind: Bind, limit: string): string {
  const ranked = queries.map((query) => rankedIn(query, bind, limit));
  return `
    select * from (${ranked.join(' union all ')}) as ranked
    where score > 0
    order by score desc, source_id, url, position limit ${limit}`;
}

/** Adds texts and sources to the found chunks; texts of other chunks are never read. */
export function passagesOf(found: string): string {
  return `
    select chunk.source_id, chunk.url, heading, text, score, source.name, source.type
    from (${found}) as found
    join knowledge_chunks as chunk
      on chunk.project_id = :projectId and chunk.source_id = found.source_id and chunk.url = found.url
        and chunk.position = found.position
    join knowledge_sources as source on source.project_id = :projectId and source.id = found.source_id
    order by score desc, found.source_id, found.url, found.position`;
}

function rankedIn(query: WeightedQuery, bind: Bind, limit: string): string {
  const { language, terms } = query;
  const had = terms.map(({ lexemes }, index) => `${presence(lexemes, bind)} as had${index}`);
  const scores = terms.map(
    ({ weight }, index) =>
      `cast(${bind(weight)} as real) * (had${index} + ${nearby} * max(had${index}) over page)`,
  );
  const tsqueries = candidateQueries(query, mostCandidates).map((tsquery) => bind(tsquery));
  const selected = tsqueries.map(
    (tsquery, index) => `(
      select source_id, url, position, search from knowledge_chunks
      where project_id = :projectId and knowledge_base_id = :id and language = ${bind(language)}
        and search @@ cast(${tsquery} as tsquery)
        ${tsqueries
          .slice(0, index)
          .map((before) => `and not search @@ cast(${before} as tsquery)`)
          .join(' ')}
        and source_id not in (${beingRemoved})
      limit ${mostCandidates * 2})`,
  );
  // `offset 0` keeps Postgres from computing a rank again wherever it is used.
  return `(
    select source_id, url, position,
      (${scores.join(' + ')}) / ${1 + nearby} / (1 + ln(1 + words / ${usualWords}.0)) as score
    from (
      select source_id, url, position, length(search) as words, ${had.join(', ')}
      from (${selected.join(' union all ')}) as selected
      offset 0
    ) as candidate
    window page as (partition by source_id, url)
    order by score desc, source_id, url, position limit ${limit})`;
}

/** How well a chunk contains a term, 0 to 1: the rank of the best lexeme that stands for it. */
function presence(lexemes: readonly Lexeme[], bind: Bind): string {
  const ranks = [...Map.groupBy(lexemes, ({ likeness }) => likeness)].map(([likeness, alike]) => {
    const rank = `ts_rank(${weights}, search, cast(${bind(anyOf(alike))} as tsquery))`;
    // ts_rank of several lexemes is the mean of their ranks.
    return `cast(${bind(likeness)} as real) * least(1, ${alike.length} * ${rank})`;
  });
  return `greatest(${ranks.join(', ')})`;
}
