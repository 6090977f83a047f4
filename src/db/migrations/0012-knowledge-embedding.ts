import type { Knex } from 'knex';

/**
 * Which model has made vectors of a page's chunks, empty where none has: who embeds looks for pages of which that is
 * another than its own. `embedding_lease` is the fence: whoever wrote it last writes the vectors, and nobody once the
 * chunks are others; it is not taken over before `embedding_due`.
 */
const mark = `
  alter table knowledge_pages
    add column embedded_by text collate "C" not null default '',
    add column embedding_lease text,
    add column embedding_due timestamptz not null default '-infinity';
  comment on column knowledge_pages.embedded_by is 'made anew';
  comment on column knowledge_pages.embedding_lease is 'made anew';
  comment on column knowledge_pages.embedding_due is 'made anew';
  create index knowledge_pages_embedded_by on knowledge_pages (embedded_by) where status <> 'pending';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(mark);
}

export async function down(): Promise<void> {
  throw new Error('migrations go forward only');
}
