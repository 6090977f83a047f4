import type { Knex } from 'knex';

/**
 * A stored result belongs to the credential that made it, and holds no secret. Results of earlier releases are dropped:
 * nothing says whose they are.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    delete from idempotency_keys;
    alter table idempotency_keys
      add column credential text not null,
      drop column sealed_answer,
      drop constraint idempotency_keys_pkey,
      add primary key (project_id, credential, operation, key)`);
}
