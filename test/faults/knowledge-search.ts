/**
 * Searches a knowledge base of a million chunks and a small one through the store, and compares the times
 * with those of Postgres's own query for the same words. Then deletes the large base. Writes
 * docs/measurements/knowledge-search.md. Fails if the median search of the large base takes more than twice
 * as long as Postgres's query for any of the words.
 *
 * Usage: node test/faults/knowledge-search.ts [--chunks 1000000]
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { migrate } from '../../src/postgres/migrate.ts';
import { openPool } from '../../src/postgres/pool.ts';
import { removeBatch } from '../../src/resources/knowledge/removals.ts';
import { storesIn } from '../../src/resources/project-stores.ts';
import { createOrganization, createProject } from '../../src/resources/projects/provisioning.ts';
import { runAsScript } from '../helpers/laboratory.ts';
import { readSite } from '../resources/knowledge/site-documents.ts';
import { type Vocabulary, vocabularies } from './zipf-text.ts';

const [smallBases, smallChunks, pageChunks, asked] = [20, 300, 10, 200];
const [reach, most] = [1.3, 2];
const say = (line: string) => console.error(line);

interface Base {
  readonly id: string;
  readonly chunks: number;
}

/** Fills a base with pages of ten chunks each, in the order in which indexing writes them. */
async function fill(
  url: string,
  projectId: string,
  base: Base,
  languages: readonly Vocabulary[],
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const source = `cks${base.id.slice(3)}`;
  await client.query(
    `insert into knowledge_sources (project_id, knowledge_base_id, id, name, type, url, max_pages, indexing_status, indexing)
     values ($1, $2, $3, 'Site', 'website', 'https://example.com', 50, 'completed', 'triggered')`,
    [projectId, base.id, source],
  );
  const pages = Math.ceil(base.chunks / pageChunks);
  await client.query(
    `insert into knowledge_pages (project_id, source_id, url, run, depth, status)
     select $1, $2, 'https://example.com/' || page, 1, 1, 'done' from generate_series(0, $3::int - 1) as page`,
    [projectId, source, pages],
  );
  const rows = function* () {
    for (let chunk = 0; chunk < base.chunks; chunk++) {
      const page = Math.floor(chunk / pageChunks);
      const vocabulary = languages[page % languages.length];
      if (!vocabulary) return;
      const place = [projectId, base.id, source, `https://example.com/${page}`, chunk % pageChunks];
      const heading = vocabulary.words(4);
      yield `${[...place, heading, vocabulary.words(100 + (chunk % 100)), vocabulary.language].join('\t')}\n`;
    }
  };
  const columns = 'project_id, knowledge_base_id, source_id, url, position, heading, text, language';
  await pipeline(Readable.from(rows()), client.query(from(`copy knowledge_chunks (${columns}) from stdin`)));
  await client.end();
}

/** Fills all bases, then builds the index and the word counts. This is far faster than page by page. */
async function fillAll(url: string, knex: Knex, projectId: string, bases: readonly Base[]): Promise<void> {
  const languages = vocabularies((await readSite()).flatMap(({ chunks }) => chunks));
  const { rows } = await knex.raw<{ rows: { definition: string }[] }>(
    `select pg_get_indexdef('knowledge_chunks_search'::regclass) as definition`,
  );
  await knex.raw('drop index knowledge_chunks_search');
  await knex.raw('alter table knowledge_chunks disable trigger user');
  const [large, ...small] = bases;
  if (large) await fill(url, projectId, large, languages);
  for (const base of small) await fill(url, projectId, base, languages);
  await knex.raw('alter table knowledge_chunks enable trigger user');
  await knex.raw(`set maintenance_work_mem = '1GB'`);
  await knex.raw(rows[0]?.definition ?? '');
  await knex.raw(`set work_mem = '512MB'`);
  await knex.raw(
    `insert into knowledge_words (project_id, knowledge_base_id, language, word, chunks)
     select project_id, knowledge_base_id, language, word, count(*)
     from knowledge_chunks
       cross join lateral (select unnest(tsvector_to_array(search)) union all select '') as has (word)
     group by project_id, knowledge_base_id, language, word`,
  );
  await knex.raw('vacuum analyze');
}

interface Question {
  readonly text: string;
  readonly language: string;
}

/** Draws questions of seven consecutive words of a chunk, so that each question has results. */
async function questionsTo(knex: Knex, { id, chunks }: Base): Promise<Question[]> {
  const questions: Question[] = [];
  while (questions.length < asked) {
    const drawn = Math.floor(Math.random() * chunks);
    const { rows } = await knex.raw<{ rows: Question[] }>(
      'select text, language from knowledge_chunks where source_id = ? and url = ? and position = ?',
      [`cks${id.slice(3)}`, `https://example.com/${Math.floor(drawn / pageChunks)}`, drawn % pageChunks],
    );
    const { text = '', language = '' } = rows[0] ?? {};
    const words = text.split(' ');
    const start = Math.floor(Math.random() * (words.length - 8));
    questions.push({ text: words.slice(start, start + 7).join(' '), language });
  }
  return questions;
}

type Ask = (question: Question) => Promise<unknown>;

/** Searches with Postgres alone: any or all of the words in the question's language, ranked by ts_rank. */
function plainly(knex: Knex, join: '|' | '&'): Ask {
  const statement = `
    with asked as (
      select string_agg(quote_literal(lexeme), ' ${join} ')::tsquery as query
      from unnest(tsvector_to_array(knowledge_vector(?, ?))) as lexeme
    )
    select source_id, url, position, text from knowledge_chunks
    where search @@ (select query from asked)
    order by ts_rank(search, (select query from asked)) desc limit 5`;
  return async ({ text, language }) => {
    await knex.raw(statement, [language, text]);
  };
}

interface Times {
  readonly what: string;
  readonly p50: number;
  readonly p95: number;
}

async function inTurn(questions: readonly Question[], asks: Readonly<Record<string, Ask>>): Promise<Times[]> {
  const times = new Map(Object.keys(asks).map((what) => [what, [] as number[]]));
  for (const [turn, question] of questions.entries())
    for (const [what, ask] of Object.entries(asks)) {
      const began = performance.now();
      await ask(question);
      // The first tenth of the questions warms up.
      if (turn >= questions.length / 10) times.get(what)?.push(performance.now() - began);
    }
  return [...times].map(([what, taken]) => {
    const sorted = taken.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    return { what, p50: at(0.5), p95: at(0.95) };
  });
}

/** Milliseconds of a deletion, of the removal of the rows that it leaves, and of the longest such batch. */
interface Deletion {
  readonly answered: number;
  readonly removed: number;
  readonly batches: number;
  readonly longestBatch: number;
}

async function deletionOf(knex: Knex, remove: () => Promise<unknown>): Promise<Deletion> {
  const timed = async <Result>(work: () => Promise<Result>) => {
    const began = performance.now();
    return { result: await work(), took: performance.now() - began };
  };
  const { took: answered } = await timed(remove);
  const batches: number[] = [];
  for (;;) {
    const { result: isMore, took } = await timed(() => removeBatch(knex));
    if (!isMore) break;
    batches.push(took);
  }
  const removed = batches.reduce((sum, took) => sum + took, 0);
  return { answered, removed, batches: batches.length, longestBatch: Math.max(...batches) };
}

await runAsScript(import.meta.url, 'chunks', 1_000_000, async (url, chunks) => {
  const knex = openPool({ connectionString: url, mode: 'write', max: 1, warn: say, statementTimeout: 0 });
  try {
    await migrate(knex, url, say);
    const organizationId = await createOrganization(knex, 'Org');
    const projectId = await createProject(knex, { name: 'Project', organizationId });
    const stores = storesIn(knex, projectId);
    const bases: Base[] = [];
    for (const size of [chunks, ...Array<number>(smallBases).fill(smallChunks)])
      bases.push({ id: (await stores.knowledgeBases.create('Base')).id, chunks: size });
    const began = performance.now();
    await fillAll(url, knex, projectId, bases);
    const seconds = (performance.now() - began) / 1000;
    const parley =
      ({ id }: Base): Ask =>
      ({ text }) =>
        stores.knowledgeSearch.passages(id, text, 5);
    const [large, small] = bases;
    if (!large || !small) throw new Error('there are no bases');
    const times = [
      ...(await inTurn(await questionsTo(knex, large), {
        'query_knowledge, the large base': parley(large),
        'Postgres alone, any of the words': plainly(knex, '|'),
        'Postgres alone, all of the words': plainly(knex, '&'),
      })),
      ...(await inTurn(await questionsTo(knex, small), {
        'query_knowledge, a small base': parley(small),
      })),
    ];
    const sizes = await knex.raw<{ rows: { name: string; bytes: string }[] }>(
      `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
       where relname in ('knowledge_chunks', 'knowledge_chunks_search', 'knowledge_words') order by 1`,
    );
    const ratio = (times[0]?.p50 ?? Number.NaN) / (times[1]?.p50 ?? Number.NaN);
    const deletion = await deletionOf(knex, () => stores.knowledgeBases.trash(large.id));
    const report = reportOf(chunks, times, ratio, sizes.rows, seconds, deletion);
    console.log(report);
    writeFileSync(path.resolve(import.meta.dirname, '../../docs/measurements/knowledge-search.md'), report);
    return ratio <= most;
  } finally {
    await knex.destroy();
  }
});

function reportOf(
  chunks: number,
  times: readonly Times[],
  ratio: number,
  sizes: readonly { name: string; bytes: string }[],
  seconds: number,
  { answered, removed, batches, longestBatch }: Deletion,
): string {
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
    encoding: 'utf8',
  }).trim();
  const processors = `${os.availableParallelism()} × ${os.cpus()[0]?.model.trim()}`;
  const verdict = ratio <= reach ? 'reached' : ratio <= most ? 'above the floor' : 'BELOW THE FLOOR';
  return `# Knowledge search

${new Date().toISOString()}, commit ${commit}, ${processors}, load ${os.loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}.
\`node test/faults/knowledge-search.ts --chunks ${chunks}\`

One base has ${chunks.toLocaleString('en-US')} chunks of 100 to 199 words, and each of ${smallBases} others has ${smallChunks}, in three languages. The text draws
the words of the tests' site from Zipf's distribution. Each of ${asked} questions has seven consecutive words of a chunk, and
goes to each search in turn. Times are milliseconds.

| | p50 | p95 |
|---|---|---|
${times.map(({ what, p50, p95 }) => `| ${what} | ${p50.toFixed(1)} | ${p95.toFixed(1)} |`).join('\n')}

Ratio of query_knowledge to Postgres's query for any of the words, p50: **${ratio.toFixed(2)}** (reach ${reach}, floor ${most}): ${verdict}.

On disk: ${sizes.map(({ name, bytes }) => `${name} ${(Number(bytes) / 1e6).toFixed(0)} MB`).join(', ')}. Filled in ${seconds.toFixed(0)} s.

The deletion of the large base took ${answered.toFixed(0)} ms. The removal of its rows took ${(removed / 1000).toFixed(1)} s in ${batches} batches, and the longest
batch took ${longestBatch.toFixed(0)} ms.
`;
}
