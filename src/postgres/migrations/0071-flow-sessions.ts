import type { Knex } from 'knex';

/**
 * A call that a flow answers is a session of the flow. No foreign key, as for conversations: the session stays when its flow is
 * deleted.
 */
const changes = `
  alter table sessions alter column conversation_id drop not null;
  alter table sessions add column flow_id text collate "C";
  alter table sessions add constraint sessions_one_handler check ((flow_id is null) <> (conversation_id is null)) not valid;
  alter table sessions validate constraint sessions_one_handler;
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(changes);
}
