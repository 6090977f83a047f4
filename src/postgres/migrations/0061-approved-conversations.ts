import type { Knex } from 'knex';

/**
 * Whether somebody who may publish has decided on what is live of a conversation: its version 1 is active from the start, also
 * if its author may write drafts only. null, as of rows from the trash of an earlier release, counts as true.
 */
const changes = `
  alter table conversations add column is_approved boolean default true;
  update conversations set is_approved = false
  from conversation_versions versions join api_keys keys on keys.project_id = versions.project_id and keys.id = versions.author
  where versions.project_id = conversations.project_id and versions.conversation_id = conversations.id and versions.n = 1
    and active_version = 1 and not 'publish' = any(keys.access);
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(changes);
}
