import type { Knex } from 'knex';

/**
 * The index of a profile's flows gains their order. Every flow that is created for a profile takes the place after its
 * last one, which Postgres otherwise finds by reading all flows of the profile.
 */
const order = `
  drop index flows_agent_profile;
  create index flows_agent_profile on flows (project_id, agent_profile_id, agent_profile_position, id)
    where agent_profile_id is not null;
`;

export async function up(db: Knex): Promise<void> {
  await db.raw(order);
}
