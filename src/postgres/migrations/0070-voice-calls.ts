import type { Knex } from 'knex';

/**
 * Which session a room of LiveKit plays, and which worker answers in it. A row lives as long as its call, so that both tables
 * stay small: `voice_calls_seen` finds the calls whose worker is silent.
 */
const changes = `
  create table voice_workers (
    id text collate "C" primary key,
    capacity integer not null,
    calls integer not null,
    is_draining boolean not null,
    seen_at timestamptz(3) not null default clock_timestamp()
  );
  create table voice_calls (
    project_id text collate "C" not null references projects on delete cascade,
    room text collate "C" not null,
    session_id text collate "C" not null,
    claims json not null,
    purpose text not null,
    worker text collate "C" not null,
    seen_at timestamptz(3) not null default clock_timestamp(),
    sent_at timestamptz(3),
    primary key (project_id, room),
    constraint voice_calls_room unique (room)
  );
  create index voice_calls_seen on voice_calls (seen_at);
  comment on table voice_workers is 'made anew';
  comment on table voice_calls is 'made anew';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(changes);
}
