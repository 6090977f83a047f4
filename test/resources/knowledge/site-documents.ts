import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Knex } from 'knex';
import { newId } from '../../../src/platform/id.ts';
import { Threads } from '../../../src/platform/threads/threads.ts';
import type { Chunk } from '../../../src/resources/knowledge/extraction/extracted.ts';
import { openExtractor } from '../../../src/resources/knowledge/extraction/extractor.ts';
import type { KnowledgeSourceRow } from '../../../src/resources/knowledge/source-store.ts';

/** A page of the test site, or one of its documents. */
export interface SiteDocument {
  /** `site/en/dogs.html` */
  readonly name: string;
  readonly bytes: Buffer;
  readonly chunks: readonly Chunk[];
}

const base = 'https://ferries.example/';

/** Extracts every page that a crawl may read, and every document. */
export async function readSite(): Promise<SiteDocument[]> {
  const threads = new Threads();
  const extractor = openExtractor(threads);
  const { signal } = new AbortController();
  const names = globSync(['site/**/*.html', 'documents/*'], { cwd: import.meta.dirname });
  try {
    return await Promise.all(
      names
        .filter((name) => !name.startsWith('site/private/'))
        .toSorted()
        .map(async (name) => {
          const bytes = readFileSync(path.join(import.meta.dirname, name));
          const from = isPage(name)
            ? { url: urlOf(name), contentType: 'text/html' }
            : { fileName: path.basename(name) };
          return { name, bytes, chunks: (await extractor.extract({ bytes, ...from }, signal)).chunks };
        }),
    );
  } finally {
    await threads.close();
  }
}

export const isPage = (name: string) => name.startsWith('site/');
export const urlOf = (name: string) => base + name.slice('site/'.length);

/** Stores documents in a knowledge base as indexing does: all pages as one source, each other document as another. */
export async function storeSite(
  db: Knex,
  projectId: string,
  knowledgeBaseId: string,
  documents: readonly SiteDocument[],
): Promise<void> {
  const source = async (row: Partial<KnowledgeSourceRow>) => {
    const id = newId('knowledgeSource');
    const state = { indexing_status: 'completed', indexing: 'triggered', progress: 100 } as const;
    await db('knowledge_sources').insert({
      project_id: projectId,
      knowledge_base_id: knowledgeBaseId,
      id,
      ...row,
      ...state,
    });
    return id;
  };
  const site = await source({ name: 'Site', type: 'website', url: base, max_pages: 100 });
  for (const { name, chunks } of documents) {
    const file = { name, type: 'file' as const, file_name: path.basename(name), mime_type: 'text/plain' };
    const sourceId = isPage(name) ? site : await source(file);
    const page = {
      project_id: projectId,
      source_id: sourceId,
      url: isPage(name) ? urlOf(name) : '',
    };
    await db('knowledge_pages').insert({ ...page, run: 1, depth: 0, status: 'done' });
    const rows = chunks.map((chunk, position) => ({
      ...page,
      knowledge_base_id: knowledgeBaseId,
      position,
      heading: chunk.heading,
      text: chunk.text,
      language: chunk.language,
    }));
    if (rows.length > 0) await db('knowledge_chunks').insert(rows);
  }
}
