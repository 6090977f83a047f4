import type { Knex } from 'knex';
import { hasCode } from '../error-code.ts';
import { MissingExtensionError } from '../missing-extension.ts';

/**
 * Ids sort by creation time under the collation "C", so the primary key is also the order of a list. The key of every
 * table of a project starts with project_id, and every reference includes it: Postgres cannot store a reference across
 * projects.
 *
 * `require_disclosure` is true if no version of a flow may go live unless its greeting discloses the AI.
 * `session_retention_days` is how long a project keeps what visitors said.
 */
const projects = `
  create table organizations (
    id text collate "C" primary key,
    name text not null,
    created_at timestamptz(3) not null default now()
  );

  create table projects (
    id text collate "C" primary key,
    organization_id text collate "C" not null references organizations,
    name text not null,
    description text,
    status text not null default 'active' check (status in ('active', 'paused', 'archived')),
    plan text not null default 'free' check (plan in ('free', 'starter', 'growth', 'pro', 'enterprise')),
    type text not null default 'platform' check (type in ('hotline', 'platform')),
    mode text not null default 'advanced' check (mode in ('simple', 'advanced')),
    channels text[] not null default '{phone,website}',
    industry text,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    require_disclosure boolean not null default false,
    session_retention_days integer not null default 30
  );
  create index projects_organization on projects (organization_id);
`;

/**
 * `minted_by` is the key that made a key, which is revoked with it. `oauth_client` names the client of a key that was made
 * by a sign-in through OAuth; null for any other key. The list of keys leaves out sign-ins that have ended, so it has an
 * index of its own.
 */
const keys = `
  create table api_keys (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    key_type text not null check (key_type in ('publishable', 'secret')),
    scope text not null check (scope in ('service_app', 'service_platform', 'platform')),
    access text[],
    hash bytea not null unique check (length(hash) = 32),
    key_prefix text not null,
    last4 text not null,
    status text not null default 'active' check (status in ('active', 'revoked')),
    last_used_at timestamptz(3),
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3),
    minted_by text collate "C",
    oauth_client text,
    primary key (project_id, id)
  );
  create index api_keys_minted_by on api_keys (project_id, minted_by) where minted_by is not null;
  create index api_keys_listed on api_keys (project_id, id) where oauth_client is null or status = 'active';
  create index api_keys_sign_ins on api_keys (expires_at) where oauth_client is not null and status = 'active';
`;

/**
 * What a version of a flow or of a conversation has besides its document. `author` is the key that made it; null on the
 * command line. `live_at` is when it last became the active one, `live_periods` holds the newest periods in which it was,
 * and `live_count` how many there were. A version that nobody rejected has no `rejected_at`. All are null in the oldest rows.
 */
const historyOfVersion = `
    author text collate "C",
    live_at timestamptz(3),
    live_periods tstzmultirange,
    live_count integer,
    rejected_at timestamptz(3),
    rejected_by text collate "C",
    rejection_reason text`;

/**
 * The index of a profile's flows has their order. Every flow that is created for a profile takes the place after its last
 * one, which Postgres would otherwise find by reading all flows of the profile.
 */
const flows = `
  create table agent_profiles (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    is_default boolean not null default false,
    supported_input_languages text[] not null default '{}',
    reasoning_mode text not null,
    output_voice_id text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id)
  );
  create unique index agent_profiles_default on agent_profiles (project_id) where is_default;

  create table flows (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    type text not null check (type in ('simple', 'graph')),
    description text,
    agent_profile_id text collate "C",
    agent_profile_position integer,
    newest_version bigint not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id),
    constraint flows_agent_profile foreign key (project_id, agent_profile_id) references agent_profiles
  );
  create index flows_agent_profile on flows (project_id, agent_profile_id, agent_profile_position, id)
    where agent_profile_id is not null;

  create table flow_versions (
    project_id text collate "C" not null,
    id text collate "C" not null,
    flow_id text collate "C" not null,
    version bigint not null,
    tag text not null,
    flow_schema json not null,
    flow_schema_bytes integer not null,
    is_active boolean not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),${historyOfVersion},
    primary key (project_id, id),
    unique (project_id, flow_id, version),
    constraint flow_versions_flow foreign key (project_id, flow_id) references flows
  );
  create unique index flow_versions_active on flow_versions (project_id, flow_id) where is_active;
  create index flow_versions_lived on flow_versions (project_id, flow_id) where live_periods is not null;
`;

/**
 * A design is `json`, not `jsonb`, because it must be returned as it was sent, with the same order of members. The
 * conversation's row names the active version, so there is always exactly one.
 */
const conversations = `
  create table conversations (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    description text,
    kind text not null check (kind in ('simple', 'advanced')),
    agent_profile_id text collate "C",
    newest_version bigint not null,
    active_version bigint not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    requires_scenarios boolean not null default false,
    primary key (project_id, id),
    constraint conversations_agent_profile foreign key (project_id, agent_profile_id) references agent_profiles
  );
  create index conversations_agent_profile on conversations (project_id, agent_profile_id)
    where agent_profile_id is not null;

  create table conversation_versions (
    project_id text collate "C" not null,
    conversation_id text collate "C" not null,
    n bigint not null,
    tag text not null,
    design json,
    design_bytes integer not null,
    created_at timestamptz(3) not null default now(),${historyOfVersion},
    primary key (project_id, conversation_id, n),
    constraint conversation_versions_conversation foreign key (project_id, conversation_id) references conversations
  );
  create index conversation_versions_lived on conversation_versions (project_id, conversation_id)
    where live_periods is not null;
`;

/**
 * `content` is `json`, because it is returned as it was sent. A result belongs to one version; those of a scenario that
 * changes are deleted. `touches` names the places that the scenario passed when it was last played.
 */
const scenarios = `
  create table scenarios (
    project_id text collate "C" not null,
    id text collate "C" not null,
    conversation_id text collate "C" not null,
    name text collate "C" not null,
    tags text[] not null,
    content json not null,
    touches text[] not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id),
    constraint scenarios_name unique (project_id, conversation_id, name),
    constraint scenarios_conversation foreign key (project_id, conversation_id) references conversations
  );

  create table scenario_results (
    project_id text collate "C" not null,
    scenario_id text collate "C" not null,
    conversation_id text collate "C" not null,
    n bigint not null,
    holds boolean not null,
    failed json not null,
    model text,
    played_at timestamptz(3) not null default now(),
    primary key (project_id, scenario_id, n),
    constraint scenario_results_scenario foreign key (project_id, scenario_id) references scenarios on delete cascade
  );
  create index scenario_results_conversation on scenario_results (project_id, conversation_id);
`;

/**
 * The bases and integrations that the active design of each conversation refers to, as foreign keys that prevent their
 * deletion. Other versions prevent nothing.
 */
const references = `
  create table knowledge_bases (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id)
  );

  create table integrations (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    kind text not null check (kind in ('crm', 'calendar', 'knowledge')),
    provider text not null,
    name text not null,
    status text not null default 'unverified' check (status in ('unverified', 'connected', 'disconnected', 'error')),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    sealed_credentials bytea,
    primary key (project_id, id)
  );

  create table conversation_integrations (
    project_id text collate "C" not null,
    conversation_id text collate "C" not null,
    integration_id text collate "C" not null,
    primary key (project_id, conversation_id, integration_id),
    constraint conversation_integrations_conversation
      foreign key (project_id, conversation_id) references conversations,
    constraint conversation_integrations_integration
      foreign key (project_id, integration_id) references integrations
  );
  create index conversation_integrations_integration
    on conversation_integrations (project_id, integration_id, conversation_id);

  create table conversation_knowledge_bases (
    project_id text collate "C" not null,
    conversation_id text collate "C" not null,
    knowledge_base_id text collate "C" not null,
    primary key (project_id, conversation_id, knowledge_base_id),
    constraint conversation_knowledge_bases_conversation
      foreign key (project_id, conversation_id) references conversations,
    constraint conversation_knowledge_bases_knowledge_base
      foreign key (project_id, knowledge_base_id) references knowledge_bases
  );
  create index conversation_knowledge_bases_knowledge_base
    on conversation_knowledge_bases (project_id, knowledge_base_id, conversation_id);
`;

/**
 * A run indexes a source once. Its frontier is in `knowledge_pages`: one transaction writes a page, its chunks, its links
 * and the progress, so that another worker can continue after a crash. The chunks of the previous run remain searchable
 * until their page is indexed again. `lease` is a fencing token: only the worker that wrote it last may write pages.
 * `pages` and `indexed_at` are null in rows that the trash kept without them. `indexing_workers` has the processes that
 * index sources, of all projects; each says every few seconds that it runs.
 */
const knowledgeSources = `
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
    pages integer,
    indexed_at timestamptz(3),
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

  create table indexing_workers (
    id text collate "C" primary key,
    seen_at timestamptz(3) not null
  );
  comment on table indexing_workers is 'made anew';
`;

/**
 * Workers remove the pages and words of deleted sources and bases, because a statement that cascades over a large base
 * would exceed its time limit. Pages and words therefore do not cascade. An empty `source_id` of a removal stands for the
 * words of a whole base, which are no longer counted, and are removed after its chunks.
 *
 * `embedded_by` names the model of a page's vectors, and is empty if there are none. A worker embeds the pages with
 * another model than its own. `embedding_lease` is a fencing token: only the worker that wrote it last may write vectors,
 * and none after the chunks have changed. Another worker may take it over after `embedding_due`.
 */
const knowledgePages = `
  create table knowledge_pages (
    project_id text collate "C" not null,
    source_id text collate "C" not null,
    url text collate "C" not null,
    run bigint not null,
    depth integer not null,
    status text not null check (status in ('pending', 'done', 'failed', 'skipped')),
    title text,
    error text,
    embedded_by text collate "C" not null default '',
    embedding_lease text,
    embedding_due timestamptz not null default '-infinity',
    primary key (project_id, source_id, url),
    constraint knowledge_pages_project foreign key (project_id) references projects
  );
  comment on column knowledge_pages.embedded_by is 'made anew';
  comment on column knowledge_pages.embedding_lease is 'made anew';
  comment on column knowledge_pages.embedding_due is 'made anew';
  create index knowledge_pages_embedded_by on knowledge_pages (embedded_by) where status <> 'pending';

  create table knowledge_removals (
    project_id text collate "C" not null references projects,
    knowledge_base_id text collate "C" not null,
    source_id text collate "C" not null,
    created_at timestamptz(3) not null default now(),
    primary key (project_id, knowledge_base_id, source_id)
  );
`;

/** Maps a letter to the one without its accent. */
const plainLetters: Readonly<Record<string, string>> = {
  a: 'àáâãäåāăą',
  c: 'çćč',
  d: 'ďđ',
  e: 'èéêëēėęě',
  g: 'ğ',
  i: 'ìíîïīįı',
  l: 'ł',
  n: 'ñńň',
  o: 'òóôõöøōő',
  r: 'ř',
  s: 'śšşș',
  t: 'ťţț',
  u: 'ùúûüūůűų',
  y: 'ýÿ',
  z: 'źżž',
};
const accented = Object.values(plainLetters).join('');
const plain = Object.entries(plainLetters)
  .map(([letter, others]) => letter.repeat(others.length))
  .join('');

/**
 * Makes the stems of words in their language, without accents. Accents are removed after stemming, because stemmers know
 * endings with accents. Typographic apostrophes and hyphens count as typed ones, and characters that may divide a word do
 * not. The function sets its own search path, because a restore or a vacuum may set another one.
 */
export const knowledgeVector = `
  create or replace function knowledge_vector(language text, words text) returns tsvector
    language plpgsql immutable strict parallel safe set search_path from current
    as $$
    declare
      configuration regconfig := coalesce(
        (select oid from pg_catalog.pg_ts_config
         where cfgname = language and cfgnamespace = 'pg_catalog'::regnamespace),
        'pg_catalog.simple'::regconfig);
      vector tsvector := to_tsvector(configuration, translate(words, U&'\\2019\\02BC\\2011\\00AD', '''''-'));
      written text := vector;
    begin
      if octet_length(written) = char_length(written) then return vector; end if;
      written := translate(written, '${accented}', '${plain}');
      return replace(replace(replace(written, 'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae')::tsvector;
    end $$;
`;

/**
 * Keeps the columns that a scan of many chunks reads in the row. By default, Postgres would move even ids out of a row of
 * more than 2 KB, as most are, and fetch them one by one.
 */
const keptInRow = ['search', 'project_id', 'knowledge_base_id', 'source_id', 'url', 'heading', 'language'];

/** The index starts with the base, so that other bases cost a query little. */
const knowledgeChunks = `
  create table knowledge_chunks (
    project_id text collate "C" not null,
    knowledge_base_id text collate "C" not null,
    source_id text collate "C" not null,
    url text collate "C" not null,
    position integer not null,
    heading text not null,
    text text not null,
    language text not null,
    search tsvector not null generated always as (
      setweight(knowledge_vector(language, heading), 'A') || knowledge_vector(language, text)
    ) stored,
    primary key (project_id, source_id, url, position),
    constraint knowledge_chunks_page
      foreign key (project_id, source_id, url) references knowledge_pages on delete cascade
  );
  alter table knowledge_chunks
    ${keptInRow.map((column) => `alter column ${column} set storage main`).join(', ')},
    set (toast_tuple_target = 4080);
  create index knowledge_chunks_search on knowledge_chunks using gin (knowledge_base_id, search);
`;

const hasWords = `cross join lateral (select unnest(tsvector_to_array(search)) union all select '') as has (word)`;

/**
 * The number of chunks of a base and language that contain a word; under the empty word, the number of all chunks.
 * Triggers count, because chunks are also deleted with their pages, sources and bases. Writers to one base take turns
 * until the end of their transaction, because the commonest words are in every chunk.
 */
const knowledgeWords = `
  create table knowledge_words (
    project_id text collate "C" not null,
    knowledge_base_id text collate "C" not null,
    language text collate "C" not null,
    word text collate "C" not null,
    chunks integer not null,
    primary key (project_id, knowledge_base_id, language, word)
  );
  comment on table knowledge_words is 'made by triggers';
  create index knowledge_words_similar on knowledge_words using gin (knowledge_base_id, word gin_trgm_ops);

  create function knowledge_words_added() returns trigger
    language plpgsql set search_path from current
    as $function$
    begin
      perform pg_advisory_xact_lock(hashtextextended(knowledge_base_id, 0))
      from (select distinct knowledge_base_id from changed order by 1) as bases;
      insert into knowledge_words as known (project_id, knowledge_base_id, language, word, chunks)
      select project_id, knowledge_base_id, language, word, count(*)
      from changed ${hasWords}
      group by project_id, knowledge_base_id, language, word
      on conflict (project_id, knowledge_base_id, language, word)
        do update set chunks = known.chunks + excluded.chunks;
      return null;
    end $function$;

  create function knowledge_words_removed() returns trigger
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
        from changed ${hasWords}
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

  create trigger knowledge_chunks_added after insert on knowledge_chunks
    referencing new table as changed for each statement execute function knowledge_words_added();
  create trigger knowledge_chunks_removed after delete on knowledge_chunks
    referencing old table as changed for each statement execute function knowledge_words_removed();
`;

/**
 * The reference audio is in its own table, outside the rows that lists read, and encrypted, because it identifies a
 * person's voice. Postgres does not try to compress it, because encrypted bytes do not compress.
 */
const voices = `
  create table voices (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    gender text not null check (gender in ('male', 'female', 'neutral')),
    supported_languages text[] not null,
    vibe_tags text[] not null,
    created_at timestamptz(3) not null default now(),
    primary key (project_id, id)
  );
  create index voices_name on voices (project_id, name, id);

  create table voice_references (
    project_id text collate "C" not null,
    voice_id text collate "C" not null,
    transcript text not null,
    sealed_audio bytea not null,
    primary key (project_id, voice_id),
    constraint voice_references_voice foreign key (project_id, voice_id) references voices on delete cascade
  );
  alter table voice_references alter sealed_audio set storage external;
`;

/**
 * The handler of a number is two columns that exclude each other, so that Postgres can enforce both references. The
 * password is not among the other fields, because those are returned unchanged. A native number belongs to the platform,
 * and only one project has it.
 *
 * `handover_url` is the address to which a web agent hands its visitors over, and the secret is what the receiver knows
 * Parley by.
 */
const channels = `
  create table phone_numbers (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    type text not null check (type in ('native', 'partner', 'external')),
    name text not null,
    number text collate "C" not null,
    status text not null default 'enabled' check (status in ('enabled', 'disabled')),
    flow_id text collate "C",
    conversation_id text collate "C",
    external_phone_fields json,
    sealed_auth_password bytea,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, id),
    constraint phone_numbers_number unique (project_id, number),
    constraint phone_numbers_one_handler check (flow_id is null or conversation_id is null),
    constraint phone_numbers_flow foreign key (project_id, flow_id) references flows,
    constraint phone_numbers_conversation foreign key (project_id, conversation_id) references conversations
  );
  create unique index phone_numbers_native on phone_numbers (number) where type = 'native';
  create index phone_numbers_flow on phone_numbers (project_id, flow_id) where flow_id is not null;
  create index phone_numbers_conversation on phone_numbers (project_id, conversation_id)
    where conversation_id is not null;

  create table web_agents (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    name text not null,
    channel text not null check (channel in ('widget', 'api')),
    scopes text[] not null,
    allowed_origins text[] not null,
    conversation_id text collate "C" not null,
    status text not null default 'active' check (status in ('active', 'disabled')),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    handover_url text,
    sealed_handover_secret bytea,
    primary key (project_id, id),
    constraint web_agents_conversation foreign key (project_id, conversation_id) references conversations
  );
  create index web_agents_conversation on web_agents (project_id, conversation_id);
`;

/**
 * Sessions are the conversations that were held. They name a conversation and a web agent without a reference, because they
 * outlive both. `played` counts the rows of turns, `turns` those of the visitor. Whoever holds the lease plays the next
 * turn. An archive leaves out the state, so that a copy of a database never goes on with somebody's session. A session whose
 * texts were removed is no longer listed; its row stays, because the numbers about a conversation count it.
 */
const sessions = `
  create table sessions (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    conversation_id text collate "C" not null,
    version bigint not null,
    web_agent_id text collate "C",
    channel text collate "C" not null,
    started_at timestamptz(3) not null default now(),
    active_at timestamptz(3) not null default now(),
    ended_at timestamptz(3),
    reason text collate "C",
    outcome text collate "C",
    played integer not null default 0,
    turns integer not null default 0,
    last_step text collate "C",
    variables json not null default '{}',
    model_calls integer not null default 0,
    model_tokens bigint not null default 0,
    state json,
    lease text collate "C",
    leased_until timestamptz(3),
    fallbacks integer not null default 0,
    removed_at timestamptz(3),
    primary key (project_id, id)
  );
  comment on column sessions.state is 'made anew';
  comment on column sessions.lease is 'made anew';
  comment on column sessions.leased_until is 'made anew';
  create index sessions_conversation on sessions (project_id, conversation_id, id);
  create index sessions_open on sessions (project_id) where ended_at is null;
  create index sessions_idle on sessions (active_at) where ended_at is null;
  create index sessions_listed on sessions (project_id, id) where removed_at is null;
  create index sessions_listed_conversation on sessions (project_id, conversation_id, id) where removed_at is null;
  create index sessions_listed_version on sessions (project_id, conversation_id, version, id) where removed_at is null;
  create index sessions_listed_channel on sessions (project_id, channel, id) where removed_at is null;
  create index sessions_listed_outcome on sessions (project_id, outcome, id) where removed_at is null;
  create index sessions_retention on sessions (project_id, ended_at) where removed_at is null and ended_at is not null;

  create table session_turns (
    project_id text collate "C" not null,
    session_id text collate "C" not null,
    number integer not null,
    message_id text collate "C",
    caller_text text,
    events json not null,
    path json not null,
    requests json not null,
    notes json not null,
    at timestamptz(3) not null default now(),
    understood json not null default '[]',
    understood_by text collate "C",
    primary key (project_id, session_id, number),
    constraint session_turns_message unique (project_id, session_id, message_id),
    constraint session_turns_session foreign key (project_id, session_id) references sessions on delete cascade
  );
`;

/**
 * Quantities are `numeric`, because their sums are exact in any order: both reports and every replica agree to the last
 * digit. `mode` is `none` instead of null, because nulls in a key are never equal. The key of events detects a flush that
 * is retried, and serves the range of a report. Events have no foreign key to their project, because Postgres would check
 * it row by row; the sums, which the same transaction writes, have one. There are sums of hours, and of five minutes for
 * the ends of a range. Most writes update the newest sums; the fill factor leaves room for that on their page.
 */
const usage = `
  create table usage_events (
    project_id text collate "C" not null,
    occurred_at timestamptz(3) not null,
    id uuid not null,
    service text collate "C" not null,
    mode text collate "C" not null,
    metric text collate "C" not null,
    quantity numeric not null,
    estimated boolean not null,
    primary key (project_id, occurred_at, id)
  );

  create table usage_sums (
    project_id text collate "C" not null references projects,
    minutes smallint not null check (minutes in (5, 60)),
    start timestamptz(0) not null,
    service text collate "C" not null
      check (service in ('tts', 'stt', 's2s', 'llm', 'kb', 'voice_minutes')),
    mode text collate "C" not null check (mode in ('realtime', 'batch', 'playground', 'none')),
    metric text collate "C" not null
      check (metric in ('seconds', 'tokens_in', 'tokens_out', 'chars', 'minutes', 'requests')),
    quantity numeric not null,
    primary key (project_id, minutes, start, service, mode, metric)
  ) with (fillfactor = 80);
`;

/**
 * The trash stores a reference audio as bytes next to its JSON: deleting 20 MB takes 0.4 s, instead of 5 s as hexadecimal
 * in the JSON. `trash_resources` is for the names of deleted records in the list of changes. The indexes of `audit_log` are
 * in the order in which changes are listed; `resource_id` and `summary` are null in its oldest rows.
 */
const ledger = `
  create table trash (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    kind text not null,
    resource_id text collate "C" not null,
    name text not null,
    rows json not null,
    deleted_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    sealed_content bytea,
    primary key (project_id, id)
  );
  alter table trash alter sealed_content set storage external;
  create index trash_expiry on trash (expires_at);
  create index trash_resources on trash (project_id, resource_id);

  create table idempotency_keys (
    project_id text collate "C" not null references projects,
    operation text not null,
    key text not null,
    input_hash text not null,
    answer json,
    created_at timestamptz(3) not null default now(),
    sealed_answer bytea,
    primary key (project_id, operation, key)
  );
  create index idempotency_keys_age on idempotency_keys (created_at);

  create table audit_log (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    key_id text collate "C" not null,
    operation text not null,
    request_id text not null,
    input_hash text not null,
    output_hash text not null,
    created_at timestamptz(3) not null default now(),
    resource_id text collate "C",
    summary text,
    primary key (project_id, id)
  );
  create index audit_log_resource on audit_log (project_id, resource_id, id) where resource_id is not null;
  create index audit_log_key on audit_log (project_id, key_id, id);

  create function audit_log_is_append_only() returns trigger language plpgsql as $$
  begin
    raise exception 'audit_log is append only';
  end
  $$;
  create trigger audit_log_is_append_only before update or delete or truncate on audit_log
    for each statement execute function audit_log_is_append_only();
`;

/**
 * A secret request is a secret that a call waits for: a person enters it on a page. Requests live for minutes, and an
 * entered value until the call takes it, so archives leave them out.
 */
const secrets = `
  create table secrets (
    project_id text collate "C" not null references projects,
    name text collate "C" not null,
    sealed_value bytea not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (project_id, name)
  );

  create table secret_requests (
    project_id text collate "C" not null references projects,
    token_hash bytea not null unique,
    key_id text collate "C" not null,
    name text collate "C" not null,
    sealed_value bytea,
    expires_at timestamptz(3) not null,
    primary key (project_id, token_hash)
  );
  create index secret_requests_expiry on secret_requests (expires_at);
  comment on table secret_requests is 'made anew';
`;

/**
 * Files on their way into an operation. They live for minutes, so archives leave them out. Pieces keep the memory of a
 * reader small, because each is encrypted on its own.
 */
const uploads = `
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

/**
 * Calls of MCP that go on after their response. They live for a day, so archives leave them out. A call that a process runs
 * has a lease, which the process renews; work that goes on by itself, such as a crawl, has none.
 */
const tasks = `
  create table tasks (
    project_id text collate "C" not null references projects,
    id text collate "C" not null,
    key_id text collate "C" not null,
    tool text not null,
    status text not null default 'working' check (status in ('working', 'completed', 'failed', 'cancelled')),
    sealed_content bytea check (octet_length(sealed_content) <= 1048576),
    lease_until timestamptz(3),
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    primary key (project_id, id)
  );
  create index tasks_expiry on tasks (expires_at);
  comment on table tasks is 'made anew';
`;

/**
 * What the authorization server remembers. Codes and tokens are stored as SHA-256 only. Archives leave all of it out: after
 * a restore, clients sign in again. Anyone can begin a sign-in, so those in progress are counted and bounded.
 */
const oauth = `
  create table oauth_clients (
    id text collate "C" primary key,
    metadata json not null,
    created_at timestamptz(3) not null default now(),
    used_at timestamptz(3),
    expires_at timestamptz(3) not null
  );
  create index oauth_clients_unused on oauth_clients (created_at) where used_at is null;
  create index oauth_clients_expiry on oauth_clients (expires_at);
  comment on table oauth_clients is 'made anew';

  create table oauth_records (
    kind text collate "C" not null,
    id_hash bytea not null,
    grant_id text collate "C",
    project_id text collate "C",
    key_id text collate "C",
    payload json not null,
    expires_at timestamptz(3) not null,
    consumed_at timestamptz(3),
    primary key (kind, id_hash),
    foreign key (project_id, key_id) references api_keys on delete cascade
  );
  create index oauth_records_grant on oauth_records (grant_id) where grant_id is not null;
  create index oauth_records_key on oauth_records (project_id, key_id) where key_id is not null;
  create index oauth_records_expiry on oauth_records (expires_at);
  create index oauth_records_sign_ins on oauth_records (expires_at) where kind = 'Interaction';
  comment on table oauth_records is 'made anew';
`;

/**
 * What each key and project has taken of its rate limits in the current window. Unlogged, because a crash may forget it, and
 * because a change of it should not wait for the disk.
 */
const rateLimits = `
  create unlogged table rate_limit_windows (
    project_id text not null references projects on delete cascade,
    policy text not null,
    id text not null,
    began_at timestamptz not null,
    taken integer not null,
    primary key (project_id, policy, id)
  );
  comment on table rate_limit_windows is 'made anew';
`;

/** In an order in which each table follows those that it refers to. */
const parts = [
  projects,
  keys,
  flows,
  conversations,
  scenarios,
  references,
  knowledgeSources,
  knowledgePages,
  knowledgeVector,
  knowledgeChunks,
  knowledgeWords,
  voices,
  channels,
  sessions,
  usage,
  ledger,
  secrets,
  uploads,
  tasks,
  oauth,
  rateLimits,
];

/** SQLSTATEs: the extension's files are missing, or the role may not create it. */
const [undefinedFile, featureNotSupported, insufficientPrivilege] = ['58P01', '0A000', '42501'];

export async function up(db: Knex): Promise<void> {
  for (const extension of ['btree_gin', 'pg_trgm']) {
    try {
      await db.raw('create extension if not exists ??', [extension]);
    } catch (error) {
      if (!hasCode(error, undefinedFile, featureNotSupported, insufficientPrivilege)) throw error;
      throw new MissingExtensionError(extension, { cause: error });
    }
  }
  for (const part of parts) await db.raw(part);
}
