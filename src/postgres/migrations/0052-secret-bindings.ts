import type { Knex } from 'knex';

/**
 * Where a secret may be sent: hosts, and the headers or the URL that may hold it. Secrets from before have null hosts: live
 * versions go on sending them until somebody binds them (decisions#secrets).
 */
const columns = `
  alter table secrets
    add column hosts text[],
    add column headers text[] not null default '{}',
    add column in_url boolean not null default false;
  -- What the page of a secret proposes, and what a person has entered there.
  alter table secret_requests add column binding jsonb, add column entered_binding jsonb;
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(columns);
}
