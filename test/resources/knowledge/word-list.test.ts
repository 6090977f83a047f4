import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { removeBatch } from '../../../src/resources/knowledge/removals.ts';
import { type KnowledgeProject, openKnowledgeProject } from '../../helpers/knowledge-project.ts';
import { openWorld, type World } from '../../helpers/world.ts';

let world: World;
let project: KnowledgeProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openKnowledgeProject(world);
});
afterAll(() => world.close());

const counted = `
  select language, word, chunks from knowledge_words where knowledge_base_id = $1 order by language, word`;
const expected = `
  select language, word collate "C" as word, count(*)::int as chunks from knowledge_chunks
    cross join lateral (select unnest(tsvector_to_array(search)) union all select '') as has (word)
  where knowledge_base_id = $1 group by 1, 2 order by language, 2`;

async function expectRightCounts(): Promise<Record<string, unknown>[]> {
  const words = await world.rows(counted, [project.knowledgeBaseId]);
  expect(words).toStrictEqual(await world.rows(expected, [project.knowledgeBaseId]));
  return words;
}

async function write(
  sourceId: string,
  url: string,
  texts: readonly string[],
  language = 'english',
  on?: pg.Client,
) {
  const { projectId, knowledgeBaseId } = project;
  const run = async (sql: string, values: unknown[]) =>
    void (await (on ? on.query(sql, values) : world.rows(sql, values)));
  await run(
    `insert into knowledge_pages (project_id, source_id, url, run, depth, status) values ($1, $2, $3, 1, 0, 'done')
     on conflict do nothing`,
    [projectId, sourceId, url],
  );
  await run(
    `insert into knowledge_chunks (project_id, knowledge_base_id, source_id, url, position, heading, text, language)
     select $1, $2, $3, $4, place, 'Fares', text, $6 from unnest($5::text[]) with ordinality as given (text, place)`,
    [projectId, knowledgeBaseId, sourceId, url, texts, language],
  );
}

/** Removes everything that workers would remove in the background. */
async function removeAll(): Promise<void> {
  while (await removeBatch(world.core.knex));
}

test('the word list matches the chunks, however they are deleted', async () => {
  const [first, second] = [await project.newSource(), await project.newSource()];
  await write(first, '/a', ['Dogs travel free.', 'Dogs and cats']);
  await write(first, '/b', ['Hunde reisen frei.'], 'german');
  await write(second, '/a', ['Dogs stay on deck.']);
  const words = await expectRightCounts();
  expect(words).toContainEqual({ language: 'english', word: 'dog', chunks: 3 });
  expect(words).toContainEqual({ language: 'english', word: '', chunks: 3 });
  await world.rows(`delete from knowledge_chunks where source_id = $1 and url = '/a' and position = 1`, [
    first,
  ]);
  expect(await expectRightCounts()).toContainEqual({ language: 'english', word: 'dog', chunks: 2 });
  await world.rows(`delete from knowledge_pages where source_id = $1 and url = '/b'`, [first]);
  expect(await expectRightCounts()).not.toContainEqual(expect.objectContaining({ language: 'german' }));
  await project.remove(second);
  await removeAll();
  expect(await expectRightCounts()).toContainEqual({ language: 'english', word: 'dog', chunks: 1 });
  const found = await project.call('POST', `/v1/knowledge/${project.knowledgeBaseId}/query`, {
    query: 'deck',
  });
  expect(found.body.results).toStrictEqual([]);
});

test('transactions that write the words of one base in opposite orders both succeed', async () => {
  const [first, second] = [await project.newSource(), await project.newSource()];
  const clients = [
    new pg.Client({ connectionString: world.databaseUrl }),
    new pg.Client({ connectionString: world.databaseUrl }),
  ];
  const [one, other] = clients as [pg.Client, pg.Client];
  for (const client of clients) await client.connect();
  onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))));
  await one.query('begin');
  await write(first, '/x', ['alpha'], 'english', one);
  await other.query('begin');
  const waits = write(second, '/x', ['alpha'], 'german', other);
  await vi.waitFor(async () => {
    const held = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect(await world.rows(held)).toHaveLength(1);
  });
  await write(first, '/y', ['alpha'], 'german', one);
  await one.query('commit');
  await waits;
  await write(second, '/y', ['alpha'], 'english', other);
  await other.query('commit');
  await expectRightCounts();
});

test('a deleted base loses its words', async () => {
  await project.call('DELETE', `/v1/knowledge/${project.knowledgeBaseId}`);
  await removeAll();
  expect(await world.rows(counted, [project.knowledgeBaseId])).toStrictEqual([]);
});
