import { beingRemoved, newBindings, passagesOf, rankedBy } from './ranking.ts';
import { type QueryEmbedding, vectorText } from './vectors.ts';
import type { WeightedQuery } from './weighted-query.ts';

/** How many passages are found by words, and as many by meaning. */
const mostOfEach = 50;
/** The constant of reciprocal rank fusion (Cormack, Clarke, Buettcher 2009): the larger, the less first places count. */
const constant = 60;
/** The score of a passage that is first by both. */
const best = 2 / (constant + 1);

/**
 * All bases share one vector index. pgvector 0.8 and newer scans it until enough passages of this base are found; for
 * older versions the larger `ef_search` makes that likely.
 */
export const settingsForNearest = `
  select set_config('hnsw.ef_search', '200', true),
    case when string_to_array(extversion, '.')::int[] >= '{0,8}'
      then set_config('hnsw.iterative_scan', 'strict_order', true) end
  from pg_extension where extname = 'vector'`;

const noneByWords = `select '' as source_id, '' as url, 0 as position, 0 as score where false`;

/**
 * A statement that fuses the ranking by words with the ranking by distance to the query's vector, with its bindings; the
 * caller adds `projectId`, `id` (of the base) and `limit`.
 */
export function rankByWordsAndMeaning(queries: readonly WeightedQuery[], embedding: QueryEmbedding) {
  const { bindings, bind } = newBindings();
  const { model, dimensions, vector } = embedding;
  const worded = queries.length > 0 ? rankedBy(queries, bind, `${mostOfEach}`) : noneByWords;
  const distance = `embedding::halfvec(${dimensions}) <=> cast(${bind(vectorText(vector))} as halfvec(${dimensions}))`;
  const share = (found: string) => `coalesce(1.0 / (${constant} + ${found}.place), 0)`;
  const merged = `
    with worded as materialized (
      select source_id, url, position, row_number() over (order by score desc, source_id, url, position) as place
      from (${worded}) as worded
    ), nearest as materialized (
      select source_id, url, position, row_number() over (order by distance, source_id, url, position) as place
      from (
        select source_id, url, position, ${distance} as distance
        from knowledge_embeddings
        where model = ${bind(model)} and project_id = :projectId and knowledge_base_id = :id
          and source_id not in (${beingRemoved})
        order by ${distance} limit ${mostOfEach}
      ) as near
    )
    select source_id, url, position,
      cast((${share('worded')} + ${share('nearest')}) / ${best} as double precision) as score
    from worded full join nearest using (source_id, url, position)
    order by score desc, source_id, url, position limit :limit`;
  return { sql: passagesOf(merged), bindings };
}
