import type { Output } from '../../api/client.ts';

type Point = Output<'get_project_usage'>['points'][number];

/** What was used of one thing, such as tokens that a language model read, on each day of a range. */
export interface DailyUsage {
  readonly key: string;
  readonly service: string;
  readonly metric: string;
  readonly total: number;
  /** Every day of the range, the oldest first, also those without any. */
  readonly days: readonly DayUsage[];
}

interface DayUsage {
  /** Such as 2026-01-31. */
  readonly day: string;
  readonly quantity: number;
}

const serviceNames: Readonly<Record<Point['service'], string>> = {
  llm: 'Language model',
  stt: 'Speech recognition',
  tts: 'Speech',
  s2s: 'Speech to speech',
  kb: 'Knowledge',
  voice_minutes: 'Calls',
};

const metricNames: Readonly<Record<Point['metric'], string>> = {
  requests: 'requests',
  tokens_in: 'tokens read',
  tokens_out: 'tokens written',
  seconds: 'seconds',
  chars: 'characters',
  minutes: 'minutes',
};

const services = Object.keys(serviceNames);
const metrics = Object.keys(metricNames);
const rank = ({ service, metric }: Point) =>
  services.indexOf(service) * metrics.length + metrics.indexOf(metric);

/** The points of a report by day, one list for each service and metric. Modes are added up. */
export function usageByDay(points: readonly Point[], days: readonly string[]): DailyUsage[] {
  const used = Map.groupBy(
    points.toSorted((one, other) => rank(one) - rank(other)),
    ({ service, metric }) => `${service} ${metric}`,
  );
  return [...used].flatMap(([key, ofOne]) => {
    const [first] = ofOne;
    if (!first) return [];
    const byDay = new Map<string, number>();
    for (const { periodStart, quantity } of ofOne) {
      const day = periodStart.slice(0, 10);
      byDay.set(day, (byDay.get(day) ?? 0) + quantity);
    }
    return {
      key,
      service: serviceNames[first.service],
      metric: metricNames[first.metric],
      total: ofOne.reduce((sum, { quantity }) => sum + quantity, 0),
      days: days.map((day) => ({ day, quantity: byDay.get(day) ?? 0 })),
    };
  });
}

const millisecondsOfDay = 86_400_000;

/** The last days in UTC, today included, the oldest first. */
export function lastDays(count: number, now: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(now - (count - 1 - index) * millisecondsOfDay).toISOString().slice(0, 10),
  );
}
