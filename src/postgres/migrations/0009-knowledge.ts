import type { Knex } from 'knex';

/**
 * A run indexes a source once. Its frontier is in `knowledge_pages`: one transaction writes a page, its chunks, its links
 * and the progress, so that another worker can continue after a crash. The chunks of the previous run remain searchable
 * until their page is indexed again. `lease` is a fencing token: only the worker that wrote it last may write pages.
 */
const tables = `
  create table knowledge_sources (
    project_id text collate "C" not null,
    knowledge_base_id text collate "C" not null,
    id text collate "C" not null,
    name text not null,
    type text not null check (type in ('website', 'file')),
    url text,
    max_pages integer,
    file_name text,
    mime_type text,
    indexing_status text not null check (indexing_status in ('idle', 'inProgress', 'completed')),
    indexing text not null check (indexing in ('deferred', 'triggered')),
    progress smallint not null default 0 check (progress between 0 and 100),
    error text,
    run bigint not null default 0,
    lease text,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id),
    check (case type when 'website' then url is not null and max_pages is not null
                     else file_name is not null and mime_type is not null end),
    constraint knowledge_sources_knowledge_base
      foreign key (project_id, knowledge_base_id) references knowledge_bases on delete cascade
  );
  create index knowledge_sources_knowledge_base on knowledge_sources (project_id, knowledge_base_id, id);

  create table knowledge_files (
    project_id text collate "C" not null references projects,
    source_id text collate "C" not null,
    sealed_content bytea not null,
    primary key (project_id, source_id)
  );
  alter table knowledge_files alter sealed_content set storage external;

  create table knowledge_pages (
    project_id text collate "C" not null,
    source_id text collate "C" not null,
    url text collate "C" not null,
    run bigint not null,
    depth integer not null,
    status text not null check (status in ('pending', 'done', 'failed', 'skipped')),
    title text,
    error text,
    primary key (project_id, source_id, url),
    constraint knowledge_pages_source
      foreign key (project_id, source_id) references knowledge_sources on delete cascade
  );

  create table knowledge_chunks (
    project_id text collate "C" not null,
    knowledge_base_id text collate "C" not null,
    source_id text collate "C" not null,
    url text collate "C" not null,
    position integer not null,
    heading text not null,
    text text not null,
    language text not null,
    primary key (project_id, source_id, url, position),
    constraint knowledge_chunks_page
      foreign key (project_id, source_id, url) references knowledge_pages on delete cascade
  );
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
}
