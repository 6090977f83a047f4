import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KnowledgeProject, openKnowledgeProject } from '../../helpers/knowledge-project.ts';
import { openWorld, type World } from '../../helpers/world.ts';

let world: World;
let project: KnowledgeProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openKnowledgeProject(world);
  await fill();
}, 60_000);
afterAll(() => world.close());

/** Adds so many chunks that each common word exceeds the candidates of a query. Few chunks have two of the words, fewer three. */
async function fill() {
  const source = await project.newSource();
  const { projectId, knowledgeBaseId } = project;
  await world.rows(
    `insert into knowledge_pages (project_id, source_id, url, run, depth, status) values ($1, $2, '', 1, 0, 'done')`,
    [projectId, source],
  );
  await world.rows(
    `insert into knowledge_chunks (project_id, knowledge_base_id, source_id, url, position, heading, text, language)
     select $1, $2, $3, '', i, '',
       concat_ws(' ', 'Chunk', i, case when i < 3000 then 'dog' end, case when i between 2990 and 6000 then 'cabin' end,
         case when i between 2995 and 2997 or i > 6000 then 'night' end, case when i = 8999 then 'lamp' end), 'english'
     from generate_series(0, 8999) as i`,
    [projectId, knowledgeBaseId, source],
  );
}

async function found(query: string): Promise<string[]> {
  const { body } = await project.call('POST', `/v1/knowledge/${project.knowledgeBaseId}/query`, { query });
  return body.results.map(({ text }: { text: string }) => text);
}

test('ranks chunks with all common words before the thousands with one of them', async () => {
  const texts = await found('dog cabin night');
  expect(texts.slice(0, 3)).toEqual(['2995', '2996', '2997'].map((i) => `Chunk ${i} dog cabin night`));
  expect(texts).toHaveLength(5);
});

test('finds chunks for common words that never meet in one', async () => {
  expect(await found('dog dogs')).toHaveLength(5);
  expect((await found('chunk night')).every((text) => text.includes('night'))).toBe(true);
});

test('weighs a rare word more than common ones', async () => {
  expect((await found('cabin dog lamp'))[0]).toBe('Chunk 8999 night lamp');
});

test('finds one number among thousands', async () => {
  expect((await found('chunk 4711'))[0]).toBe('Chunk 4711 cabin');
});
