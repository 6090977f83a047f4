import type { Knex } from 'knex';

/**
 * `embedded_by` names the model of a page's vectors, and is empty if there are none. A worker embeds the pages with
 * another model than its own. `embedding_lease` is a fencing token: only the worker that wrote it last may write vectors,
 * and none after the chunks have changed. Another worker may take it over after `embedding_due`.
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
