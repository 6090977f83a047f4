import type { Knex } from 'knex';
import { countChanged } from '../db/sql.ts';

/** One record in a transaction, because a change of the same record waits until it is indexed. */
const indexNext = `
  select search_index(project_id, id) from (
    select project_id, id from search_pending limit 1 for update skip locked
  ) due`;

/** A search reads the records that wait, so few are moved at once. */
const takeFromBacklog = `
  with taken as (
    delete from search_backlog
    where (project_id, id) in (select project_id, id from search_backlog limit 10 for update skip locked)
    returning project_id, id
  )
  insert into search_pending (project_id, id) select project_id, id from taken
  on conflict do nothing`;

/**
 * Makes the search entry of a flow or conversation that has changed (migration 0032). Several workers may do this at
 * once, each for another record. If none waits, takes the next records from before the search.
 * @returns false if no record is left that no change or other worker holds
 */
export async function indexNextRecord(knex: Knex): Promise<boolean> {
  const done = async (sql: string) => (await countChanged(knex, sql, {})) > 0;
  return (await done(indexNext)) || (await done(takeFromBacklog));
}
