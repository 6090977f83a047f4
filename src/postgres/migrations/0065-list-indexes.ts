import type { Knex } from 'knex';

/** In the order in which changes are listed. Without it, a list of an operation that is rare reads the whole log. */
const changes = 'create index audit_log_operation on audit_log (project_id, operation, id)';

/**
 * A session has no outcome while it is open, and each of its turns added an entry to the index by outcome. Without these
 * entries, both indexes together cost no more than that one did.
 */
const sessions = `
  drop index sessions_listed_outcome;
  create index sessions_listed_outcome on sessions (project_id, outcome, id)
    where removed_at is null and outcome is not null;
  create index sessions_listed_conversation_outcome on sessions (project_id, conversation_id, outcome, id)
    where removed_at is null and outcome is not null;
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(changes);
  await db.raw(sessions);
}
