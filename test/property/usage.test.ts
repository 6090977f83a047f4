import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Core } from '../../src/core/core.ts';
import { type UsageEvent, writeUsage } from '../../src/resources/usage/events.ts';
import { runs, seed } from '../helpers/runs.ts';
import { openTestCore, openWorld, type Tenant, type World } from '../helpers/world.ts';
import { naivePeriod, naiveTotals } from './naive-usage.ts';

let world: World;
let second: Core;
/** Two projects in each of three organizations. */
let tenants: Tenant[];
beforeAll(async () => {
  world = await openWorld();
  second = await openTestCore(world.databaseUrl);
  tenants = [];
  for (let made = 0; made < 3; made++) {
    const first = await world.tenant();
    tenants.push(first, await world.tenant({ organizationId: first.organizationId }));
  }
});
afterAll(async () => {
  await second.close();
  await world.close();
});

const minute = 60_000;

/** Moments at which a day, month, leap day, ISO week, ISO year or daylight saving time begins or ends. */
const edges = [
  '2024-02-29T00:00Z',
  '2024-03-01T00:00Z',
  '2024-12-30T00:00Z',
  '2025-01-01T00:00Z',
  '2025-03-30T01:00Z',
  '2026-01-01T00:00Z',
  '2026-01-05T00:00Z',
  '2026-06-17T13:00Z',
  '2026-06-17T14:00Z',
].map((text) => Date.parse(text));

const moments = fc
  .tuple(
    fc.constantFrom(...edges),
    fc.oneof(
      fc.constantFrom(0, 1, -1, 30 * minute, -30 * minute, 30 * minute - 1, 60 * minute, 60 * minute - 1),
      fc.integer({ min: -180 * minute, max: 180 * minute }),
    ),
  )
  .map(([edge, off]) => edge + off);

const quantities = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 1, max: 10_000_000 }).map((micro) => micro / 1_000_000),
  fc.constantFrom(0.1, 0.2, 0.7, 3.413_333_333_333_333_6, 1e-7, 2 ** 40, Number.MAX_SAFE_INTEGER),
);

const events: fc.Arbitrary<Omit<UsageEvent, 'projectId'> & { readonly tenant: number }> = fc.record({
  tenant: fc.nat(5),
  id: fc.uuid(),
  occurredAt: moments,
  service: fc.constantFrom('tts', 'stt', 's2s', 'llm', 'kb', 'voice_minutes'),
  mode: fc.constantFrom('realtime', 'batch', 'playground', null),
  metric: fc.constantFrom('seconds', 'tokens_in', 'tokens_out', 'chars', 'minutes', 'requests'),
  quantity: quantities,
});

const samples = fc.record({
  events: fc.uniqueArray(events, { maxLength: 60, size: 'max', selector: ({ id }) => id }),
  /** Maximum events of a flush. If a flush is `retried`, its response is lost and the other replica repeats it. */
  batchSize: fc.integer({ min: 1, max: 20 }),
  retried: fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
  questions: fc.array(
    fc.record({
      tenant: fc.nat(5),
      ends: fc.uniqueArray(moments, { minLength: 2, maxLength: 2 }),
      granularity: fc.constantFrom(undefined, 'hour', 'day', 'week', 'month'),
      offset: fc.constantFrom('Z', '+05:30', '-08:00', '+14:00'),
    }),
    { minLength: 4, maxLength: 4 },
  ),
});

test('both reports say what the events come to, however they were written', async () => {
  await fc.assert(
    fc.asyncProperty(samples, async ({ events: drawn, batchSize, retried, questions }) => {
      await world.rows('truncate usage_events, usage_sums');
      const all = drawn.map(({ tenant, ...event }): UsageEvent => {
        return { ...event, projectId: tenants[tenant]?.projectId ?? '' };
      });
      await flush(all, batchSize, retried);
      for (const question of questions) await ask(all, question);
    }),
    // Shorter than the test's timeout, so that fast-check reports the smallest failure found by then.
    { seed, numRuns: Math.ceil(runs / 10), interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true },
  );
});

/** Writes batches from two replicas at once, some of them twice. */
async function flush(all: readonly UsageEvent[], batchSize: number, retried: readonly boolean[]) {
  const batches = Array.from({ length: Math.ceil(all.length / batchSize) }, (_, index) =>
    all.slice(index * batchSize, (index + 1) * batchSize),
  );
  const replicas = [world.core.knex, second.knex] as const;
  await Promise.all(
    batches.flatMap((batch, index) => [
      writeUsage(replicas[index % 2 === 0 ? 0 : 1], batch),
      ...(retried[index] ? [writeUsage(replicas[index % 2 === 0 ? 1 : 0], batch)] : []),
    ]),
  );
}

interface Question {
  readonly tenant: number;
  readonly ends: readonly number[];
  readonly granularity: string | undefined;
  readonly offset: string;
}

async function ask(all: readonly UsageEvent[], { tenant, ends, granularity, offset }: Question) {
  const { projectId, organizationId, key } = tenants[tenant] as Tenant;
  const [from = 0, to = 0] = ends.toSorted((one, other) => one - other);
  const range = { from: local(from, offset), to: local(to, offset) };
  const inRange = all.filter(({ occurredAt }) => occurredAt >= from && occurredAt < to);
  const own = tenants.filter((one) => one.organizationId === organizationId).map((one) => one.projectId);

  const given = new URLSearchParams({ ...range, ...(granularity !== undefined && { granularity }) });
  const project = await world.rest('GET', `/v1/projects/${projectId}/usage?${given}`, { key });
  if (granularity === 'hour' && to - from > 10_000 * 60 * minute) expect(project.status).toBe(400);
  else {
    const ofProject = inRange.filter((event) => event.projectId === projectId);
    const named = granularity ?? 'day';
    expect(project.body).toStrictEqual({
      projectId,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      granularity: named,
      points: naiveTotals(ofProject, ({ occurredAt }) => naivePeriod(occurredAt, named)),
    });
  }

  const organization = await world.rest('GET', `/v1/organization/usage?${new URLSearchParams(range)}`, {
    key,
  });
  const totals = naiveTotals(inRange.filter((event) => own.includes(event.projectId)));
  expect(organization.body).toStrictEqual({ organizationId, totals });
}

/** Formats a moment as local time with a UTC offset. */
function local(at: number, offset: string): string {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const ahead = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute;
  return new Date(at + ahead).toISOString().replace('Z', offset);
}
