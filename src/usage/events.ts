import type { Knex } from 'knex';
import { only } from '../store/queries.ts';
import type { Use } from '../store/usage.ts';

/** A use as it is stored: written again with the same id and time, it counts once. */
export interface UsageEvent extends Use {
  readonly projectId: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly occurredAt: number;
}

/** Milliseconds: a database that is silent answers nothing at all. Whoever gives up may try again. */
const patience = 5_000;

/**
 * Events and the sums over time in one statement, so that they stand or fall together. What an earlier try has written
 * is not added again. Sums are locked in order: two replicas that write the same ones cannot block each other. A
 * project that is gone takes nothing and holds up nobody.
 */
const writing = `
  with given as (
    select given.*
    from unnest(
      ?::text[], ?::timestamptz[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::numeric[], ?::boolean[]
    ) as given (project_id, occurred_at, id, service, mode, metric, quantity, estimated)
    where exists (select from projects where projects.id = given.project_id)
  ),
  written as (
    insert into usage_events (project_id, occurred_at, id, service, mode, metric, quantity, estimated)
    select * from given order by project_id, occurred_at, id
    on conflict do nothing
    returning project_id, occurred_at, service, mode, metric, quantity
  ),
  summed as (
    insert into usage_sums as sums (project_id, minutes, start, service, mode, metric, quantity)
    select project_id, minutes, date_bin(minutes * interval '1 minute', occurred_at, timestamptz 'epoch') as start,
      service, mode, metric, sum(quantity)
    from written cross join (values (5), (60)) as lengths (minutes)
    group by project_id, minutes, start, service, mode, metric
    order by project_id, minutes, start, service, mode, metric
    on conflict (project_id, minutes, start, service, mode, metric)
      do update set quantity = sums.quantity + excluded.quantity
  )
  select count(*)::int as known from given`;

/**
 * Writes events and adds those that were not there yet to the sums of their time.
 * @returns how many of them belong to a project that exists
 */
export async function writeUsage(knex: Knex, events: readonly UsageEvent[]): Promise<number> {
  const bindings = [
    events.map(({ projectId }) => projectId),
    events.map(({ occurredAt }) => new Date(occurredAt).toISOString()),
    events.map(({ id }) => id),
    events.map(({ service }) => service),
    events.map(({ mode }) => mode ?? 'none'),
    events.map(({ metric }) => metric),
    events.map(({ quantity }) => quantity),
    events.map(({ estimated }) => estimated ?? false),
  ];
  const { rows } = await knex.raw<{ rows: { known: number }[] }>(writing, bindings).timeout(patience);
  return only(rows).known;
}
