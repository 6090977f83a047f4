import type { Queries } from './queries.ts';
import { usedIn } from './usage-parts.ts';

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

/** Milliseconds: a report that a silent or busy database holds up is given up. */
const patience = 10_000;

interface TotalRow {
  service: UsageService;
  mode: UsageMode;
  metric: UsageMetric;
  quantity: string;
}

const sameOrganization = `in (
  select id from projects
  where organization_id = (select organization_id from projects where id = :projectId)
)`;

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
    const { used, bindings } = usedIn(range, '= :projectId');
    const rows = await this.#report<TotalRow & { start: Date }>(
      `select date_trunc(:granularity, start, 'UTC') as start, service, nullif(mode, 'none') as mode, metric,
         sum(quantity) as quantity
       from ${used} group by 1, 2, 3, 4 having sum(quantity) <> 0 order by 1, 2, 3 nulls first, 4`,
      { ...bindings, granularity },
    );
    return rows.map(({ start, ...row }) => ({ start: start.getTime(), ...toTotal(row) }));
  }

  /** What all projects of the project's organization used in a range. */
  async organization(range: TimeRange): Promise<UsageTotal[]> {
    const { used, bindings } = usedIn(range, sameOrganization);
    const rows = await this.#report<TotalRow>(
      `select service, nullif(mode, 'none') as mode, metric, sum(quantity) as quantity
       from ${used} group by 1, 2, 3 having sum(quantity) <> 0 order by 1, 2 nulls first, 3`,
      bindings,
    );
    return rows.map(toTotal);
  }

  /** One statement, which sees one moment: both reports agree. */
  async #report<Row>(sql: string, bindings: Record<string, Date | number | string>): Promise<Row[]> {
    const values = { ...bindings, projectId: this.#projectId };
    return (await this.#queries.knex.raw<{ rows: Row[] }>(sql, values).timeout(patience)).rows;
  }
}

function toTotal({ service, mode, metric, quantity }: TotalRow): UsageTotal {
  return { service, mode, metric, quantity: Number(quantity) };
}
