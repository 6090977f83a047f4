import type { UsageEvent } from '../../src/resources/usage/events.ts';

/** One expected total of a report, with the members of the specification. */
export interface NaiveTotal {
  readonly service: string;
  readonly mode: string | null;
  readonly metric: string;
  readonly quantity: number;
}

const digits = 30;

/** Returns a number in units of 10^-30, so that sums are exact. */
function exact(quantity: number): bigint {
  const [, whole = '0', fraction = '', exponent = '0'] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(quantity)) ?? [];
  return BigInt(whole + fraction) * 10n ** BigInt(digits - fraction.length + Number(exponent));
}

/** Returns the number nearest to a sum in units of 10^-30. */
function nearest(sum: bigint): number {
  const text = String(sum).padStart(digits + 1, '0');
  return Number(`${text.slice(0, -digits)}.${text.slice(-digits)}`);
}

/** Returns the totals of events by service, mode, metric and the members from `groupOf`, in report order. */
export function naiveTotals(
  events: readonly UsageEvent[],
  groupOf: (event: UsageEvent) => Record<string, string> = () => ({}),
): NaiveTotal[] {
  const sums = new Map<string, bigint>();
  for (const event of events) {
    const { service, mode, metric, quantity } = event;
    const key = JSON.stringify({ ...groupOf(event), service, mode, metric });
    sums.set(key, (sums.get(key) ?? 0n) + exact(quantity));
  }
  const totals = [...sums].map(([key, sum]) => ({ ...JSON.parse(key), quantity: nearest(sum) }));
  return totals.toSorted((one, other) => compare(orderOf(one), orderOf(other)));
}

/** Returns a sort key: period, service, mode (null first), metric. */
function orderOf(total: NaiveTotal & { periodStart?: string }): string {
  return [total.periodStart ?? '', total.service, total.mode ?? '', total.metric].join(' ');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Returns the calendar period that contains a moment. Uses the fields of the date instead of arithmetic. */
export function naivePeriod(at: number, granularity: string): { periodStart: string; periodEnd: string } {
  const start = new Date(at);
  start.setUTCMinutes(0, 0, 0);
  if (granularity !== 'hour') start.setUTCHours(0);
  if (granularity === 'week') while (start.getUTCDay() !== 1) start.setUTCDate(start.getUTCDate() - 1);
  if (granularity === 'month') start.setUTCDate(1);
  const end = new Date(start);
  if (granularity === 'hour') end.setUTCHours(end.getUTCHours() + 1);
  if (granularity === 'day') end.setUTCDate(end.getUTCDate() + 1);
  if (granularity === 'week') end.setUTCDate(end.getUTCDate() + 7);
  if (granularity === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
  return { periodStart: start.toISOString(), periodEnd: end.toISOString() };
}
