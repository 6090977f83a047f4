import { runSql } from '../../postgres/sql.ts';
import type { Bindings } from '../../postgres/statement.ts';
import type { UsageMetric, UsageMode, UsageService } from '../../services/models/use.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { type TimeRange, usedIn } from './range-store.ts';

/** A sum of quantities, never 0; above 2^53 the nearest number. */
export interface UsageTotal {
  service: UsageService;
  mode: UsageMode;
  metric: UsageMetric;
  quantity: number;
  /** In the currency, as a decimal number; undefined if no model that was used had a price. */
  cost?: string;
}

/** The total of one period; `start` is in milliseconds since 1970. */
export interface UsagePoint extends UsageTotal {
  start: number;
}

/** Periods are in UTC; a week starts on Monday (ISO 8601). */
export type Granularity = 'hour' | 'day' | 'week' | 'month';

/** Milliseconds after which a report fails if the database is silent or busy. */
const reportTimeout = 10_000;

interface TotalRow {
  service: UsageService;
  mode: UsageMode;
  metric: UsageMetric;
  quantity: string;
  cost: string | null;
}

const sameOrganization = `in (
  select id from projects
  where organization_id = (select organization_id from projects where id = :projectId)
)`;

/** Multiplied, because a quotient may be rounded. */
const cost = `cast(trim_scale(sum(cost) * 0.000000000001) as text) as cost`;

const projectTotals = (used: string) => `
  select date_trunc(:granularity, start, 'UTC') as start, service, nullif(mode, 'none') as mode, metric,
    sum(quantity) as quantity, ${cost}
  from ${used} group by 1, 2, 3, 4 having sum(quantity) <> 0 order by 1, 2, 3 nulls first, 4`;

const organizationTotals = (used: string) => `
  select service, nullif(mode, 'none') as mode, metric, sum(quantity) as quantity, ${cost}
  from ${used} group by 1, 2, 3 having sum(quantity) <> 0 order by 1, 2 nulls first, 3`;

/** What a project and its organization used. Each report is one statement, so it sees one moment. */
export class UsageStore extends TenantStore {
  /** Returns what the project used in a range, period by period, in order. */
  async project(range: TimeRange, granularity: Granularity): Promise<UsagePoint[]> {
    const { used, bindings } = usedIn(range, '= :projectId');
    const rows = await this.#report<TotalRow & { start: Date }>(projectTotals(used), {
      ...bindings,
      granularity,
    });
    return rows.map(({ start, ...row }) => ({ start: start.getTime(), ...toTotal(row) }));
  }

  /** Returns what all projects of the project's organization used in a range. */
  async organization(range: TimeRange): Promise<UsageTotal[]> {
    const { used, bindings } = usedIn(range, sameOrganization);
    return (await this.#report<TotalRow>(organizationTotals(used), bindings)).map(toTotal);
  }

  #report<Row>(sql: string, bindings: Bindings): Promise<Row[]> {
    return runSql<Row>(this.knex, sql, { ...bindings, projectId: this.projectId }, reportTimeout);
  }
}

function toTotal({ service, mode, metric, quantity, cost: inAll }: TotalRow): UsageTotal {
  return { service, mode, metric, quantity: Number(quantity), ...(inAll !== null && { cost: inAll }) };
}
