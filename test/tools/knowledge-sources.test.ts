import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { purgeExpired } from '../../src/resources/trash/purge.ts';
import { refused } from '../helpers/design-project.ts';
import { file, type KnowledgeProject, openKnowledgeProject } from '../helpers/knowledge-project.ts';
import { openWorld, type RestAnswer, type World } from '../helpers/world.ts';

let world: World;
let project: KnowledgeProject;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openKnowledgeProject(world);
});
afterAll(() => world.close());

const website = { type: 'website', name: 'Site', url: 'https://www.example.com/help/' };
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const issuesOf = (answer: RestAnswer): string[] =>
  (refused(answer, 400, 'invalid_request').details as { issues: { path: string }[] }).issues.map(
    ({ path }) => path,
  );

/** The row of a source. */
const rowOf = async (id: string) => {
  const [row] = await world.rows('select * from knowledge_sources where id = $1', [id]);
  return row;
};

/** The decrypted file of a source. */
async function bytesOf(id: string): Promise<string> {
  const [row] = await world.rows('select sealed_content from knowledge_files where source_id = $1', [id]);
  const sealed = row?.['sealed_content'] as Buffer;
  const { open } = world.core.runtime.services;
  return open({ projectId: project.projectId }, 'knowledge_files', id, sealed).toString();
}

describe('a website', () => {
  test('is in progress at once, and has exactly the members of the contract', async () => {
    const answer = await project.add(website);
    expect({ status: answer.status, body: answer.body }).toStrictEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^cks/),
        name: 'Site',
        type: 'website',
        indexingStatus: 'inProgress',
        progress: 0,
        indexing: 'triggered',
      },
    });
    const details = { ...answer.body, url: website.url, fileName: null, pages: 0, indexedAt: null };
    expect(await project.read(answer.body.id)).toStrictEqual(details);
    const { sources } = (await project.call('GET', `/v1/knowledge/${project.knowledgeBaseId}/sources`)).body;
    expect(sources).toStrictEqual([details]);
    expect(await rowOf(answer.body.id)).toMatchObject({ url: website.url, max_pages: 50 });
  });

  test('accepts 1 to 1,000 for maxPages', async () => {
    for (const maxPages of [1, 1000]) expect((await project.add({ ...website, maxPages })).status).toBe(201);
    for (const maxPages of [0, 1001, 1.5, '5'])
      expect(issuesOf(await project.add({ ...website, maxPages }))).toStrictEqual(['/maxPages']);
  });

  test.each([
    'ftp://www.example.com/',
    'www.example.com',
    '/help',
    'https://',
    'http:www.example.com',
    'https://user@www.example.com/',
    'https://user:password@www.example.com/',
    'https://@www.example.com/',
    'https://www.example.com/a b',
    'https:\\\\www.example.com',
    `https://www.example.com/${'x'.repeat(2000)}`,
    '',
  ])('rejects the url %s', async (url) => {
    expect(issuesOf(await project.add({ ...website, url }))).toStrictEqual(['/url']);
  });

  test('rejects the members of a file, and a file those of a website', async () => {
    expect(issuesOf(await project.add({ ...file, ...website }))).toStrictEqual([
      '/fileName',
      '/mimeType',
      '/contentBase64',
    ]);
    expect(issuesOf(await project.add({ ...file, url: website.url, maxPages: 3 }))).toStrictEqual([
      '/url',
      '/maxPages',
    ]);
    expect(issuesOf(await project.add({ type: 'website', name: 'Site' }))).toStrictEqual(['/url']);
    expect(issuesOf(await project.add({ type: 'file', name: 'File' }))).toStrictEqual([
      '/fileName',
      '/mimeType',
      '/contentBase64',
    ]);
    expect(issuesOf(await project.add({ name: 'Site', url: website.url }))).toStrictEqual(['/type']);
  });
});

describe('a file', () => {
  test.each([
    ['fares.txt', 'text/plain'],
    ['FARES.MD', 'text/markdown; charset=utf-8'],
    ['fares.htm', 'text/html'],
    ['fares.csv', 'text/csv'],
    ['fares.pdf', 'application/pdf'],
    ['fares.docx', docx],
  ])('may have the name %s and the type %s', async (fileName, mimeType) => {
    const id = await project.newSource({ ...file, fileName, mimeType });
    expect(await rowOf(id)).toMatchObject({
      type: 'file',
      file_name: fileName,
      mime_type: mimeType,
      max_pages: null,
    });
  });

  test.each([
    ['fares.png', 'image/png', '/mimeType'],
    ['fares.zip', 'application/octet-stream', '/mimeType'],
    ['fares.pdf', docx, '/fileName'],
    ['fares', 'text/plain', '/fileName'],
    ['pdf', 'application/pdf', '/fileName'],
    ['fares.pdf', 'pdf', '/mimeType'],
  ])('cannot have the name %s and the type %s', async (fileName, mimeType, path) => {
    expect(issuesOf(await project.add({ ...file, fileName, mimeType }))).toStrictEqual([path]);
  });

  test('must be base64 and not empty', async () => {
    for (const contentBase64 of ['', '====', 'not base64!'])
      expect(issuesOf(await project.add({ ...file, contentBase64 }))).toStrictEqual(['/contentBase64']);
  });

  test('may have 25 MiB; one byte more returns 413, in JSON and in a form', async () => {
    const bytes = Buffer.alloc(26_214_401, 'a');
    const json = (size: number) => project.add({ ...file, contentBase64: bytes.toString('base64', 0, size) });
    expect((await json(26_214_400)).status).toBe(201);
    refused(await json(26_214_401), 413, 'payload_too_large');
    refused(await project.add(formOf(bytes, 'fares.txt')), 413, 'payload_too_large');
  });

  test('has the name and type of its form part, unless form fields replace them', async () => {
    const content = Buffer.from('# Fares\n');
    const added = await project.add(formOf(content, 'fares.md', { indexing: 'deferred' }));
    expect(added.body).toMatchObject({
      name: 'Fares',
      type: 'file',
      indexing: 'deferred',
      indexingStatus: 'idle',
    });
    expect(await rowOf(added.body.id)).toMatchObject({ file_name: 'fares.md', mime_type: 'text/markdown' });
    expect(await bytesOf(added.body.id)).toBe('# Fares\n');
    const named = { fileName: 'fares.html', mimeType: 'text/html' };
    const other = await project.add(formOf(content, 'upload.bin', named));
    expect(await rowOf(other.body.id)).toMatchObject({ file_name: 'fares.html', mime_type: 'text/html' });
    expect(issuesOf(await project.add(formOf(content, 'fares.exe')))).toStrictEqual(['/mimeType']);
    const without = new FormData();
    for (const [name, value] of Object.entries({ type: 'file', name: 'Fares' })) without.set(name, value);
    expect(issuesOf(await project.add(without))).toContain('/contentBase64');
    const misnamed = formOf(content, 'fares.md');
    misnamed.set('document', new Blob([content]), 'fares.md');
    expect(issuesOf(await project.add(misnamed))).toStrictEqual(['/document']);
  });

  test('shares the form endpoint with a website', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...website, maxPages: '7' })) form.set(name, value);
    const { body } = await project.add(form);
    expect(await rowOf(body.id)).toMatchObject({ url: website.url, max_pages: 7 });
  });

  test('is stored encrypted and never returned', async () => {
    const id = await project.newSource();
    const [stored] = await world.rows('select sealed_content from knowledge_files where source_id = $1', [
      id,
    ]);
    expect(String(stored?.['sealed_content'])).not.toContain('Children');
    expect(await bytesOf(id)).toContain('Children under six');
    expect(JSON.stringify(await project.read(id))).not.toContain('Children');
  });

  test('is added once for a repeated Idempotency-Key, which rejects another file', async () => {
    const { key, knowledgeBaseId } = project;
    const send = (body: object) =>
      world.rest('POST', `/v1/knowledge/${knowledgeBaseId}/sources`, {
        key,
        body,
        headers: { 'idempotency-key': 'once' },
      });
    const first = await send(file);
    expect((await send(file)).body).toStrictEqual(first.body);
    const other = { ...file, contentBase64: Buffer.from('# Other\n').toString('base64') };
    refused(await send(other), 400, 'invalid_request');
  });

  test('is purged with its trash entry, and not before', async () => {
    const [kept, gone, inBase] = [
      await project.newSource(),
      await project.newSource(),
      await project.newSource(),
    ];
    const filesOf = async () => {
      const rows = await world.rows('select source_id from knowledge_files where project_id = $1', [
        project.projectId,
      ]);
      return rows.map(({ source_id }) => source_id);
    };
    await project.remove(gone);
    await purgeExpired(world.core.knex);
    expect(await filesOf()).toHaveLength(3);
    await world.rows('update trash set expires_at = now() where resource_id = $1', [gone]);
    await purgeExpired(world.core.knex);
    expect(new Set(await filesOf())).toStrictEqual(new Set([kept, inBase]));
    await project.call('DELETE', `/v1/knowledge/${project.knowledgeBaseId}`);
    await purgeExpired(world.core.knex);
    expect(await filesOf()).toHaveLength(2);
    await world.rows('update trash set expires_at = now() where resource_id = $1', [project.knowledgeBaseId]);
    await purgeExpired(world.core.knex);
    expect(await filesOf()).toStrictEqual([]);
  });
});

test('returns 404 for a source in another base, and for restoring one whose base is deleted', async () => {
  const id = await project.newSource();
  const other = await openKnowledgeProject(world);
  const { body } = await project.call('POST', `/v1/projects/${project.projectId}/knowledge-bases`, {
    name: 'Other',
  });
  for (const base of [body.id, other.knowledgeBaseId]) {
    refused(await project.call('GET', `/v1/knowledge/${base}/sources/${id}`), 404, 'not_found');
    refused(await project.call('POST', `/v1/knowledge/${base}/sources/${id}/reindex`), 404, 'not_found');
    refused(await project.call('DELETE', `/v1/knowledge/${base}/sources/${id}`), 404, 'not_found');
  }
  await project.remove(id);
  const [entry] = await project.trash();
  await project.call('DELETE', `/v1/knowledge/${project.knowledgeBaseId}`);
  refused(await project.restore(entry?.id), 404, 'not_found');
});

test('adds a base64 file and reads its progress over MCP', async () => {
  const client = await world.mcp('modern http', project.key);
  const { knowledgeBaseId } = project;
  const added = await client.callTool({
    name: 'add_knowledge_source',
    arguments: { knowledgeBaseId, ...file },
  });
  const sourceId = added.structuredContent?.['id'];
  expect(added.structuredContent).toMatchObject({ type: 'file', indexingStatus: 'inProgress', progress: 0 });
  const read = await client.callTool({
    name: 'get_knowledge_source',
    arguments: { knowledgeBaseId, sourceId },
  });
  // The contract's record, and what reading adds to it.
  expect(read.structuredContent).toStrictEqual({
    ...added.structuredContent,
    fileName: 'fares.md',
  });
});

function formOf(content: Buffer, fileName: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ type: 'file', name: 'Fares', ...fields }))
    form.set(name, value);
  form.set('file', new Blob([new Uint8Array(content)]), fileName);
  return form;
}
