import type { Knex } from 'knex';

/**
 * Files on their way into an operation. They live for minutes, so archives leave them out. Pieces keep the memory of a
 * reader small, because each is encrypted on its own.
 */
const tables = `
  create table uploads (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    key_id text collate "C" not null,
    token_hash bytea not null unique,
    size integer,
    used_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    primary key (project_id, id)
  );
  create index uploads_expiry on uploads (expires_at);
  comment on table uploads is 'made anew';

  create table upload_pieces (
    project_id text collate "C" not null,
    upload_id text collate "C" not null,
    position integer not null,
    sealed_content bytea not null,
    primary key (project_id, upload_id, position),
    foreign key (project_id, upload_id) references uploads on delete cascade
  );
  alter table upload_pieces alter column sealed_content set storage external;
  comment on table upload_pieces is 'made anew';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
}
