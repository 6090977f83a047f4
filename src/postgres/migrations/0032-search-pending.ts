import type { Knex } from 'knex';

/**
 * Flows and conversations whose entry is not up to date. Making an entry takes milliseconds, so a change only notes the
 * record here, and a worker makes the entry. Until then, a search reads the record itself.
 *
 * The row of a record is a lock. A change holds it until it commits, and a worker deletes it before it reads the
 * record: a worker that does not see a change leaves it a row.
 */
const pending = `
  create table search_pending (
    project_id text collate "C" not null,
    id text collate "C" not null,
    primary key (project_id, id)
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
  comment on table search_pending is 'made by triggers';
`;

/**
 * Flows and conversations from before the search, which the worker moves to `search_pending` in small batches. Indexing
 * them here would lock their tables for minutes. A search does not read them: there may be too many.
 */
const backlog = `
  create table search_backlog (
    project_id text collate "C" not null,
    id text collate "C" not null,
    primary key (project_id, id)
  );
  comment on table search_backlog is 'made by triggers';
  insert into search_backlog (project_id, id)
  select project_id, id from (
    select project_id, id from flows union all select project_id, id from conversations
  ) record
  where not exists (
    select from search_entries where search_entries.project_id = record.project_id and search_entries.id = record.id);
`;

/** Records of a project that wait at most, because every search reads them. Further changes make their entry at once. */
const mostPending = 50;

/** Volatile functions of PL/pgSQL: each of their statements sees what was committed before it. */
const functions = `
  create function search_index(project text, record text) returns void
    language plpgsql set search_path from current
    as $$ begin
      delete from search_pending where project_id = project and id = record;
      perform search_flow(project, record);
      perform search_conversation(project, record);
      delete from search_entries where project_id = project and id = record
        and not exists (select from flows where project_id = project and id = record)
        and not exists (select from conversations where project_id = project and id = record);
    end $$;

  create function search_later(project text, record text) returns void
    language plpgsql set search_path from current
    as $$ begin
      if exists (select from search_pending where project_id = project and id = record)
        or (select count(*) from (select from search_pending where project_id = project limit ${mostPending}) waiting)
          < ${mostPending}
      then
        insert into search_pending (project_id, id) values (project, record)
        on conflict (project_id, id) do update set id = excluded.id;
      else
        perform search_index(project, record);
      end if;
    end $$;
`;

const triggers = `
  create or replace function search_flow_changed() returns trigger language plpgsql
    set search_path from current
    as $$ begin
      perform search_later(new.project_id, new.id);
      return null;
    end $$;

  create or replace function search_flow_version_changed() returns trigger language plpgsql
    set search_path from current
    as $$ begin
      perform search_later(new.project_id, new.flow_id) from flows
      where project_id = new.project_id and id = new.flow_id
        and (new.is_active or new.version = newest_version);
      return null;
    end $$;

  create or replace function search_conversation_changed() returns trigger language plpgsql
    set search_path from current
    as $$ begin
      perform search_later(new.project_id, new.id);
      return null;
    end $$;

  create or replace function search_conversation_version_added() returns trigger language plpgsql
    set search_path from current
    as $$ begin
      perform search_later(new.project_id, new.conversation_id) from conversations
      where project_id = new.project_id and id = new.conversation_id
        and new.n in (newest_version, active_version);
      return null;
    end $$;

  create function search_versioned_record_deleted() returns trigger language plpgsql
    set search_path from current
    as $$ begin
      perform search_index(old.project_id, old.id);
      return null;
    end $$;
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(pending);
  await db.raw(backlog);
  await db.raw(functions);
  await db.raw(triggers);
  for (const table of ['flows', 'conversations'])
    await db.raw(`
      drop trigger search_record_deleted on ${table};
      create constraint trigger search_record_deleted after delete on ${table} deferrable for each row
        execute function search_versioned_record_deleted();
    `);
}
