import type { Knex } from 'knex';

/**
 * Workers remove the pages and words of deleted sources and bases, because a statement that cascades over a large base
 * would exceed its time limit. Pages and words therefore no longer cascade. An empty `source_id` stands for the words of
 * a whole base, which are no longer counted, and are removed after its chunks.
 */
const removals = `
  create table knowledge_removals (
    project_id text collate "C" not null references projects,
    knowledge_base_id text collate "C" not null,
    source_id text collate "C" not null,
    created_at timestamptz(3) not null default now(),
    primary key (project_id, knowledge_base_id, source_id)
  );
  alter table knowledge_pages drop constraint knowledge_pages_source,
    add constraint knowledge_pages_project foreign key (project_id) references projects;
  alter table knowledge_words drop constraint knowledge_words_knowledge_base;

  create or replace function knowledge_words_removed() returns trigger
    language plpgsql set search_path from current
    as $function$
    begin
      perform from changed where not exists (
        select from knowledge_removals as removal
        where removal.project_id = changed.project_id and removal.knowledge_base_id = changed.knowledge_base_id
          and removal.source_id = ''
      ) limit 1;
      if not found then return null; end if;
      perform pg_advisory_xact_lock(hashtextextended(knowledge_base_id, 0))
      from (select distinct knowledge_base_id from changed order by 1) as bases;
      with gone as materialized (
        select project_id, knowledge_base_id, language, word, count(*) as chunks
        from changed cross join lateral (select unnest(tsvector_to_array(search)) union all select '') as has (word)
        group by project_id, knowledge_base_id, language, word
      ), last as (
        delete from knowledge_words as known using gone
        where known.project_id = gone.project_id and known.knowledge_base_id = gone.knowledge_base_id
          and known.language = gone.language and known.word = gone.word and known.chunks <= gone.chunks
      )
      update knowledge_words as known set chunks = known.chunks - gone.chunks
      from gone
      where known.project_id = gone.project_id and known.knowledge_base_id = gone.knowledge_base_id
        and known.language = gone.language and known.word = gone.word and known.chunks > gone.chunks;
      return null;
    end $function$;
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(removals);
}
