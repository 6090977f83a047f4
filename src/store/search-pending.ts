import type { Knex } from 'knex';
import { countChanged } from '../db/sql.ts';

/** One record in a transaction, because a change of the same record waits until it is indexed. */
const indexNext = `
  select search_index(project_id, id) from (
    select project_id, id from search_pending limit 1 for update skip locked
  ) due`;

/**
 * Makes the search entry of a flow or conversation that has changed (migration 0032). Several workers may do this at
 * once, each for another record.
 * @returns false if no record waits that no change or other worker holds
 */
export async function indexNextRecord(knex: Knex): Promise<boolean> {
  return (await countChanged(knex, indexNext, {})) > 0;
}
