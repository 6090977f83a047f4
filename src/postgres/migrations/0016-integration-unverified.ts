import type { Knex } from 'knex';

/** Until now every integration was `connected`, although nothing has tried its credentials. */
const statuses = `
  alter table integrations
    drop constraint integrations_status_check,
    add constraint integrations_status_check
      check (status in ('unverified', 'connected', 'disconnected', 'error')),
    alter column status set default 'unverified';
  update integrations set status = 'unverified' where status = 'connected';
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(statuses);
}
