import type { Knex } from 'knex';

/**
 * A call that a flow answers is a session of the flow. `conversation_id` then holds the id of the flow, too: replicas of an earlier
 * release list sessions, and require one.
 */
const changes = `
  alter table sessions add column flow_id text collate "C";
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(changes);
}
