import { anyOf, candidates, type Lexeme, type Question } from './question.ts';

/** A chunk with its source. */
export interface PassageRow {
  source_id: string;
  name: string;
  type: 'website' | 'file';
  url: string;
  heading: string;
  text: string;
  score: number;
}

/** About so many chunks are looked at in each language; estimates may be wrong, and twice as many is the end. */
const mostCandidates = 1000;
/** What ts_rank gives words of the text (D) and of the heading (A). */
const weights = `'{0.7, 0.7, 0.7, 1}'`;
/** What a word counts that stands elsewhere on the chunk's page, where one in the chunk counts 1. */
const nearby = 0.2;
/** How many different words a chunk has before their number counts against it. */
const usualWords = 120;

/** Sources that were deleted, but not all that was found in them is removed; there are few, if any. */
export const beingRemoved = `
  select source_id from knowledge_removals where project_id = :projectId and knowledge_base_id = :id`;

/** Where a value stands in a statement. */
export type Bind = (value: string | number) => string;

/** Names for the values of a statement, and the values. */
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
 * The statement that ranks the candidates of each language by the words of the question that they have, and what it is
 * given; `projectId`, `id` of the base and `limit` come to that. One word counts, of the question's whole weight, as
 * much as it is telling, and up to that the more often it stands in the chunk.
 */
export function rankingOf(questions: readonly Question[]) {
  const { bindings, bind } = newBindings();
  return { sql: passagesOf(rankedBy(questions, bind, ':limit')), bindings };
}

/** The chunks that have most of the questions' words, and how much. */
export function rankedBy(questions: readonly Question[], bind: Bind, limit: string): string {
  const ranked = questions.map((question) => rankedIn(question, bind, limit));
  return `
    select * from (${ranked.join(' union all ')}) as ranked
    where score > 0
    order by score desc, source_id, url, position limit ${limit}`;
}

/** The passages of chunks that were found: of what is not answered no text is read. */
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

function rankedIn(question: Question, bind: Bind, limit: string): string {
  const { language, words } = question;
  const had = words.map(({ lexemes }, index) => `${presence(lexemes, bind)} as had${index}`);
  const terms = words.map(
    ({ weight }, index) =>
      `cast(${bind(weight)} as real) * (had${index} + ${nearby} * max(had${index}) over page)`,
  );
  const looks = candidates(question, mostCandidates).map((query) => bind(query));
  const looked = looks.map(
    (query, index) => `(
      select source_id, url, position, search from knowledge_chunks
      where project_id = :projectId and knowledge_base_id = :id and language = ${bind(language)}
        and search @@ cast(${query} as tsquery)
        ${looks
          .slice(0, index)
          .map((before) => `and not search @@ cast(${before} as tsquery)`)
          .join(' ')}
        and source_id not in (${beingRemoved})
      limit ${mostCandidates * 2})`,
  );
  // `offset 0` keeps Postgres from ranking a word anew wherever its rank is used.
  return `(
    select source_id, url, position,
      (${terms.join(' + ')}) / ${1 + nearby} / (1 + ln(1 + words / ${usualWords}.0)) as score
    from (
      select source_id, url, position, length(search) as words, ${had.join(', ')}
      from (${looked.join(' union all ')}) as looked
      offset 0
    ) as candidate
    window page as (partition by source_id, url)
    order by score desc, source_id, url, position limit ${limit})`;
}

/** How well a chunk has a word, up to 1: by the best of the lexemes that stand for it. */
function presence(lexemes: readonly Lexeme[], bind: Bind): string {
  const ranks = [...Map.groupBy(lexemes, ({ likeness }) => likeness)].map(([likeness, alike]) => {
    const rank = `ts_rank(${weights}, search, cast(${bind(anyOf(alike))} as tsquery))`;
    // The rank of several is the mean of theirs.
    return `cast(${bind(likeness)} as real) * least(1, ${alike.length} * ${rank})`;
  });
  return `greatest(${ranks.join(', ')})`;
}
