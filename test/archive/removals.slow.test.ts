import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKnowledgeProject } from '../helpers/knowledge-project.ts';
import { emptyDatabase, newHome, parley, query, start } from '../helpers/parley.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('a worker finishes the background deletions of an imported archive', async () => {
  const projects = [await openKnowledgeProject(world), await openKnowledgeProject(world)] as const;
  const [one, other] = projects;
  const website = { type: 'website', name: 'Site', url: 'https://example.com/', indexing: 'deferred' };
  const sources = [
    await one.newSource(website),
    await one.newSource(website),
    await other.newSource(website),
  ] as const;
  const [gone, kept] = sources;
  for (const [index, sourceId] of sources.entries()) {
    const { projectId, knowledgeBaseId } = index < 2 ? one : other;
    await world.rows(
      `insert into knowledge_pages (project_id, source_id, url, run, depth, status) values ($1, $2, '', 1, 0, 'done')`,
      [projectId, sourceId],
    );
    await world.rows(
      `insert into knowledge_chunks (project_id, knowledge_base_id, source_id, url, position, heading, text, language)
       select $1, $2, $3, '', place, '', 'Dogs travel free.', 'english' from generate_series(0, 9) as place`,
      [projectId, knowledgeBaseId, sourceId],
    );
  }
  await one.remove(gone);
  await other.call('DELETE', `/v1/knowledge/${other.knowledgeBaseId}`);

  const file = path.join(newHome(), 'export.gz');
  const home = newHome();
  const target = await emptyDatabase();
  const exported = await parley(['export', file], { DATABASE_URL: world.databaseUrl, PARLEY_HOME: home });
  expect(exported.code, exported.stderr).toBe(0);
  const imported = await parley(['import', file], { DATABASE_URL: target, PARLEY_HOME: home });
  expect(imported.code, imported.stderr).toBe(0);

  expect(await query(target, 'select from knowledge_removals')).toHaveLength(3);
  start(['worker'], { DATABASE_URL: target, PARLEY_HOME: home });
  await expect
    .poll(() => query(target, 'select from knowledge_removals'), { timeout: 30_000, interval: 100 })
    .toStrictEqual([]);
  expect(await query(target, 'select source_id from knowledge_pages')).toStrictEqual([{ source_id: kept }]);
  expect(await query(target, 'select distinct source_id from knowledge_chunks')).toStrictEqual([
    { source_id: kept },
  ]);
  expect(
    await query(
      target,
      `select knowledge_base_id as base, chunks from knowledge_words where word in ('', 'dog')`,
    ),
  ).toStrictEqual([
    { base: one.knowledgeBaseId, chunks: 10 },
    { base: one.knowledgeBaseId, chunks: 10 },
  ]);
});
