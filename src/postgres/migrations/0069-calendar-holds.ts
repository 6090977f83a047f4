import type { Knex } from 'knex';

/**
 * The times of calendars that bookings hold while they write to the calendar. A row lives for seconds, so that the table stays
 * small, and the index by time finds what overlaps among those of one calendar.
 */
const changes = `
  create table calendar_holds (
    project_id text collate "C" not null,
    integration_id text collate "C" not null,
    id text collate "C" not null,
    starts_at timestamptz(3) not null,
    ends_at timestamptz(3) not null,
    held_until timestamptz(3) not null,
    primary key (project_id, integration_id, id),
    constraint calendar_holds_integration
      foreign key (project_id, integration_id) references integrations on delete cascade,
    check (starts_at < ends_at)
  );
  create index calendar_holds_time on calendar_holds (project_id, integration_id, starts_at, ends_at);
  comment on table calendar_holds is 'made anew';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(changes);
}
