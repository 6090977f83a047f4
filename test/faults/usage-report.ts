/**
 * Measures both usage reports over many events and over few, on a server over REST, and the time of a flush for each
 * event. Writes docs/measurements/usage.md. Fails if the reports over many events take more than twice as long, or if a
 * report differs from the sum of the events.
 *
 * Usage: node test/faults/usage-report.ts [--events 10000000]
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openPool } from '../../src/postgres/pool.ts';
import { type UsageEvent, writeUsage } from '../../src/resources/usage/events.ts';
import { databaseAt } from '../helpers/global-setup.ts';
import { openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { type ReplicaProcess, startReplica } from '../helpers/replica-process.ts';
import type { Tenant } from '../helpers/world.ts';
import { eventDays, fillUsage } from './usage-events.ts';

const few = 10_000;
const [rounds, reports] = [9, 20];
const [reach, most] = [1.5, 2];
const hour = 3_600_000;

/** A server on its own database, with a project that has events of the last 30 days. */
interface Side {
  readonly tenant: Tenant;
  readonly url: string;
  readonly replica: ReplicaProcess;
  readonly seconds: number;
  readonly bytes: Readonly<Record<string, number>>;
}

async function openSide(url: string, events: number): Promise<Side> {
  const replica = await startReplica(url);
  const laboratory = openLaboratory(url);
  const tenant = await laboratory.tenant();
  const { projectId } = tenant;
  await laboratory.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const began = performance.now();
  await fillUsage(client, projectId, events);
  const seconds = (performance.now() - began) / 1000;
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relname in ('usage_events', 'usage_sums')`,
  );
  await client.end();
  const bytes = Object.fromEntries(rows.map(({ name, bytes: size }) => [name, Number(size)]));
  return { tenant, url, replica, seconds, bytes };
}

/** A report to measure: of the project or its organization, with ends on or off the hour. */
interface Question {
  readonly what: string;
  readonly of: 'project' | 'organization';
  readonly from: number;
  readonly to: number;
}

const thisHour = Math.floor(Date.now() / hour) * hour;
const halfPast = thisHour - hour / 2;

const questions: Question[] = [
  { what: 'whole hours', from: thisHour - 29 * 24 * hour, to: thisHour },
  {
    what: 'ends far from hours and from sums',
    from: halfPast - 29 * 24 * hour + 147_000,
    to: halfPast - 147_000,
  },
].flatMap((range) => [
  { ...range, of: 'project' },
  { ...range, of: 'organization' },
]);

function addressOf({ replica, tenant }: Side, { of, from, to }: Question): string {
  const range = new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
  const route = of === 'project' ? `/v1/projects/${tenant.projectId}/usage` : '/v1/organization/usage';
  return `${replica.base}${route}?${range}`;
}

/** Requests a report several times in sequence. Returns the median time in milliseconds. */
async function timeOf(side: Side, question: Question): Promise<number> {
  const address = addressOf(side, question);
  const headers = { authorization: `Bearer ${side.tenant.key}` };
  const times: number[] = [];
  for (let asked = 0; asked < reports; asked++) {
    const began = performance.now();
    const reply = await fetch(address, { headers });
    await reply.text();
    times.push(performance.now() - began);
    if (reply.status !== 200) throw new Error(`${address} returned ${reply.status}`);
  }
  return median(times);
}

interface Row extends Question {
  readonly many: number;
  readonly few: number;
  readonly ratio: number;
  readonly ratios: readonly number[];
}

async function compare(many: Side, small: Side, question: Question): Promise<Row> {
  for (const side of [many, small]) await timeOf(side, question);
  const pairs: [many: number, few: number][] = [];
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0 ? many : small;
    const second = first === many ? small : many;
    const [one, other] = [await timeOf(first, question), await timeOf(second, question)];
    pairs.push(first === many ? [one, other] : [other, one]);
  }
  const ratios = pairs.map(([one, other]) => one / other);
  const side = (index: 0 | 1) => median(pairs.map((pair) => pair[index]));
  return { ...question, many: side(0), few: side(1), ratio: median(ratios), ratios };
}

/** Returns whether a report equals the sum of the events in its range. */
async function isRight(side: Side, question: Question): Promise<boolean> {
  const headers = { authorization: `Bearer ${side.tenant.key}` };
  const reply = await fetch(addressOf(side, question), { headers });
  const { points, totals = points } = (await reply.json()) as Record<string, { quantity: number }[]>;
  const client = new pg.Client({ connectionString: side.url });
  await client.connect();
  const { rows } = await client.query<{ sum: string }>(
    'select sum(quantity) from usage_events where project_id = $1 and occurred_at >= $2 and occurred_at < $3',
    [side.tenant.projectId, new Date(question.from), new Date(question.to)],
  );
  await client.end();
  return (totals ?? []).reduce((sum, { quantity }) => sum + quantity, 0) === Number(rows[0]?.sum);
}

/** Measures the median microseconds per event of a flush into the large table, for several sizes of flush. */
async function flushCosts({ url, tenant }: Side): Promise<[size: number, micros: number][]> {
  const pool = openPool({ connectionString: url, mode: 'write', max: 1, warn: console.error });
  const metrics = ['tokens_in', 'tokens_out', 'requests'] as const;
  const costs: [number, number][] = [];
  for (const size of [1, 10, 100, 1000, 5000]) {
    const times: number[] = [];
    for (let flush = 0; flush < 15; flush++) {
      const events = Array.from(
        { length: size },
        (_, index): UsageEvent => ({
          projectId: tenant.projectId,
          id: randomUUID(),
          occurredAt: Date.now(),
          service: 'llm',
          mode: 'realtime',
          metric: metrics[index % 3] ?? 'requests',
          quantity: 1 + index,
        }),
      );
      const began = performance.now();
      await writeUsage(pool, events);
      times.push(((performance.now() - began) * 1000) / size);
    }
    costs.push([size, median(times)]);
  }
  await pool.destroy();
  return costs;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

function verdict(ratio: number): string {
  if (ratio <= reach) return 'reached';
  return ratio <= most ? 'above the floor' : 'BELOW THE FLOOR';
}

await runAsScript(import.meta.url, 'events', 10_000_000, async (url, events) => {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const name = `${new URL(url).pathname.slice(1)}_few`;
  await admin.query(`create database ${name}`);
  const sides: Side[] = [];
  try {
    const many = await openSide(url, events);
    sides.push(many);
    const small = await openSide(databaseAt(url, name), few);
    sides.push(small);
    const rows: Row[] = [];
    for (const question of questions) rows.push(await compare(many, small, question));
    const right = (
      await Promise.all(questions.flatMap((one) => sides.map((side) => isRight(side, one))))
    ).every(Boolean);
    const costs = await flushCosts(many);
    const report = reportOf({ events, many, rows, right, costs });
    console.log(report);
    writeFileSync(path.resolve(import.meta.dirname, '../../docs/measurements/usage.md'), report);
    return right && rows.every(({ ratio }) => ratio <= most);
  } finally {
    for (const { replica } of sides) await replica.kill();
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
});

interface Seen {
  readonly events: number;
  readonly many: Side;
  readonly rows: readonly Row[];
  readonly right: boolean;
  readonly costs: readonly (readonly [size: number, micros: number])[];
}

function reportOf({ events, many, rows, right, costs }: Seen): string {
  const count = (value: number) => value.toLocaleString('en-US');
  const megabytes = (table: string) => ((many.bytes[table] ?? 0) / 1e6).toFixed(0);
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
    encoding: 'utf8',
  }).trim();
  const processors = `${os.availableParallelism()} × ${os.cpus()[0]?.model.trim()}`;
  return `# Usage reports

${new Date().toISOString()}, commit ${commit}, ${processors}, load ${os.loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}.
\`node test/faults/usage-report.ts --events ${events}\`

The run compares ${count(events)} events of ${eventDays} days with ${count(few)}, of ten kinds. Each set has its own database and server.
Reports of 29 days over REST: milliseconds, the median of ${rounds} paired rounds of ${reports} reports each; reach ${reach}, floor ${most}.
Each report equals the sum of its events: ${right ? 'yes' : 'NO'}.

| report | ends | ${count(events)} | ${count(few)} | ratio | each round | |
|---|---|---|---|---|---|---|
${rows.map((row) => `| ${row.of} | ${row.what} | ${row.many.toFixed(2)} | ${row.few.toFixed(2)} | **${row.ratio.toFixed(2)}** | ${row.ratios.map((ratio) => ratio.toFixed(2)).join(' ')} | ${verdict(row.ratio)} |`).join('\n')}

A flush into the large table is one statement. Times are microseconds per event, the median of 15 flushes.

| events in a flush | µs per event |
|---|---|
${costs.map(([size, micros]) => `| ${count(size)} | ${micros.toFixed(1)} |`).join('\n')}

On disk, with indexes: events ${megabytes('usage_events')} MB (${((many.bytes['usage_events'] ?? 0) / events).toFixed(0)} bytes each), sums ${megabytes('usage_sums')} MB. Filled in ${many.seconds.toFixed(0)} s.
`;
}
