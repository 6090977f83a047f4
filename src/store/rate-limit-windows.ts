import type { Knex } from 'knex';
import { runSql } from '../postgres/sql.ts';

/** What is counted: requests of one key, say. */
export interface Counted {
  readonly projectId: string;
  /** The name of the limit. */
  readonly policy: string;
  /** The key or project that the limit holds for. */
  readonly id: string;
  /** The length of a window. */
  readonly seconds: number;
}

/** The current window of a limit. */
export interface RateLimitWindow {
  /** What was taken in it, on all replicas. */
  readonly taken: number;
  /** Milliseconds until it ends, by the clock of the database. */
  readonly remaining: number;
}

/** Counts for all replicas. */
export interface SharedCounts {
  take(counted: Counted, count: number): Promise<RateLimitWindow>;
  look(counted: Counted): Promise<RateLimitWindow>;
}

/** Windows start at multiples of their length, so that all replicas agree. */
const window = `
  current as (
    select began_at, cast(1000 * extract(epoch from began_at + make_interval(secs => :seconds) - now()) as float8) as remaining
    from (select to_timestamp(floor(extract(epoch from now()) / :seconds) * :seconds) as began_at) as windows
  )`;

/** A statement that waited for the row may have begun in the window before. */
const take = `
  with ${window},
  counted as (
    insert into rate_limit_windows as known (project_id, policy, id, began_at, taken)
    select cast(:projectId as text), cast(:policy as text), cast(:id as text), began_at, cast(:count as integer)
    from current
    on conflict (project_id, policy, id) do update set
      taken = excluded.taken + case when known.began_at >= excluded.began_at then known.taken else 0 end,
      began_at = greatest(known.began_at, excluded.began_at)
    returning taken
  )
  select taken, remaining from counted, current`;

const look = `
  with ${window}
  select coalesce(known.taken, 0) as taken, remaining
  from current left join rate_limit_windows as known
    on known.project_id = :projectId and known.policy = :policy and known.id = :id and known.began_at = current.began_at`;

/** Counts what is taken of rate limits, for all replicas. */
export class RateLimitWindows {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** Takes `count` in the current window. */
  take(counted: Counted, count: number): Promise<RateLimitWindow> {
    return this.#run(take, { ...counted, count });
  }

  /** The current window, unchanged. */
  look(counted: Counted): Promise<RateLimitWindow> {
    return this.#run(look, { ...counted });
  }

  async #run(sql: string, bindings: Readonly<Record<string, string | number>>): Promise<RateLimitWindow> {
    const [row] = await runSql<RateLimitWindow>(this.#knex, sql, bindings);
    if (!row) throw new Error('a rate limit has no window');
    return row;
  }
}
