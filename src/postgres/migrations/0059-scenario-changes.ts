import type { Knex } from 'knex';

/**
 * What has changed about the scenarios of a conversation since its active version was replaced by a newer one. `before` is
 * what the scenario was then, as `content` of a scenario; null if there was none. A scenario that is as it was has no row.
 * Replicas of earlier releases delete conversations without these rows, so they go along.
 */
const table = `
  create table scenario_changes (
    project_id text collate "C" not null,
    conversation_id text collate "C" not null,
    name text collate "C" not null,
    change text not null check (change in ('added', 'removed', 'weakened', 'changed', 'strengthened')),
    before json,
    changed_by text collate "C",
    changed_at timestamptz(3) not null default now(),
    primary key (project_id, conversation_id, name),
    constraint scenario_changes_conversation foreign key (project_id, conversation_id) references conversations
      on delete cascade
  );
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(table);
}
