import { type QuestionEmbedding, vectorText } from '../store/embedder.ts';
import type { Question } from './question.ts';
import { beingRemoved, newBindings, passagesOf, rankedBy } from './ranking.ts';

/** How many passages are looked for by words, and as many by meaning. */
const mostOfEach = 50;
/** Of reciprocal rank fusion (Cormack, Clarke, Buettcher 2009): the larger, the less the first places count. */
const constant = 60;
/** What the first place by both comes to. */
const best = 2 / (constant + 1);

/**
 * An index that is shared by all bases goes on until so many passages of this one are found, where pgvector can (0.8);
 * else it looks at more at once.
 */
export const settingsForNearest = `
  select set_config('hnsw.ef_search', '200', true),
    case when string_to_array(extversion, '.')::int[] >= '{0,8}'
      then set_config('hnsw.iterative_scan', 'strict_order', true) end
  from pg_extension where extname = 'vector'`;

const noneByWords = `select '' as source_id, '' as url, 0 as position, 0 as score where false`;

/**
 * The statement that merges the passages that have the question's words with those that are nearest to its vector, by
 * their places, and what it is given; `projectId`, `id` of the base and `limit` come to that.
 */
export function mergedRanking(questions: readonly Question[], embedding: QuestionEmbedding) {
  const { bindings, bind } = newBindings();
  const { model, dimensions, vector } = embedding;
  const worded = questions.length > 0 ? rankedBy(questions, bind, `${mostOfEach}`) : noneByWords;
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
