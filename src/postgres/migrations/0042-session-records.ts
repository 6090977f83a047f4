import type { Knex } from 'knex';

/**
 * How long a project keeps what visitors said, and how its sessions are listed. Without its texts a session is no longer
 * listed; its row stays, because the numbers about a conversation count it.
 */
const changes = `
  alter table projects add column session_retention_days integer not null default 30;

  alter table sessions
    add column fallbacks integer not null default 0,
    add column removed_at timestamptz(3);
  create index sessions_listed on sessions (project_id, id) where removed_at is null;
  create index sessions_listed_conversation on sessions (project_id, conversation_id, id) where removed_at is null;
  create index sessions_listed_version on sessions (project_id, conversation_id, version, id) where removed_at is null;
  create index sessions_listed_channel on sessions (project_id, channel, id) where removed_at is null;
  create index sessions_listed_outcome on sessions (project_id, outcome, id) where removed_at is null;
  create index sessions_retention on sessions (project_id, ended_at) where removed_at is null and ended_at is not null;
  drop index sessions_version;

  alter table session_turns
    add column understood json not null default '[]',
    add column understood_by text collate "C";
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(changes);
}
