import type { Knex } from 'knex';
import { runSql } from '../../postgres/sql.ts';
import type { Use } from '../../services/models/use.ts';
import { only } from '../../store/queries.ts';

/** A use as it is stored. If it is written again with the same id and time, it counts once. */
export interface UsageEvent extends Use {
  readonly projectId: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly occurredAt: number;
}

/** Milliseconds after which a write fails if the database is silent; the caller may retry it. */
const writeTimeout = 5_000;

/**
 * One statement for events and sums, so that both are written or neither. Events that an earlier try wrote are not
 * added again. Sums are locked in order, so that two replicas cannot block each other. Events of a project that does
 * not exist are left out, so that they do not fail the others.
 */
const writeEvents = `
  with given as (
    select given.*
    from unnest(
      cast(:projectIds as text[]), cast(:times as timestamptz[]), cast(:ids as uuid[]), cast(:services as text[]),
      cast(:modes as text[]), cast(:metrics as text[]), cast(:quantities as numeric[]),
      cast(:estimated as boolean[]), cast(array_replace(cast(:costs as text[]), '', null) as numeric[])
    ) as given (project_id, occurred_at, id, service, mode, metric, quantity, estimated, cost)
    where exists (select from projects where projects.id = given.project_id)
  ),
  written as (
    insert into usage_events (project_id, occurred_at, id, service, mode, metric, quantity, estimated, cost)
    select * from given order by project_id, occurred_at, id
    on conflict do nothing
    returning project_id, occurred_at, service, mode, metric, quantity, cost
  ),
  summed as (
    insert into usage_sums as sums (project_id, minutes, start, service, mode, metric, quantity, cost)
    select project_id, minutes, date_bin(minutes * interval '1 minute', occurred_at, timestamptz 'epoch') as start,
      service, mode, metric, sum(quantity), sum(cost)
    from written cross join (values (5), (60)) as lengths (minutes)
    group by project_id, minutes, start, service, mode, metric
    order by project_id, minutes, start, service, mode, metric
    on conflict (project_id, minutes, start, service, mode, metric)
      do update set quantity = sums.quantity + excluded.quantity,
        cost = coalesce(sums.cost + excluded.cost, sums.cost, excluded.cost)
  )
  select count(*)::int as known from given`;

/**
 * Writes events, and adds those that were not written before to the sums of their time.
 * @returns how many of them belong to a project that exists
 */
export async function writeUsage(knex: Knex, events: readonly UsageEvent[]): Promise<number> {
  const bindings = {
    projectIds: events.map(({ projectId }) => projectId),
    times: events.map(({ occurredAt }) => new Date(occurredAt).toISOString()),
    ids: events.map(({ id }) => id),
    services: events.map(({ service }) => service),
    modes: events.map(({ mode }) => mode ?? 'none'),
    metrics: events.map(({ metric }) => metric),
    quantities: events.map(({ quantity }) => quantity),
    estimated: events.map(({ estimated }) => estimated ?? false),
    costs: events.map(({ cost }) => cost?.toString() ?? ''),
  };
  return only(await runSql<{ known: number }>(knex, writeEvents, bindings, writeTimeout)).known;
}
