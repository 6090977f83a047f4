import type { Knex } from 'knex';

/** Nullable, because earlier rows lack them. The indexes are in the order in which changes are listed. */
const columns = `
  alter table audit_log add column resource_id text collate "C", add column summary text;
  create index audit_log_resource on audit_log (project_id, resource_id, id) where resource_id is not null;
  create index audit_log_key on audit_log (project_id, key_id, id);
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(columns);
}
