import type { Knex } from 'knex';

/**
 * Sessions are the conversations that were held. They name a conversation and a web agent without a reference, because they
 * outlive both. `played` counts the rows of turns, `turns` those of the visitor. Whoever holds the lease plays the next
 * turn. An archive leaves out the state, so that a copy of a database never goes on with somebody's session.
 */
const tables = `
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
    primary key (project_id, id)
  );
  create index sessions_conversation on sessions (project_id, conversation_id, id);
  create index sessions_version on sessions (project_id, conversation_id, version);
  create index sessions_open on sessions (project_id) where ended_at is null;
  create index sessions_idle on sessions (active_at) where ended_at is null;
  comment on column sessions.state is 'made anew';
  comment on column sessions.lease is 'made anew';
  comment on column sessions.leased_until is 'made anew';

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
    primary key (project_id, session_id, number),
    constraint session_turns_message unique (project_id, session_id, message_id),
    constraint session_turns_session foreign key (project_id, session_id) references sessions on delete cascade
  );
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(tables);
}
