import { timestamp } from '../../store/queries.ts';

/** A period in which a version was the active one. */
export interface LivePeriod {
  /** Null if it is not known, because an earlier release activated the version. */
  from: string | null;
  /** Null if the version is still active. */
  until: string | null;
}

/** The newest periods of a version that its row keeps. */
const mostPeriods = 5;

/**
 * Postgres returns a multirange as text, so the periods are read as JSON, newest first. `live_count` counts those that the
 * row no longer keeps too.
 */
export const livePeriodColumns = `
  live_count, (
    select json_agg(json_build_object('from', lower(period), 'until', upper(period)) order by period desc)
    from unnest(live_periods) as period
  ) as live_periods`;

/** What `livePeriodColumns` select. */
export interface LivePeriodRow {
  readonly live_count: number | null;
  readonly live_periods: LivePeriod[] | null;
}

/** SQL: the columns of a version that becomes the active one at `at`. */
export const liveBegins = {
  live_periods: `(
    select range_agg(period) from (
      select period from unnest(coalesce(live_periods, '{}') + tstzmultirange(tstzrange(at, null))) as period
      order by period desc limit ${mostPeriods}
    ) newest)`,
  live_count: 'coalesce(live_count, case when live_at is null then 0 else 1 end) + 1',
} as const;

/**
 * SQL: the columns of a version that ceases to be the active one at `at`.
 * @param since SQL of the time since which a version is active whose periods an earlier release did not record
 */
export const liveEnds = (since: string) =>
  ({
    live_periods: `coalesce(live_periods, tstzmultirange(tstzrange(${since}, null)))
      * tstzmultirange(tstzrange(null, at))`,
    live_count: 'coalesce(live_count, 1)',
  }) as const;

/** The periods as JSON has them, newest first, and how many more there were. */
export function livePeriodsOf({ live_periods: periods, live_count: count }: LivePeriodRow): {
  live: LivePeriod[];
  earlierLivePeriods: number;
} {
  const live = (periods ?? []).map(({ from, until }) => ({ from: inUtc(from), until: inUtc(until) }));
  return { live, earlierLivePeriods: (count ?? live.length) - live.length };
}

function inUtc(moment: string | null): string | null {
  return moment === null ? null : timestamp(new Date(moment));
}
