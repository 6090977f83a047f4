import type { Knex } from 'knex';

/** Members of designs whose texts are no words: ids of other parts, and values of fixed lists. */
const references = [
  'id',
  'kind',
  'type',
  'schemaVersion',
  'stepId',
  'variableId',
  'responseVariableId',
  'knowledgeBaseId',
  'integrationId',
  'integrationRef',
  'rootNodeId',
  'prematureHangupNodeId',
  'hookNode',
  'step',
  'next',
  'target',
  'failed',
  'declined',
  'fallback',
  'noAnswer',
  'mode',
  'source',
  'operator',
];

/**
 * `search_lines` returns every text of a document except references; `search_plain` is the form in which texts are
 * compared, without case and accents. It is cheap for ASCII, which most texts are.
 */
const lines = `
  create function search_plain(words text) returns text
    language sql immutable strict parallel safe
    as $$ select case when octet_length(words) = char_length(words)
      then lower(translate(words, E'\\n\\r\\t', '   '))
      else regexp_replace(normalize(lower(translate(words, E'\\n\\r\\t\\u00A0', '    ')), NFD),
        E'[\\u0300-\\u036F]', '', 'g') end $$;

  create function search_pattern(words text) returns text
    language sql immutable strict parallel safe
    as $$ select '%' || regexp_replace(search_plain(words), '([%_\\\\])', '\\\\\\1', 'g') || '%' $$;

  create function search_lines(document jsonb) returns table (pointer text, line text)
    language sql immutable strict parallel safe set search_path from current
    as $$
    with recursive node (pointer, key, value) as (
      select '', cast(null as text), document
      union all
      select node.pointer || '/' || replace(replace(child.name, '~', '~0'), '/', '~1'), child.key, child.value
      from node cross join lateral (
        select key as name, key, value
        from jsonb_each(case jsonb_typeof(node.value) when 'object' then node.value else '{}' end)
        union all
        select (ordinality - 1)::text, null, value
        from jsonb_array_elements(case jsonb_typeof(node.value) when 'array' then node.value else '[]' end)
          with ordinality
      ) child
    )
    select pointer, value #>> '{}' from node
    where jsonb_typeof(value) = 'string'
      and (key is null or key <> all ('{${references.join(',')}}')) $$;

  create function search_words(document jsonb) returns text
    language sql immutable strict parallel safe set search_path from current
    as $$ select search_plain(string_agg(line, E'\\x1f')) from search_lines(document) $$;
`;

/**
 * One row for each record that a search may find. `fields` are the texts of the record itself, `texts` everything that
 * is searched, in the form of `search_plain`: of flows and conversations also the newest and the active version. The
 * index finds any part of a word; where Postgres has no trigrams for a script, it reads the rows of the project. A small
 * pending list keeps a write from waiting while thousands of earlier entries are sorted in.
 */
const entries = `
  create table search_entries (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    kind text not null,
    fields jsonb not null,
    texts text not null,
    primary key (project_id, id)
  );
  comment on table search_entries is 'made by triggers';
  create index search_entries_texts on search_entries using gin (project_id, texts gin_trgm_ops)
    with (gin_pending_list_limit = 256);

  create function search_store(project text, record text, record_kind text, shown jsonb, versions text)
    returns void language sql set search_path from current
    as $$
    insert into search_entries as stored (project_id, id, kind, fields, texts)
    values (project, record, record_kind, shown, concat_ws(E'\\x1f', search_words(shown), versions))
    on conflict (project_id, id) do update set fields = excluded.fields, texts = excluded.texts
    where stored.texts <> excluded.texts or stored.fields <> excluded.fields $$;

  create function search_flow(project text, flow text) returns void
    language sql set search_path from current
    as $$
    select search_store(project_id, id, 'flow',
      jsonb_strip_nulls(jsonb_build_object('name', name, 'description', description)),
      (select string_agg(search_words(flow_schema::jsonb), E'\\x1f') from flow_versions
       where project_id = flows.project_id and flow_id = flows.id
         and (version = flows.newest_version or is_active)))
    from flows where project_id = project and id = flow $$;

  create function search_conversation(project text, conversation text) returns void
    language sql set search_path from current
    as $$
    select search_store(project_id, id, 'conversation',
      jsonb_strip_nulls(jsonb_build_object('name', name, 'description', description)),
      (select string_agg(search_words(case json_typeof(design) when 'object' then design::jsonb - 'compliance' end), E'\\x1f') from conversation_versions
       where project_id = conversations.project_id and conversation_id = conversations.id
         and n in (conversations.newest_version, conversations.active_version)))
    from conversations where project_id = project and id = conversation $$;

  create function search_knowledge_source(project text, source text) returns void
    language sql set search_path from current
    as $$
    select search_store(project_id, id, 'knowledgeSource',
      jsonb_strip_nulls(jsonb_build_object('name', name, 'url', url, 'fileName', file_name, 'pages',
        (select jsonb_object_agg(page.url, title) from knowledge_pages as page
         where page.project_id = knowledge_sources.project_id and source_id = knowledge_sources.id
           and title is not null))), null)
    from knowledge_sources where project_id = project and id = source $$;
`;

/**
 * Deferrable, so that an import, which defers constraints, runs them once everything is loaded. Creating a flow or a
 * conversation runs them once, because a version comes with it.
 */
const triggers = `
  create function search_flow_changed() returns trigger language plpgsql set search_path from current
    as $$ begin
      perform search_flow(new.project_id, new.id);
      return null;
    end $$;
  create constraint trigger search_flow_changed after update on flows deferrable for each row
    when (old.name <> new.name or old.description is distinct from new.description)
    execute function search_flow_changed();

  create function search_flow_version_changed() returns trigger language plpgsql set search_path from current
    as $$ begin
      perform search_flow(new.project_id, new.flow_id) from flows
      where project_id = new.project_id and id = new.flow_id
        and (new.is_active or new.version = newest_version);
      return null;
    end $$;
  create constraint trigger search_flow_version_added after insert on flow_versions deferrable for each row
    execute function search_flow_version_changed();
  create constraint trigger search_flow_version_activated after update on flow_versions deferrable for each row
    when (new.is_active and not old.is_active) execute function search_flow_version_changed();

  create function search_conversation_changed() returns trigger language plpgsql set search_path from current
    as $$ begin
      perform search_conversation(new.project_id, new.id);
      return null;
    end $$;
  create constraint trigger search_conversation_changed after update on conversations deferrable for each row
    when (old.name <> new.name or old.description is distinct from new.description
      or old.active_version <> new.active_version)
    execute function search_conversation_changed();

  create function search_conversation_version_added() returns trigger language plpgsql
    set search_path from current
    as $$ begin
      perform search_conversation(new.project_id, new.conversation_id) from conversations
      where project_id = new.project_id and id = new.conversation_id
        and new.n in (newest_version, active_version);
      return null;
    end $$;
  create constraint trigger search_conversation_version_added after insert on conversation_versions deferrable
    for each row execute function search_conversation_version_added();

  create function search_knowledge_source_changed() returns trigger language plpgsql
    set search_path from current
    as $$ begin
      perform search_knowledge_source(new.project_id, new.id);
      return null;
    end $$;
  create constraint trigger search_knowledge_source_added after insert on knowledge_sources deferrable
    for each row execute function search_knowledge_source_changed();
  create constraint trigger search_knowledge_source_changed after update on knowledge_sources deferrable
    for each row when (old.name <> new.name or old.indexing_status <> new.indexing_status)
    execute function search_knowledge_source_changed();

  create function search_record_changed() returns trigger language plpgsql set search_path from current
    as $$ begin
      perform search_store(new.project_id, new.id, tg_argv[0],
        jsonb_strip_nulls(jsonb_build_object('name', new.name, 'number', to_jsonb(new) -> 'number')), null);
      return null;
    end $$;

  create function search_record_deleted() returns trigger language plpgsql set search_path from current
    as $$ begin
      delete from search_entries where project_id = old.project_id and id = old.id;
      return null;
    end $$;
`;

/** The tables of records that a search finds, with their kinds; those of which only name and number are searched. */
const plainRecords = {
  agent_profiles: 'agentProfile',
  voices: 'voice',
  phone_numbers: 'phoneNumber',
  web_agents: 'webAgent',
  knowledge_bases: 'knowledgeBase',
  integrations: 'integration',
};
const otherRecords = ['flows', 'conversations', 'knowledge_sources'];

export async function up(db: Knex): Promise<void> {
  await db.raw(lines);
  await db.raw(entries);
  await db.raw(triggers);
  for (const [table, kind] of Object.entries(plainRecords))
    await db.raw(`
      create constraint trigger search_record_added after insert on ${table} deferrable for each row
        execute function search_record_changed('${kind}');
      create constraint trigger search_record_changed after update on ${table} deferrable for each row
        when (old.name <> new.name) execute function search_record_changed('${kind}');
      insert into search_entries (project_id, id, kind, fields, texts)
      select project_id, id, '${kind}', fields, search_words(fields)
      from (select *, jsonb_strip_nulls(jsonb_build_object('name', name, 'number', to_jsonb(record) -> 'number'))
        as fields from ${table} as record) records;
    `);
  for (const table of [...Object.keys(plainRecords), ...otherRecords])
    await db.raw(`
      create constraint trigger search_record_deleted after delete on ${table} deferrable for each row
        execute function search_record_deleted();
    `);
  // Flows and conversations are left to the worker (migration 0032): their entries take milliseconds each.
  await db.raw('select count(search_knowledge_source(project_id, id)) from knowledge_sources');
}
