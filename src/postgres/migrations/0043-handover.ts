import type { Knex } from 'knex';

/** The address to which a web agent hands its visitors over, and the secret by which the receiver knows Parley. */
const changes = `
  alter table web_agents
    add column handover_url text,
    add column sealed_handover_secret bytea;
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(changes);
}
