-- A database at migration 0050, without rows, as pg_dump 15 wrote it without comments and settings. The last build
-- that had the migrations up to 0050 one by one made it (ab8d8f3f).
SET check_function_bodies = false;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE FUNCTION public.audit_log_is_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
  begin
    raise exception 'audit_log is append only';
  end
  $$;
CREATE FUNCTION public.knowledge_plain(words text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ select pg_catalog.replace(pg_catalog.replace(pg_catalog.replace(
      pg_catalog.translate(words, 'àáâãäåāăąçćčďđèéêëēėęěğìíîïīįıłñńňòóôõöøōőřśšşșťţțùúûüūůűųýÿźżž', 'aaaaaaaaacccddeeeeeeeegiiiiiiilnnnoooooooorsssstttuuuuuuuuyyzzz'), 'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae') $$;
CREATE FUNCTION public.knowledge_vector(language text, words text) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO '$user', 'public'
    AS $$
    declare
      configuration regconfig := coalesce(
        (select oid from pg_catalog.pg_ts_config
         where cfgname = language and cfgnamespace = 'pg_catalog'::regnamespace),
        'pg_catalog.simple'::regconfig);
      vector tsvector := to_tsvector(configuration, translate(words, U&'\2019\02BC\2011\00AD', '''''-'));
      written text := vector;
    begin
      if octet_length(written) = char_length(written) then return vector; end if;
      return knowledge_plain(written)::tsvector;
    end $$;
CREATE FUNCTION public.knowledge_words_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$
    begin
      perform pg_advisory_xact_lock(hashtextextended(knowledge_base_id, 0))
      from (select distinct knowledge_base_id from changed order by 1) as bases;
      insert into knowledge_words as known (project_id, knowledge_base_id, language, word, chunks)
      select project_id, knowledge_base_id, language, word, count(*)
      from changed cross join lateral (select unnest(tsvector_to_array(search)) union all select '') as has (word)
      group by project_id, knowledge_base_id, language, word
      on conflict (project_id, knowledge_base_id, language, word)
        do update set chunks = known.chunks + excluded.chunks;
      return null;
    end $$;
CREATE FUNCTION public.knowledge_words_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$
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
    end $$;
CREATE FUNCTION public.search_conversation(project text, conversation text) RETURNS void
    LANGUAGE sql
    SET search_path TO '$user', 'public'
    AS $$
    select search_store(project_id, id, 'conversation',
      jsonb_strip_nulls(jsonb_build_object('name', name, 'description', description)),
      (select string_agg(search_words(case json_typeof(design) when 'object' then design::jsonb - 'compliance' end), E'\x1f') from conversation_versions
       where project_id = conversations.project_id and conversation_id = conversations.id
         and n in (conversations.newest_version, conversations.active_version)))
    from conversations where project_id = project and id = conversation $$;
CREATE FUNCTION public.search_conversation_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$ begin
      perform search_later(new.project_id, new.id);
      return null;
    end $$;
CREATE FUNCTION public.search_conversation_version_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$ begin
      perform search_later(new.project_id, new.conversation_id) from conversations
      where project_id = new.project_id and id = new.conversation_id
        and new.n in (newest_version, active_version);
      return null;
    end $$;
CREATE FUNCTION public.search_flow(project text, flow text) RETURNS void
    LANGUAGE sql
    SET search_path TO '$user', 'public'
    AS $$
    select search_store(project_id, id, 'flow',
      jsonb_strip_nulls(jsonb_build_object('name', name, 'description', description)),
      (select string_agg(search_words(flow_schema::jsonb), E'\x1f') from flow_versions
       where project_id = flows.project_id and flow_id = flows.id
         and (version = flows.newest_version or is_active)))
    from flows where project_id = project and id = flow $$;
CREATE FUNCTION public.search_flow_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$ begin
      perform search_later(new.project_id, new.id);
      return null;
    end $$;
CREATE FUNCTION public.search_flow_version_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$ begin
      perform search_later(new.project_id, new.flow_id) from flows
      where project_id = new.project_id and id = new.flow_id
        and (new.is_active or new.version = newest_version);
      return null;
    end $$;
CREATE FUNCTION public.search_index(project text, record text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$ begin
      delete from search_pending where project_id = project and id = record;
      perform search_flow(project, record);
      perform search_conversation(project, record);
      delete from search_entries where project_id = project and id = record
        and not exists (select from flows where project_id = project and id = record)
        and not exists (select from conversations where project_id = project and id = record);
    end $$;
CREATE FUNCTION public.search_knowledge_source(project text, source text) RETURNS void
    LANGUAGE sql
    SET search_path TO '$user', 'public'
    AS $$
    select search_store(project_id, id, 'knowledgeSource',
      jsonb_strip_nulls(jsonb_build_object('name', name, 'url', url, 'fileName', file_name, 'pages',
        (select jsonb_object_agg(page.url, title) from knowledge_pages as page
         where page.project_id = knowledge_sources.project_id and source_id = knowledge_sources.id
           and title is not null))), null)
    from knowledge_sources where project_id = project and id = source $$;
CREATE FUNCTION public.search_knowledge_source_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$ begin
      perform search_knowledge_source(new.project_id, new.id);
      return null;
    end $$;
CREATE FUNCTION public.search_later(project text, record text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$ begin
      if exists (select from search_pending where project_id = project and id = record)
        or (select count(*) from (select from search_pending where project_id = project limit 50) waiting)
          < 50
      then
        insert into search_pending (project_id, id) values (project, record)
        on conflict (project_id, id) do update set id = excluded.id;
      else
        perform search_index(project, record);
      end if;
    end $$;
CREATE FUNCTION public.search_lines(document jsonb) RETURNS TABLE(pointer text, line text)
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO '$user', 'public'
    AS $$
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
      and (key is null or key <> all ('{id,kind,type,schemaVersion,stepId,variableId,responseVariableId,knowledgeBaseId,integrationId,integrationRef,rootNodeId,prematureHangupNodeId,hookNode,step,next,target,failed,declined,fallback,noAnswer,mode,source,operator}')) $$;
CREATE FUNCTION public.search_pattern(words text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ select '%' || regexp_replace(search_plain(words), '([%_\\])', '\\\1', 'g') || '%' $$;
CREATE FUNCTION public.search_plain(words text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ select case when octet_length(words) = char_length(words)
      then lower(translate(words, E'\n\r\t', '   '))
      else regexp_replace(normalize(lower(translate(words, E'\n\r\t\u00A0', '    ')), NFD),
        E'[\u0300-\u036F]', '', 'g') end $$;
CREATE FUNCTION public.search_record_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$ begin
      perform search_store(new.project_id, new.id, tg_argv[0],
        jsonb_strip_nulls(jsonb_build_object('name', new.name, 'number', to_jsonb(new) -> 'number')), null);
      return null;
    end $$;
CREATE FUNCTION public.search_record_deleted() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$ begin
      delete from search_entries where project_id = old.project_id and id = old.id;
      return null;
    end $$;
CREATE FUNCTION public.search_store(project text, record text, record_kind text, shown jsonb, versions text) RETURNS void
    LANGUAGE sql
    SET search_path TO '$user', 'public'
    AS $$
    insert into search_entries as stored (project_id, id, kind, fields, texts)
    values (project, record, record_kind, shown, concat_ws(E'\x1f', search_words(shown), versions))
    on conflict (project_id, id) do update set fields = excluded.fields, texts = excluded.texts
    where stored.texts <> excluded.texts or stored.fields <> excluded.fields $$;
CREATE FUNCTION public.search_versioned_record_deleted() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$ begin
      perform search_index(old.project_id, old.id);
      return null;
    end $$;
CREATE FUNCTION public.search_words(document jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO '$user', 'public'
    AS $$ select search_plain(string_agg(line, E'\x1f')) from search_lines(document) $$;
CREATE TABLE public.agent_profiles (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    supported_input_languages text[] DEFAULT '{}'::text[] NOT NULL,
    reasoning_mode text NOT NULL,
    output_voice_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.api_keys (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    key_type text NOT NULL,
    scope text NOT NULL,
    access text[],
    hash bytea NOT NULL,
    key_prefix text NOT NULL,
    last4 text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    last_used_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    expires_at timestamp(3) with time zone,
    minted_by text COLLATE pg_catalog."C",
    oauth_client text,
    CONSTRAINT api_keys_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT api_keys_key_type_check CHECK ((key_type = ANY (ARRAY['publishable'::text, 'secret'::text]))),
    CONSTRAINT api_keys_scope_check CHECK ((scope = ANY (ARRAY['service_app'::text, 'service_platform'::text, 'platform'::text]))),
    CONSTRAINT api_keys_status_check CHECK ((status = ANY (ARRAY['active'::text, 'revoked'::text])))
);
CREATE TABLE public.audit_log (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL,
    request_id text NOT NULL,
    input_hash text NOT NULL,
    output_hash text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    resource_id text COLLATE pg_catalog."C",
    summary text
);
CREATE TABLE public.conversation_integrations (
    project_id text NOT NULL COLLATE pg_catalog."C",
    conversation_id text NOT NULL COLLATE pg_catalog."C",
    integration_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.conversation_knowledge_bases (
    project_id text NOT NULL COLLATE pg_catalog."C",
    conversation_id text NOT NULL COLLATE pg_catalog."C",
    knowledge_base_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.conversation_versions (
    project_id text NOT NULL COLLATE pg_catalog."C",
    conversation_id text NOT NULL COLLATE pg_catalog."C",
    n bigint NOT NULL,
    tag text NOT NULL,
    design json,
    design_bytes integer NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    author text COLLATE pg_catalog."C",
    live_at timestamp(3) with time zone,
    live_periods tstzmultirange,
    live_count integer,
    rejected_at timestamp(3) with time zone,
    rejected_by text COLLATE pg_catalog."C",
    rejection_reason text
);
CREATE TABLE public.conversations (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    description text,
    kind text NOT NULL,
    agent_profile_id text COLLATE pg_catalog."C",
    newest_version bigint NOT NULL,
    active_version bigint NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    requires_scenarios boolean DEFAULT false NOT NULL,
    CONSTRAINT conversations_kind_check CHECK ((kind = ANY (ARRAY['simple'::text, 'advanced'::text])))
);
CREATE TABLE public.flow_versions (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    flow_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    tag text NOT NULL,
    flow_schema json NOT NULL,
    flow_schema_bytes integer NOT NULL,
    is_active boolean NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    author text COLLATE pg_catalog."C",
    live_at timestamp(3) with time zone,
    live_periods tstzmultirange,
    live_count integer,
    rejected_at timestamp(3) with time zone,
    rejected_by text COLLATE pg_catalog."C",
    rejection_reason text
);
CREATE TABLE public.flows (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    type text NOT NULL,
    description text,
    agent_profile_id text COLLATE pg_catalog."C",
    agent_profile_position integer,
    newest_version bigint NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT flows_type_check CHECK ((type = ANY (ARRAY['simple'::text, 'graph'::text])))
);
CREATE TABLE public.idempotency_keys (
    project_id text NOT NULL COLLATE pg_catalog."C",
    operation text NOT NULL,
    key text NOT NULL,
    input_hash text NOT NULL,
    answer json,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    sealed_answer bytea
);
CREATE TABLE public.indexing_workers (
    id text NOT NULL COLLATE pg_catalog."C",
    seen_at timestamp(3) with time zone NOT NULL
);
COMMENT ON TABLE public.indexing_workers IS 'made anew';
CREATE TABLE public.integrations (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    provider text NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'unverified'::text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    sealed_credentials bytea,
    CONSTRAINT integrations_kind_check CHECK ((kind = ANY (ARRAY['crm'::text, 'calendar'::text, 'knowledge'::text]))),
    CONSTRAINT integrations_status_check CHECK ((status = ANY (ARRAY['unverified'::text, 'connected'::text, 'disconnected'::text, 'error'::text])))
);
CREATE TABLE public.knowledge_bases (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.knowledge_chunks (
    project_id text NOT NULL COLLATE pg_catalog."C",
    knowledge_base_id text NOT NULL COLLATE pg_catalog."C",
    source_id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    heading text NOT NULL,
    text text NOT NULL,
    language text NOT NULL,
    search tsvector GENERATED ALWAYS AS ((setweight(public.knowledge_vector(language, heading), 'A'::"char") || public.knowledge_vector(language, text))) STORED NOT NULL
)
WITH (toast_tuple_target='4080');
ALTER TABLE ONLY public.knowledge_chunks ALTER COLUMN project_id SET STORAGE MAIN;
ALTER TABLE ONLY public.knowledge_chunks ALTER COLUMN knowledge_base_id SET STORAGE MAIN;
ALTER TABLE ONLY public.knowledge_chunks ALTER COLUMN source_id SET STORAGE MAIN;
ALTER TABLE ONLY public.knowledge_chunks ALTER COLUMN url SET STORAGE MAIN;
ALTER TABLE ONLY public.knowledge_chunks ALTER COLUMN heading SET STORAGE MAIN;
ALTER TABLE ONLY public.knowledge_chunks ALTER COLUMN language SET STORAGE MAIN;
ALTER TABLE ONLY public.knowledge_chunks ALTER COLUMN search SET STORAGE MAIN;
CREATE TABLE public.knowledge_files (
    project_id text NOT NULL COLLATE pg_catalog."C",
    source_id text NOT NULL COLLATE pg_catalog."C",
    sealed_content bytea NOT NULL
);
ALTER TABLE ONLY public.knowledge_files ALTER COLUMN sealed_content SET STORAGE EXTERNAL;
CREATE TABLE public.knowledge_pages (
    project_id text NOT NULL COLLATE pg_catalog."C",
    source_id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    run bigint NOT NULL,
    depth integer NOT NULL,
    status text NOT NULL,
    title text,
    error text,
    embedded_by text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    embedding_lease text,
    embedding_due timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT knowledge_pages_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text, 'skipped'::text])))
);
COMMENT ON COLUMN public.knowledge_pages.embedded_by IS 'made anew';
COMMENT ON COLUMN public.knowledge_pages.embedding_lease IS 'made anew';
COMMENT ON COLUMN public.knowledge_pages.embedding_due IS 'made anew';
CREATE TABLE public.knowledge_removals (
    project_id text NOT NULL COLLATE pg_catalog."C",
    knowledge_base_id text NOT NULL COLLATE pg_catalog."C",
    source_id text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.knowledge_sources (
    project_id text NOT NULL COLLATE pg_catalog."C",
    knowledge_base_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    type text NOT NULL,
    url text,
    max_pages integer,
    file_name text,
    mime_type text,
    indexing_status text NOT NULL,
    indexing text NOT NULL,
    progress smallint DEFAULT 0 NOT NULL,
    error text,
    run bigint DEFAULT 0 NOT NULL,
    lease text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    pages integer,
    indexed_at timestamp(3) with time zone,
    CONSTRAINT knowledge_sources_check CHECK (
CASE type
    WHEN 'website'::text THEN ((url IS NOT NULL) AND (max_pages IS NOT NULL))
    ELSE ((file_name IS NOT NULL) AND (mime_type IS NOT NULL))
END),
    CONSTRAINT knowledge_sources_indexing_check CHECK ((indexing = ANY (ARRAY['deferred'::text, 'triggered'::text]))),
    CONSTRAINT knowledge_sources_indexing_status_check CHECK ((indexing_status = ANY (ARRAY['idle'::text, 'inProgress'::text, 'completed'::text]))),
    CONSTRAINT knowledge_sources_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
    CONSTRAINT knowledge_sources_type_check CHECK ((type = ANY (ARRAY['website'::text, 'file'::text])))
);
CREATE TABLE public.knowledge_words (
    project_id text NOT NULL COLLATE pg_catalog."C",
    knowledge_base_id text NOT NULL COLLATE pg_catalog."C",
    language text NOT NULL COLLATE pg_catalog."C",
    word text NOT NULL COLLATE pg_catalog."C",
    chunks integer NOT NULL
);
COMMENT ON TABLE public.knowledge_words IS 'made by triggers';
CREATE TABLE public.oauth_clients (
    id text NOT NULL COLLATE pg_catalog."C",
    metadata json NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    used_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone NOT NULL
);
COMMENT ON TABLE public.oauth_clients IS 'made anew';
CREATE TABLE public.oauth_records (
    kind text NOT NULL COLLATE pg_catalog."C",
    id_hash bytea NOT NULL,
    grant_id text COLLATE pg_catalog."C",
    project_id text COLLATE pg_catalog."C",
    key_id text COLLATE pg_catalog."C",
    payload json NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    consumed_at timestamp(3) with time zone
);
COMMENT ON TABLE public.oauth_records IS 'made anew';
CREATE TABLE public.organizations (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.phone_numbers (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    name text NOT NULL,
    number text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT 'enabled'::text NOT NULL,
    flow_id text COLLATE pg_catalog."C",
    conversation_id text COLLATE pg_catalog."C",
    external_phone_fields json,
    sealed_auth_password bytea,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT phone_numbers_one_handler CHECK (((flow_id IS NULL) OR (conversation_id IS NULL))),
    CONSTRAINT phone_numbers_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text]))),
    CONSTRAINT phone_numbers_type_check CHECK ((type = ANY (ARRAY['native'::text, 'partner'::text, 'external'::text])))
);
CREATE TABLE public.projects (
    id text NOT NULL COLLATE pg_catalog."C",
    organization_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    description text,
    status text DEFAULT 'active'::text NOT NULL,
    plan text DEFAULT 'free'::text NOT NULL,
    type text DEFAULT 'platform'::text NOT NULL,
    mode text DEFAULT 'advanced'::text NOT NULL,
    channels text[] DEFAULT '{phone,website}'::text[] NOT NULL,
    industry text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    require_disclosure boolean DEFAULT false NOT NULL,
    session_retention_days integer DEFAULT 30 NOT NULL,
    CONSTRAINT projects_mode_check CHECK ((mode = ANY (ARRAY['simple'::text, 'advanced'::text]))),
    CONSTRAINT projects_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'starter'::text, 'growth'::text, 'pro'::text, 'enterprise'::text]))),
    CONSTRAINT projects_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text]))),
    CONSTRAINT projects_type_check CHECK ((type = ANY (ARRAY['hotline'::text, 'platform'::text])))
);
CREATE UNLOGGED TABLE public.rate_limit_windows (
    project_id text NOT NULL,
    policy text NOT NULL,
    id text NOT NULL,
    began_at timestamp with time zone NOT NULL,
    taken integer NOT NULL
);
COMMENT ON TABLE public.rate_limit_windows IS 'made anew';
CREATE TABLE public.scenario_results (
    project_id text NOT NULL COLLATE pg_catalog."C",
    scenario_id text NOT NULL COLLATE pg_catalog."C",
    conversation_id text NOT NULL COLLATE pg_catalog."C",
    n bigint NOT NULL,
    holds boolean NOT NULL,
    failed json NOT NULL,
    model text,
    played_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.scenarios (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    conversation_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    tags text[] NOT NULL,
    content json NOT NULL,
    touches text[] NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.schema_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);
CREATE SEQUENCE public.schema_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.schema_migrations_id_seq OWNED BY public.schema_migrations.id;
CREATE TABLE public.schema_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);
CREATE SEQUENCE public.schema_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.schema_migrations_lock_index_seq OWNED BY public.schema_migrations_lock.index;
CREATE TABLE public.search_backlog (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C"
);
COMMENT ON TABLE public.search_backlog IS 'made by triggers';
CREATE TABLE public.search_entries (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    fields jsonb NOT NULL,
    texts text NOT NULL
);
COMMENT ON TABLE public.search_entries IS 'made by triggers';
CREATE TABLE public.search_pending (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C"
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');
COMMENT ON TABLE public.search_pending IS 'made by triggers';
CREATE TABLE public.secret_requests (
    project_id text NOT NULL COLLATE pg_catalog."C",
    token_hash bytea NOT NULL,
    key_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    sealed_value bytea,
    expires_at timestamp(3) with time zone NOT NULL
);
COMMENT ON TABLE public.secret_requests IS 'made anew';
CREATE TABLE public.secrets (
    project_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    sealed_value bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.session_turns (
    project_id text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    message_id text COLLATE pg_catalog."C",
    caller_text text,
    events json NOT NULL,
    path json NOT NULL,
    requests json NOT NULL,
    notes json NOT NULL,
    at timestamp(3) with time zone DEFAULT now() NOT NULL,
    understood json DEFAULT '[]'::json NOT NULL,
    understood_by text COLLATE pg_catalog."C"
);
CREATE TABLE public.sessions (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    conversation_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    web_agent_id text COLLATE pg_catalog."C",
    channel text NOT NULL COLLATE pg_catalog."C",
    started_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    active_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    ended_at timestamp(3) with time zone,
    reason text COLLATE pg_catalog."C",
    outcome text COLLATE pg_catalog."C",
    played integer DEFAULT 0 NOT NULL,
    turns integer DEFAULT 0 NOT NULL,
    last_step text COLLATE pg_catalog."C",
    variables json DEFAULT '{}'::json NOT NULL,
    model_calls integer DEFAULT 0 NOT NULL,
    model_tokens bigint DEFAULT 0 NOT NULL,
    state json,
    lease text COLLATE pg_catalog."C",
    leased_until timestamp(3) with time zone,
    fallbacks integer DEFAULT 0 NOT NULL,
    removed_at timestamp(3) with time zone
);
COMMENT ON COLUMN public.sessions.state IS 'made anew';
COMMENT ON COLUMN public.sessions.lease IS 'made anew';
COMMENT ON COLUMN public.sessions.leased_until IS 'made anew';
CREATE TABLE public.tasks (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    tool text NOT NULL,
    status text DEFAULT 'working'::text NOT NULL,
    sealed_content bytea,
    lease_until timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT tasks_sealed_content_check CHECK ((octet_length(sealed_content) <= 1048576)),
    CONSTRAINT tasks_status_check CHECK ((status = ANY (ARRAY['working'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
COMMENT ON TABLE public.tasks IS 'made anew';
CREATE TABLE public.trash (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    resource_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    rows json NOT NULL,
    deleted_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    sealed_content bytea
);
ALTER TABLE ONLY public.trash ALTER COLUMN sealed_content SET STORAGE EXTERNAL;
CREATE TABLE public.upload_pieces (
    project_id text NOT NULL COLLATE pg_catalog."C",
    upload_id text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    sealed_content bytea NOT NULL
);
ALTER TABLE ONLY public.upload_pieces ALTER COLUMN sealed_content SET STORAGE EXTERNAL;
COMMENT ON TABLE public.upload_pieces IS 'made anew';
CREATE TABLE public.uploads (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    key_id text NOT NULL COLLATE pg_catalog."C",
    token_hash bytea NOT NULL,
    size integer,
    used_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);
COMMENT ON TABLE public.uploads IS 'made anew';
CREATE TABLE public.usage_events (
    project_id text NOT NULL COLLATE pg_catalog."C",
    occurred_at timestamp(3) with time zone NOT NULL,
    id uuid NOT NULL,
    service text NOT NULL COLLATE pg_catalog."C",
    mode text NOT NULL COLLATE pg_catalog."C",
    metric text NOT NULL COLLATE pg_catalog."C",
    quantity numeric NOT NULL,
    estimated boolean NOT NULL
);
CREATE TABLE public.usage_sums (
    project_id text NOT NULL COLLATE pg_catalog."C",
    minutes smallint NOT NULL,
    start timestamp(0) with time zone NOT NULL,
    service text NOT NULL COLLATE pg_catalog."C",
    mode text NOT NULL COLLATE pg_catalog."C",
    metric text NOT NULL COLLATE pg_catalog."C",
    quantity numeric NOT NULL,
    CONSTRAINT usage_sums_metric_check CHECK ((metric = ANY (ARRAY['seconds'::text, 'tokens_in'::text, 'tokens_out'::text, 'chars'::text, 'minutes'::text, 'requests'::text]))),
    CONSTRAINT usage_sums_minutes_check CHECK ((minutes = ANY (ARRAY[5, 60]))),
    CONSTRAINT usage_sums_mode_check CHECK ((mode = ANY (ARRAY['realtime'::text, 'batch'::text, 'playground'::text, 'none'::text]))),
    CONSTRAINT usage_sums_service_check CHECK ((service = ANY (ARRAY['tts'::text, 'stt'::text, 's2s'::text, 'llm'::text, 'kb'::text, 'voice_minutes'::text])))
)
WITH (fillfactor='80');
CREATE TABLE public.voice_references (
    project_id text NOT NULL COLLATE pg_catalog."C",
    voice_id text NOT NULL COLLATE pg_catalog."C",
    transcript text NOT NULL,
    sealed_audio bytea NOT NULL
);
ALTER TABLE ONLY public.voice_references ALTER COLUMN sealed_audio SET STORAGE EXTERNAL;
CREATE TABLE public.voices (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    gender text NOT NULL,
    supported_languages text[] NOT NULL,
    vibe_tags text[] NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    CONSTRAINT voices_gender_check CHECK ((gender = ANY (ARRAY['male'::text, 'female'::text, 'neutral'::text])))
);
CREATE TABLE public.web_agents (
    project_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    channel text NOT NULL,
    scopes text[] NOT NULL,
    allowed_origins text[] NOT NULL,
    conversation_id text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT 'active'::text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    handover_url text,
    sealed_handover_secret bytea,
    CONSTRAINT web_agents_channel_check CHECK ((channel = ANY (ARRAY['widget'::text, 'api'::text]))),
    CONSTRAINT web_agents_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text])))
);
ALTER TABLE ONLY public.schema_migrations ALTER COLUMN id SET DEFAULT nextval('public.schema_migrations_id_seq'::regclass);
ALTER TABLE ONLY public.schema_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.schema_migrations_lock_index_seq'::regclass);
ALTER TABLE ONLY public.agent_profiles
    ADD CONSTRAINT agent_profiles_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.conversation_integrations
    ADD CONSTRAINT conversation_integrations_pkey PRIMARY KEY (project_id, conversation_id, integration_id);
ALTER TABLE ONLY public.conversation_knowledge_bases
    ADD CONSTRAINT conversation_knowledge_bases_pkey PRIMARY KEY (project_id, conversation_id, knowledge_base_id);
ALTER TABLE ONLY public.conversation_versions
    ADD CONSTRAINT conversation_versions_pkey PRIMARY KEY (project_id, conversation_id, n);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.flow_versions
    ADD CONSTRAINT flow_versions_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.flow_versions
    ADD CONSTRAINT flow_versions_project_id_flow_id_version_key UNIQUE (project_id, flow_id, version);
ALTER TABLE ONLY public.flows
    ADD CONSTRAINT flows_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (project_id, operation, key);
ALTER TABLE ONLY public.indexing_workers
    ADD CONSTRAINT indexing_workers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.integrations
    ADD CONSTRAINT integrations_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.knowledge_bases
    ADD CONSTRAINT knowledge_bases_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.knowledge_chunks
    ADD CONSTRAINT knowledge_chunks_pkey PRIMARY KEY (project_id, source_id, url, "position");
ALTER TABLE ONLY public.knowledge_files
    ADD CONSTRAINT knowledge_files_pkey PRIMARY KEY (project_id, source_id);
ALTER TABLE ONLY public.knowledge_pages
    ADD CONSTRAINT knowledge_pages_pkey PRIMARY KEY (project_id, source_id, url);
ALTER TABLE ONLY public.knowledge_removals
    ADD CONSTRAINT knowledge_removals_pkey PRIMARY KEY (project_id, knowledge_base_id, source_id);
ALTER TABLE ONLY public.knowledge_sources
    ADD CONSTRAINT knowledge_sources_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.knowledge_words
    ADD CONSTRAINT knowledge_words_pkey PRIMARY KEY (project_id, knowledge_base_id, language, word);
ALTER TABLE ONLY public.oauth_clients
    ADD CONSTRAINT oauth_clients_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.oauth_records
    ADD CONSTRAINT oauth_records_pkey PRIMARY KEY (kind, id_hash);
ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.phone_numbers
    ADD CONSTRAINT phone_numbers_number UNIQUE (project_id, number);
ALTER TABLE ONLY public.phone_numbers
    ADD CONSTRAINT phone_numbers_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.rate_limit_windows
    ADD CONSTRAINT rate_limit_windows_pkey PRIMARY KEY (project_id, policy, id);
ALTER TABLE ONLY public.scenario_results
    ADD CONSTRAINT scenario_results_pkey PRIMARY KEY (project_id, scenario_id, n);
ALTER TABLE ONLY public.scenarios
    ADD CONSTRAINT scenarios_name UNIQUE (project_id, conversation_id, name);
ALTER TABLE ONLY public.scenarios
    ADD CONSTRAINT scenarios_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.schema_migrations_lock
    ADD CONSTRAINT schema_migrations_lock_pkey PRIMARY KEY (index);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.search_backlog
    ADD CONSTRAINT search_backlog_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.search_entries
    ADD CONSTRAINT search_entries_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.search_pending
    ADD CONSTRAINT search_pending_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.secret_requests
    ADD CONSTRAINT secret_requests_pkey PRIMARY KEY (project_id, token_hash);
ALTER TABLE ONLY public.secret_requests
    ADD CONSTRAINT secret_requests_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (project_id, name);
ALTER TABLE ONLY public.session_turns
    ADD CONSTRAINT session_turns_message UNIQUE (project_id, session_id, message_id);
ALTER TABLE ONLY public.session_turns
    ADD CONSTRAINT session_turns_pkey PRIMARY KEY (project_id, session_id, number);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.trash
    ADD CONSTRAINT trash_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.upload_pieces
    ADD CONSTRAINT upload_pieces_pkey PRIMARY KEY (project_id, upload_id, "position");
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.usage_events
    ADD CONSTRAINT usage_events_pkey PRIMARY KEY (project_id, occurred_at, id);
ALTER TABLE ONLY public.usage_sums
    ADD CONSTRAINT usage_sums_pkey PRIMARY KEY (project_id, minutes, start, service, mode, metric);
ALTER TABLE ONLY public.voice_references
    ADD CONSTRAINT voice_references_pkey PRIMARY KEY (project_id, voice_id);
ALTER TABLE ONLY public.voices
    ADD CONSTRAINT voices_pkey PRIMARY KEY (project_id, id);
ALTER TABLE ONLY public.web_agents
    ADD CONSTRAINT web_agents_pkey PRIMARY KEY (project_id, id);
CREATE UNIQUE INDEX agent_profiles_default ON public.agent_profiles USING btree (project_id) WHERE is_default;
CREATE INDEX api_keys_listed ON public.api_keys USING btree (project_id, id) WHERE ((oauth_client IS NULL) OR (status = 'active'::text));
CREATE INDEX api_keys_minted_by ON public.api_keys USING btree (project_id, minted_by) WHERE (minted_by IS NOT NULL);
CREATE INDEX api_keys_sign_ins ON public.api_keys USING btree (expires_at) WHERE ((oauth_client IS NOT NULL) AND (status = 'active'::text));
CREATE INDEX audit_log_key ON public.audit_log USING btree (project_id, key_id, id);
CREATE INDEX audit_log_resource ON public.audit_log USING btree (project_id, resource_id, id) WHERE (resource_id IS NOT NULL);
CREATE INDEX conversation_integrations_integration ON public.conversation_integrations USING btree (project_id, integration_id, conversation_id);
CREATE INDEX conversation_knowledge_bases_knowledge_base ON public.conversation_knowledge_bases USING btree (project_id, knowledge_base_id, conversation_id);
CREATE INDEX conversation_versions_lived ON public.conversation_versions USING btree (project_id, conversation_id) WHERE (live_periods IS NOT NULL);
CREATE INDEX conversations_agent_profile ON public.conversations USING btree (project_id, agent_profile_id) WHERE (agent_profile_id IS NOT NULL);
CREATE UNIQUE INDEX flow_versions_active ON public.flow_versions USING btree (project_id, flow_id) WHERE is_active;
CREATE INDEX flow_versions_lived ON public.flow_versions USING btree (project_id, flow_id) WHERE (live_periods IS NOT NULL);
CREATE INDEX flows_agent_profile ON public.flows USING btree (project_id, agent_profile_id, agent_profile_position, id) WHERE (agent_profile_id IS NOT NULL);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);
CREATE INDEX knowledge_chunks_search ON public.knowledge_chunks USING gin (knowledge_base_id, search);
CREATE INDEX knowledge_pages_embedded_by ON public.knowledge_pages USING btree (embedded_by) WHERE (status <> 'pending'::text);
CREATE INDEX knowledge_sources_knowledge_base ON public.knowledge_sources USING btree (project_id, knowledge_base_id, id);
CREATE INDEX knowledge_words_similar ON public.knowledge_words USING gin (knowledge_base_id, word public.gin_trgm_ops);
CREATE INDEX oauth_clients_expiry ON public.oauth_clients USING btree (expires_at);
CREATE INDEX oauth_clients_unused ON public.oauth_clients USING btree (created_at) WHERE (used_at IS NULL);
CREATE INDEX oauth_records_expiry ON public.oauth_records USING btree (expires_at);
CREATE INDEX oauth_records_grant ON public.oauth_records USING btree (grant_id) WHERE (grant_id IS NOT NULL);
CREATE INDEX oauth_records_key ON public.oauth_records USING btree (project_id, key_id) WHERE (key_id IS NOT NULL);
CREATE INDEX oauth_records_sign_ins ON public.oauth_records USING btree (expires_at) WHERE (kind = 'Interaction'::text);
CREATE INDEX phone_numbers_conversation ON public.phone_numbers USING btree (project_id, conversation_id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX phone_numbers_flow ON public.phone_numbers USING btree (project_id, flow_id) WHERE (flow_id IS NOT NULL);
CREATE UNIQUE INDEX phone_numbers_native ON public.phone_numbers USING btree (number) WHERE (type = 'native'::text);
CREATE INDEX projects_organization ON public.projects USING btree (organization_id);
CREATE INDEX scenario_results_conversation ON public.scenario_results USING btree (project_id, conversation_id);
CREATE INDEX search_entries_texts ON public.search_entries USING gin (project_id, texts public.gin_trgm_ops) WITH (gin_pending_list_limit='256');
CREATE INDEX secret_requests_expiry ON public.secret_requests USING btree (expires_at);
CREATE INDEX sessions_conversation ON public.sessions USING btree (project_id, conversation_id, id);
CREATE INDEX sessions_idle ON public.sessions USING btree (active_at) WHERE (ended_at IS NULL);
CREATE INDEX sessions_listed ON public.sessions USING btree (project_id, id) WHERE (removed_at IS NULL);
CREATE INDEX sessions_listed_channel ON public.sessions USING btree (project_id, channel, id) WHERE (removed_at IS NULL);
CREATE INDEX sessions_listed_conversation ON public.sessions USING btree (project_id, conversation_id, id) WHERE (removed_at IS NULL);
CREATE INDEX sessions_listed_outcome ON public.sessions USING btree (project_id, outcome, id) WHERE (removed_at IS NULL);
CREATE INDEX sessions_listed_version ON public.sessions USING btree (project_id, conversation_id, version, id) WHERE (removed_at IS NULL);
CREATE INDEX sessions_open ON public.sessions USING btree (project_id) WHERE (ended_at IS NULL);
CREATE INDEX sessions_retention ON public.sessions USING btree (project_id, ended_at) WHERE ((removed_at IS NULL) AND (ended_at IS NOT NULL));
CREATE INDEX tasks_expiry ON public.tasks USING btree (expires_at);
CREATE INDEX trash_expiry ON public.trash USING btree (expires_at);
CREATE INDEX trash_resources ON public.trash USING btree (project_id, resource_id);
CREATE INDEX uploads_expiry ON public.uploads USING btree (expires_at);
CREATE INDEX voices_name ON public.voices USING btree (project_id, name, id);
CREATE INDEX web_agents_conversation ON public.web_agents USING btree (project_id, conversation_id);
CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_is_append_only();
CREATE TRIGGER knowledge_chunks_added AFTER INSERT ON public.knowledge_chunks REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.knowledge_words_added();
CREATE TRIGGER knowledge_chunks_removed AFTER DELETE ON public.knowledge_chunks REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.knowledge_words_removed();
CREATE CONSTRAINT TRIGGER search_conversation_changed AFTER UPDATE ON public.conversations DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (((old.name <> new.name) OR (old.description IS DISTINCT FROM new.description) OR (old.active_version <> new.active_version))) EXECUTE FUNCTION public.search_conversation_changed();
CREATE CONSTRAINT TRIGGER search_conversation_version_added AFTER INSERT ON public.conversation_versions DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_conversation_version_added();
CREATE CONSTRAINT TRIGGER search_flow_changed AFTER UPDATE ON public.flows DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (((old.name <> new.name) OR (old.description IS DISTINCT FROM new.description))) EXECUTE FUNCTION public.search_flow_changed();
CREATE CONSTRAINT TRIGGER search_flow_version_activated AFTER UPDATE ON public.flow_versions DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN ((new.is_active AND (NOT old.is_active))) EXECUTE FUNCTION public.search_flow_version_changed();
CREATE CONSTRAINT TRIGGER search_flow_version_added AFTER INSERT ON public.flow_versions DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_flow_version_changed();
CREATE CONSTRAINT TRIGGER search_knowledge_source_added AFTER INSERT ON public.knowledge_sources DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_knowledge_source_changed();
CREATE CONSTRAINT TRIGGER search_knowledge_source_changed AFTER UPDATE ON public.knowledge_sources DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN (((old.name <> new.name) OR (old.indexing_status <> new.indexing_status))) EXECUTE FUNCTION public.search_knowledge_source_changed();
CREATE CONSTRAINT TRIGGER search_record_added AFTER INSERT ON public.agent_profiles DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_changed('agentProfile');
CREATE CONSTRAINT TRIGGER search_record_added AFTER INSERT ON public.integrations DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_changed('integration');
CREATE CONSTRAINT TRIGGER search_record_added AFTER INSERT ON public.knowledge_bases DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_changed('knowledgeBase');
CREATE CONSTRAINT TRIGGER search_record_added AFTER INSERT ON public.phone_numbers DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_changed('phoneNumber');
CREATE CONSTRAINT TRIGGER search_record_added AFTER INSERT ON public.voices DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_changed('voice');
CREATE CONSTRAINT TRIGGER search_record_added AFTER INSERT ON public.web_agents DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_changed('webAgent');
CREATE CONSTRAINT TRIGGER search_record_changed AFTER UPDATE ON public.agent_profiles DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION public.search_record_changed('agentProfile');
CREATE CONSTRAINT TRIGGER search_record_changed AFTER UPDATE ON public.integrations DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION public.search_record_changed('integration');
CREATE CONSTRAINT TRIGGER search_record_changed AFTER UPDATE ON public.knowledge_bases DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION public.search_record_changed('knowledgeBase');
CREATE CONSTRAINT TRIGGER search_record_changed AFTER UPDATE ON public.phone_numbers DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION public.search_record_changed('phoneNumber');
CREATE CONSTRAINT TRIGGER search_record_changed AFTER UPDATE ON public.voices DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION public.search_record_changed('voice');
CREATE CONSTRAINT TRIGGER search_record_changed AFTER UPDATE ON public.web_agents DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION public.search_record_changed('webAgent');
CREATE CONSTRAINT TRIGGER search_record_deleted AFTER DELETE ON public.agent_profiles DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_deleted();
CREATE CONSTRAINT TRIGGER search_record_deleted AFTER DELETE ON public.conversations DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_versioned_record_deleted();
CREATE CONSTRAINT TRIGGER search_record_deleted AFTER DELETE ON public.flows DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_versioned_record_deleted();
CREATE CONSTRAINT TRIGGER search_record_deleted AFTER DELETE ON public.integrations DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_deleted();
CREATE CONSTRAINT TRIGGER search_record_deleted AFTER DELETE ON public.knowledge_bases DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_deleted();
CREATE CONSTRAINT TRIGGER search_record_deleted AFTER DELETE ON public.knowledge_sources DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_deleted();
CREATE CONSTRAINT TRIGGER search_record_deleted AFTER DELETE ON public.phone_numbers DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_deleted();
CREATE CONSTRAINT TRIGGER search_record_deleted AFTER DELETE ON public.voices DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_deleted();
CREATE CONSTRAINT TRIGGER search_record_deleted AFTER DELETE ON public.web_agents DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION public.search_record_deleted();
ALTER TABLE ONLY public.agent_profiles
    ADD CONSTRAINT agent_profiles_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.conversation_integrations
    ADD CONSTRAINT conversation_integrations_conversation FOREIGN KEY (project_id, conversation_id) REFERENCES public.conversations(project_id, id);
ALTER TABLE ONLY public.conversation_integrations
    ADD CONSTRAINT conversation_integrations_integration FOREIGN KEY (project_id, integration_id) REFERENCES public.integrations(project_id, id);
ALTER TABLE ONLY public.conversation_knowledge_bases
    ADD CONSTRAINT conversation_knowledge_bases_conversation FOREIGN KEY (project_id, conversation_id) REFERENCES public.conversations(project_id, id);
ALTER TABLE ONLY public.conversation_knowledge_bases
    ADD CONSTRAINT conversation_knowledge_bases_knowledge_base FOREIGN KEY (project_id, knowledge_base_id) REFERENCES public.knowledge_bases(project_id, id);
ALTER TABLE ONLY public.conversation_versions
    ADD CONSTRAINT conversation_versions_conversation FOREIGN KEY (project_id, conversation_id) REFERENCES public.conversations(project_id, id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_agent_profile FOREIGN KEY (project_id, agent_profile_id) REFERENCES public.agent_profiles(project_id, id);
ALTER TABLE ONLY public.conversations
    ADD CONSTRAINT conversations_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.flow_versions
    ADD CONSTRAINT flow_versions_flow FOREIGN KEY (project_id, flow_id) REFERENCES public.flows(project_id, id);
ALTER TABLE ONLY public.flows
    ADD CONSTRAINT flows_agent_profile FOREIGN KEY (project_id, agent_profile_id) REFERENCES public.agent_profiles(project_id, id);
ALTER TABLE ONLY public.flows
    ADD CONSTRAINT flows_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.integrations
    ADD CONSTRAINT integrations_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.knowledge_bases
    ADD CONSTRAINT knowledge_bases_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.knowledge_chunks
    ADD CONSTRAINT knowledge_chunks_page FOREIGN KEY (project_id, source_id, url) REFERENCES public.knowledge_pages(project_id, source_id, url) ON DELETE CASCADE;
ALTER TABLE ONLY public.knowledge_files
    ADD CONSTRAINT knowledge_files_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.knowledge_pages
    ADD CONSTRAINT knowledge_pages_project FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.knowledge_removals
    ADD CONSTRAINT knowledge_removals_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.knowledge_sources
    ADD CONSTRAINT knowledge_sources_knowledge_base FOREIGN KEY (project_id, knowledge_base_id) REFERENCES public.knowledge_bases(project_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.oauth_records
    ADD CONSTRAINT oauth_records_project_id_key_id_fkey FOREIGN KEY (project_id, key_id) REFERENCES public.api_keys(project_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.phone_numbers
    ADD CONSTRAINT phone_numbers_conversation FOREIGN KEY (project_id, conversation_id) REFERENCES public.conversations(project_id, id);
ALTER TABLE ONLY public.phone_numbers
    ADD CONSTRAINT phone_numbers_flow FOREIGN KEY (project_id, flow_id) REFERENCES public.flows(project_id, id);
ALTER TABLE ONLY public.phone_numbers
    ADD CONSTRAINT phone_numbers_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);
ALTER TABLE ONLY public.rate_limit_windows
    ADD CONSTRAINT rate_limit_windows_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.scenario_results
    ADD CONSTRAINT scenario_results_scenario FOREIGN KEY (project_id, scenario_id) REFERENCES public.scenarios(project_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.scenarios
    ADD CONSTRAINT scenarios_conversation FOREIGN KEY (project_id, conversation_id) REFERENCES public.conversations(project_id, id);
ALTER TABLE ONLY public.search_entries
    ADD CONSTRAINT search_entries_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.secret_requests
    ADD CONSTRAINT secret_requests_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.session_turns
    ADD CONSTRAINT session_turns_session FOREIGN KEY (project_id, session_id) REFERENCES public.sessions(project_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.trash
    ADD CONSTRAINT trash_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.upload_pieces
    ADD CONSTRAINT upload_pieces_project_id_upload_id_fkey FOREIGN KEY (project_id, upload_id) REFERENCES public.uploads(project_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.usage_sums
    ADD CONSTRAINT usage_sums_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.voice_references
    ADD CONSTRAINT voice_references_voice FOREIGN KEY (project_id, voice_id) REFERENCES public.voices(project_id, id) ON DELETE CASCADE;
ALTER TABLE ONLY public.voices
    ADD CONSTRAINT voices_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
ALTER TABLE ONLY public.web_agents
    ADD CONSTRAINT web_agents_conversation FOREIGN KEY (project_id, conversation_id) REFERENCES public.conversations(project_id, id);
ALTER TABLE ONLY public.web_agents
    ADD CONSTRAINT web_agents_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);
INSERT INTO public.schema_migrations VALUES
	(1, '0001-foundation', 1, '2026-11-24 12:00:00+00'),
	(2, '0002-conversations', 1, '2026-11-24 12:00:00+00'),
	(3, '0003-secrets', 1, '2026-11-24 12:00:00+00'),
	(4, '0004-web-agents', 1, '2026-11-24 12:00:00+00'),
	(5, '0005-phone-numbers', 1, '2026-11-24 12:00:00+00'),
	(6, '0006-integration-credentials', 1, '2026-11-24 12:00:00+00'),
	(7, '0007-usage', 1, '2026-11-24 12:00:00+00'),
	(8, '0008-voices', 1, '2026-11-24 12:00:00+00'),
	(9, '0009-knowledge', 1, '2026-11-24 12:00:00+00'),
	(10, '0010-knowledge-search', 1, '2026-11-24 12:00:00+00'),
	(11, '0011-knowledge-removals', 1, '2026-11-24 12:00:00+00'),
	(12, '0012-knowledge-embedding', 1, '2026-11-24 12:00:00+00'),
	(13, '0013-flows-of-profile', 1, '2026-11-24 12:00:00+00'),
	(14, '0014-rate-limits', 1, '2026-11-24 12:00:00+00'),
	(15, '0015-knowledge-details', 1, '2026-11-24 12:00:00+00'),
	(16, '0016-integration-unverified', 1, '2026-11-24 12:00:00+00'),
	(17, '0027-project-search', 1, '2026-11-24 12:00:00+00'),
	(18, '0028-changes', 1, '2026-11-24 12:00:00+00'),
	(19, '0029-restricted-keys', 1, '2026-11-24 12:00:00+00'),
	(20, '0030-require-disclosure', 1, '2026-11-24 12:00:00+00'),
	(21, '0031-version-authors', 1, '2026-11-24 12:00:00+00'),
	(22, '0032-search-pending', 1, '2026-11-24 12:00:00+00'),
	(23, '0034-uploads', 1, '2026-11-24 12:00:00+00'),
	(24, '0036-scenarios', 1, '2026-11-24 12:00:00+00'),
	(25, '0038-trash-resources', 1, '2026-11-24 12:00:00+00'),
	(26, '0040-sessions', 1, '2026-11-24 12:00:00+00'),
	(27, '0042-session-records', 1, '2026-11-24 12:00:00+00'),
	(28, '0043-handover', 1, '2026-11-24 12:00:00+00'),
	(29, '0044-oauth', 1, '2026-11-24 12:00:00+00'),
	(30, '0045-oauth-sign-ins', 1, '2026-11-24 12:00:00+00'),
	(31, '0046-secret-requests', 1, '2026-11-24 12:00:00+00'),
	(32, '0047-live-periods-and-workers', 1, '2026-11-24 12:00:00+00'),
	(33, '0048-tasks', 1, '2026-11-24 12:00:00+00'),
	(34, '0049-oauth-clients', 1, '2026-11-24 12:00:00+00'),
	(35, '0050-rejections', 1, '2026-11-24 12:00:00+00');
INSERT INTO public.schema_migrations_lock VALUES
	(1, 0);
SELECT pg_catalog.setval('public.schema_migrations_id_seq', 35, true);
SELECT pg_catalog.setval('public.schema_migrations_lock_index_seq', 1, true);
