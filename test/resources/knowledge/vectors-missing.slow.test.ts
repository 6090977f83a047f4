import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type VectorState, vectorLack } from '../../../src/postgres/vector-schema.ts';
import { openKnowledgeProject } from '../../helpers/knowledge-project.ts';
import { emptyDatabase, newHome, parley, query } from '../../helpers/parley.ts';
import { openVectorDatabase } from '../../helpers/vector-database.ts';
import { openEmbeddingWorld, passage } from './embedding-world.ts';
import { storeSite } from './site-documents.ts';

const key = 'sk-nobody-may-read-this';

async function doctor(url: string, more: Record<string, string> = {}): Promise<string[]> {
  const env = { DATABASE_URL: url, PARLEY_HOME: newHome(), OPENAI_API_KEY: key, ...more };
  const { stdout } = await parley(['doctor', '--json'], env);
  const { checks } = JSON.parse(stdout) as { checks: { level: string; what: string; mend?: string }[] };
  return checks.filter(({ what }) => what.includes('pgvector')).map(({ level, what }) => `${level}: ${what}`);
}

test('searches by words alone without pgvector, logs that once, and does not call the model', async () => {
  const world = await openEmbeddingWorld({ withVectors: false });
  onTestFinished(() => world.close());
  const [line, ...more] = world.logLines('knowledge is searched by words alone');
  expect(line).toMatchObject({
    level: 40,
    reason: expect.stringMatching(/^the server has no pgvector: install /),
  });
  expect(more).toStrictEqual([]);
  const { projectId, knowledgeBaseId, call } = await openKnowledgeProject(world);
  await storeSite(world.core.knex, projectId, knowledgeBaseId, [
    { name: 'documents/cabins.md', bytes: Buffer.of(), chunks: [passage('A berth for each.')] },
  ]);
  const stop = await world.startWorkers();
  const { body } = await call('POST', `/v1/knowledge/${knowledgeBaseId}/query`, { query: 'berth' });
  expect(body.results).toMatchObject([{ text: 'A berth for each.' }]);
  await stop();
  expect(world.upstream.received).toStrictEqual([]);
  expect(await world.rows(`select to_regclass('knowledge_embeddings') as made`)).toStrictEqual([
    { made: null },
  ]);
  const model = { PARLEY_EMBEDDING_MODEL: 'e' };
  expect(await doctor(world.databaseUrl, model)).toStrictEqual([
    'warning: the server has no pgvector, so knowledge is searched by words alone',
  ]);
  expect(await doctor(world.databaseUrl)).toStrictEqual([]);
});

test('imports an archive without its vectors, into a server without pgvector', async () => {
  const [source, target] = [await openVectorDatabase(), await emptyDatabase()];
  onTestFinished(source.drop);
  const env = { PARLEY_HOME: newHome(), PARLEY_SECRET_KEY: 'a secret key of this test' };
  const at = (url: string) => ({ ...env, DATABASE_URL: url });
  const model = { OPENAI_API_KEY: key, PARLEY_EMBEDDING_MODEL: 'e' };
  expect(await doctor(source.url, model)).toStrictEqual([
    expect.stringMatching(/^ok: pgvector [.\d]+ is available: the next start creates its table$/),
  ]);
  expect(await parley(['migrate'], { ...at(source.url), ...model })).toMatchObject({ code: 0, stderr: '' });
  expect(await doctor(source.url, model)).toStrictEqual([
    expect.stringMatching(/^ok: pgvector 0\.\d+\.\d+ is available: knowledge is searched by meaning too$/),
  ]);
  await query(
    source.url,
    `insert into organizations (id, name) values ('cog00000001', 'O');
     insert into projects (id, organization_id, name, plan) values ('cpr00000001', 'cog00000001', 'P', 'growth');
     insert into knowledge_bases (project_id, id, name) values ('cpr00000001', 'ckb00000001', 'K');
     insert into knowledge_sources (project_id, knowledge_base_id, id, name, type, url, max_pages, indexing_status, indexing)
       values ('cpr00000001', 'ckb00000001', 'cks00000001', 'S', 'website', 'https://a.example/', 1, 'completed', 'triggered');
     insert into knowledge_pages (project_id, source_id, url, run, depth, status, embedded_by)
       values ('cpr00000001', 'cks00000001', 'https://a.example/', 1, 0, 'done', 'e 3');
     insert into knowledge_chunks (project_id, knowledge_base_id, source_id, url, position, heading, text, language)
       values ('cpr00000001', 'ckb00000001', 'cks00000001', 'https://a.example/', 0, '', 'A berth.', 'english');
     insert into knowledge_embeddings values
       ('cpr00000001', 'ckb00000001', 'cks00000001', 'https://a.example/', 0, 'e 3', '[1,2,3]')`,
  );
  const file = path.join(newHome(), 'archive.gz');
  expect(await parley(['export', file], at(source.url))).toMatchObject({ code: 0 });
  expect(await parley(['import', file], at(target))).toMatchObject({ code: 0 });
  expect(await query(target, 'select url, embedded_by from knowledge_pages')).toStrictEqual([
    { url: 'https://a.example/', embedded_by: '' },
  ]);
  expect(await query(target, 'select text from knowledge_chunks')).toStrictEqual([{ text: 'A berth.' }]);
});

describe('the report of a missing extension', () => {
  const state = (more: Partial<VectorState>): VectorState => ({
    made: false,
    installed: null,
    available: null,
    ...more,
  });
  test.each<[what: string, state: VectorState, lack: string | undefined, mend: RegExp]>([
    ['no pgvector', state({}), 'the server has no pgvector', /^install pgvector/],
    ['an old pgvector', state({ available: '0.6.2' }), 'pgvector 0.6.2 is too old', /^install pgvector 0.7/],
    [
      'an old pgvector in the database',
      state({ installed: '0.5.0', available: '0.8.0' }),
      'pgvector 0.5.0 is too old',
      /^run "alter extension vector update"/,
    ],
    ['nothing, if pgvector is only not installed yet', state({ available: '0.7.0' }), undefined, /^$/],
    [
      'nothing, if the database has a newer one than the server offers',
      state({ installed: '0.8.0', available: '0.5.0' }),
      undefined,
      /^$/,
    ],
    ['nothing, if pgvector is installed', state({ made: true, installed: '0.10.0' }), undefined, /^$/],
  ])('names %s', (_, found, lack, mend) => {
    const report = vectorLack(found);
    expect(report.lack).toBe(lack);
    expect(report.mend ?? '').toMatch(mend);
  });
});
