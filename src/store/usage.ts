import type { Queries } from './queries.ts';

export type UsageService = 'tts' | 'stt' | 's2s' | 'llm' | 'kb' | 'voice_minutes';
export type UsageMode = 'realtime' | 'batch' | 'playground' | null;
export type UsageMetric = 'seconds' | 'tokens_in' | 'tokens_out' | 'chars' | 'minutes' | 'requests';

/** One quantity that a call used. */
export interface Use {
  readonly service: UsageService;
  readonly mode: UsageMode;
  readonly metric: UsageMetric;
  readonly quantity: number;
  /** Where it was not told by who served the call. */
  readonly estimated?: true;
}

/** What was used in all, and never nothing; beyond 2^53 the nearest number. */
export interface UsageTotal {
  service: UsageService;
  mode: UsageMode;
  metric: UsageMetric;
  quantity: number;
}

/** A total of one period, by the start of that period in milliseconds since 1970. */
export interface UsagePoint extends UsageTotal {
  start: number;
}

/** Of UTC; a week starts on Monday (ISO 8601). */
export type Granularity = 'hour' | 'day' | 'week' | 'month';

/** Milliseconds since 1970, `to` not included. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const hour = 3_600_000;
/** Milliseconds: a report that a silent or busy database holds up is given up. */
const patience = 10_000;

interface TotalRow {
  service: UsageService;
  mode: UsageMode;
  metric: UsageMetric;
  quantity: string;
}

/**
 * What the projects that `whose` selects used in a range: the sums of its hours, from the hour nearest to `from` to
 * the one nearest to `to`, and at each end the events that are missing, or that are too many and count less. So a report
 * reads the events of half an hour at each end at most, and its sums are exact as `numeric` is. One statement sees one
 * moment: both reports agree.
 */
function usedBy(whose: string): string {
  return `
    select hour as at, service, mode, metric, quantity from usage_hours
    where project_id ${whose} and hour >= :fromHour and hour < :toHour
    union all
    select occurred_at, service, mode, metric, quantity * :fromSign::int from usage_events
    where project_id ${whose} and occurred_at >= :fromStart and occurred_at < :fromStop
    union all
    select occurred_at, service, mode, metric, quantity * :toSign::int from usage_events
    where project_id ${whose} and occurred_at >= :toStart and occurred_at < :toStop`;
}

function boundsOf({ from, to }: TimeRange) {
  const [fromHour, toHour] = [nearestHour(from), nearestHour(to)];
  return {
    fromHour: new Date(fromHour),
    fromStart: new Date(Math.min(from, fromHour)),
    fromStop: new Date(Math.max(from, fromHour)),
    fromSign: from < fromHour ? 1 : -1,
    toHour: new Date(toHour),
    toStart: new Date(Math.min(to, toHour)),
    toStop: new Date(Math.max(to, toHour)),
    toSign: to > toHour ? 1 : -1,
  };
}

function nearestHour(at: number): number {
  return Math.round(at / hour) * hour;
}

const ofProject = `
  select date_trunc(:granularity, at, 'UTC') as start, service, nullif(mode, 'none') as mode, metric,
    sum(quantity) as quantity
  from (${usedBy('= :projectId')}) used
  group by 1, 2, 3, 4 having sum(quantity) <> 0
  order by 1, 2, 3 nulls first, 4`;

const sameOrganization = `in (
  select id from projects
  where organization_id = (select organization_id from projects where id = :projectId)
)`;

const ofOrganization = `
  select service, nullif(mode, 'none') as mode, metric, sum(quantity) as quantity
  from (${usedBy(sameOrganization)}) used
  group by 1, 2, 3 having sum(quantity) <> 0
  order by 1, 2 nulls first, 3`;

/** What the caller's project used, and its organization. */
export class UsageStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  /** What the project used in a range, period by period, in order. */
  async project(range: TimeRange, granularity: Granularity): Promise<UsagePoint[]> {
    const rows = await this.#report<TotalRow & { start: Date }>(ofProject, range, { granularity });
    return rows.map(({ start, ...row }) => ({ start: start.getTime(), ...toTotal(row) }));
  }

  /** What all projects of the project's organization used in a range. */
  async organization(range: TimeRange): Promise<UsageTotal[]> {
    return (await this.#report<TotalRow>(ofOrganization, range)).map(toTotal);
  }

  async #report<Row>(
    sql: string,
    range: TimeRange,
    more: { granularity?: Granularity } = {},
  ): Promise<Row[]> {
    const bindings = { ...boundsOf(range), ...more, projectId: this.#projectId };
    const { rows } = await this.#queries.knex.raw<{ rows: Row[] }>(sql, bindings).timeout(patience);
    return rows;
  }
}

function toTotal({ service, mode, metric, quantity }: TotalRow): UsageTotal {
  return { service, mode, metric, quantity: Number(quantity) };
}
