import type { CpuTime } from '../cpu-time.ts';
import { chartOf, type Line, type Panel } from './chart.ts';
import type { Curve, Point } from './curves.ts';
import { accessesOf, pagesOf } from './plans.ts';
import type { Purge } from './purge.ts';
import type { Throughput } from './replicas.ts';

/** What the parts of a run measured. A part that did not run yet is missing. */
export interface Results {
  readonly flows?: Part<Curve[]>;
  readonly versions?: Part<Curve[]>;
  readonly audit?: Part<Curve[]>;
  readonly changes?: Part<Curve[]>;
  readonly sessions?: Part<Curve[]>;
  readonly search?: Part<Curve[]>;
  readonly usage?: Part<Curve[]>;
  readonly purge?: Part<Purge[]>;
  readonly replicas?: Part<Throughput[]>;
}

export type PartName = keyof Results;

export interface Part<Value> {
  readonly value: Value;
  readonly date: string;
  readonly commit: string;
  /** Seconds that the part took, with its seeding. */
  readonly seconds: number;
}

type CurvePart = 'flows' | 'versions' | 'audit' | 'changes' | 'sessions' | 'search' | 'usage';

interface About {
  readonly title: string;
  /** What grows: the label of the axis. */
  readonly grows: string;
  readonly text: string;
}

const about: Readonly<Record<CurvePart, About>> = {
  flows: {
    title: 'Flows of one project',
    grows: 'flows in the project',
    text: 'Every flow has one version, and all have the same agent profile. The primary key `(project_id, id)` is also the order of the list, so Postgres reads a page from one place of the index, however many rows lie before or after it, and whatever other projects have. A new flow takes the place after the last one of its profile, which Postgres also reads from the end of an index.',
  },
  versions: {
    title: 'Versions of one flow',
    grows: 'versions of the flow',
    text: 'Each version has a configuration of about 700 bytes. The flow counts its versions, so the next number needs no search. Activation finds the active version in an index of active versions only.',
  },
  audit: {
    title: 'A write, by the size of the audit log',
    grows: 'rows of the audit log',
    text: 'Every write appends one row, and nothing removes rows. The rows belong to 100 projects, so that a write adds to the middle of the index.',
  },
  changes: {
    title: 'Changes of one project',
    grows: 'changes in the project',
    text: '`list_changes` has an index in its order for each of its filters. A time becomes an id, because ids begin with their time: at most the changes of one hour are read in vain. Of two filters, one is applied to what the other finds.',
  },
  sessions: {
    title: 'Sessions of one project',
    grows: 'sessions in the project',
    text: 'Each list has an index in its order. A time becomes an id, because ids begin with their time: at most the sessions of one hour are read in vain. Statistics count the newest 50,000 sessions of 30 days at most.',
  },
  search: {
    title: 'Search in one project',
    grows: 'conversations in the project',
    text: 'Each conversation has a design of 20 steps. A search reads the texts of the newest and the active version of each record, without an index ([record 14](../adr/0014-search-without-an-index.md)).',
  },
  usage: {
    title: 'Usage reports',
    grows: 'usage events in 30 days',
    text: 'A flush stores each event, and adds its quantity to a sum of five minutes and to a sum of one hour. A report of 29 days reads the sums of hours, and at each end that is not a whole hour the sums of five minutes and the events of at most two and a half minutes. So its cost follows the number of sums, which is bounded by time, and not the number of events. Statements of callers use no parallel workers, which would cost more CPU for a few thousand rows than they save.',
  },
};

/** A curve with a figure to reach, by the ratio of its largest to its smallest size. */
const bounds: readonly { part: CurvePart; curve: RegExp; reach: number; floor: number }[] = [
  { part: 'flows', curve: /page/, reach: 1.2, floor: 1.5 },
  { part: 'usage', curve: /report/, reach: 1.5, floor: 2 },
];

/** Returns the curves that grow by more than their floor, each as a sentence. */
export function failuresOf(results: Results): string[] {
  return bounds.flatMap(({ part, curve, floor }) =>
    (results[part]?.value ?? []).flatMap(({ name, points }) =>
      points
        .filter(({ ratio }) => curve.test(name) && ratio > floor)
        .map(({ rows, ratio }) => `${name} costs ${ratio.toFixed(2)} times as much at ${count(rows)} rows`),
    ),
  );
}

/** Draws the curves of all parts. */
export function pictureOf(results: Results): string {
  const panels = Object.entries(about).flatMap(([name, { title, grows }]): Panel[] => {
    const curves = results[name as CurvePart]?.value;
    return curves ? [{ title, x: grows, y: 'milliseconds', lines: curves.map(lineOf) }] : [];
  });
  if (results.purge) panels.push(purgePanel(results.purge.value));
  if (results.replicas) panels.push(replicasPanel(results.replicas.value));
  return chartOf(panels);
}

function lineOf({ name, points }: Curve): Line {
  const marks = points.map(({ rows, p50, p99, aside }) => ({
    x: rows,
    y: p50,
    high: p99,
    ...(aside !== undefined && { isAside: true }),
  }));
  return { name, marks };
}

function purgePanel(purges: readonly Purge[]): Panel {
  const line = (name: string, of: (purge: Purge) => number): Line => ({
    name,
    marks: purges.map((purge) => ({ x: purge.rows, y: of(purge) })),
  });
  return {
    title: 'The hourly purge',
    x: 'expired idempotency keys, and a tenth in the trash',
    y: 'milliseconds',
    lines: [
      line('the whole purge', ({ milliseconds }) => milliseconds),
      line('its longest statement', ({ longest }) => longest.milliseconds),
    ],
  };
}

function replicasPanel(throughputs: readonly Throughput[]): Panel {
  const lines = [...Map.groupBy(throughputs, ({ operation }) => operation)].map(([name, measured]) => ({
    name,
    marks: measured.map(({ replicas, perSecond }) => ({ x: replicas, y: perSecond })),
  }));
  return { title: 'Two replicas against one, on two cores', x: 'replicas', y: 'requests per second', lines };
}

/** Writes the report; `picture` is the name of the file next to it. */
export function markdownOf(
  results: Results,
  {
    machine,
    picture,
    command,
  }: { readonly machine: string; readonly picture: string; readonly command: string },
): string {
  const sections = Object.entries(about).flatMap(([name, what]) => {
    const part = results[name as CurvePart];
    return part ? [curvesOf(name as CurvePart, what, part)] : [];
  });
  if (results.purge) sections.push(purgeOf(results.purge));
  if (results.replicas) sections.push(replicasOf(results.replicas));
  return `# Growth

\`${command}\` on ${machine}.

![Curves of the time of each call by the number of rows](${picture})

Each line is the median of a call over REST, on logarithmic axes. The thin bar above a mark ends at the 99th percentile. Hollow marks are measured beside other projects.

Each size has its own database and its own \`parley serve\`. All sizes are measured in turn, one call after another, so that a change of the machine's speed meets all of them. "Against the smallest" is the median ratio of the rounds. CPU is per call, of the server's process and of all Postgres processes. "SQL" is the time that Postgres spends in the statements of the call, with \`auto_explain\` on, and without planning and COMMIT. "Pages" are the pages of 8 KiB that these statements look at, in the cache or on the disk. "Found with" names the indexes that they use, and tables and sorts of 100 rows or more. Both come from the plans of the calls themselves, after the twelfth call.

${sections.join('\n')}`;
}

function stamp({ date, commit, seconds }: Part<unknown>): string {
  return `Measured on ${date}, commit ${commit}, in ${seconds.toFixed(0)} s with seeding.`;
}

function curvesOf(name: CurvePart, { title, text, grows }: About, part: Part<Curve[]>): string {
  const bound = bounds.find((one) => one.part === name);
  const target = bound ? ` Reach ${bound.reach}, floor ${bound.floor}.` : '';
  const rows = part.value.flatMap((curve) => curve.points.map((point) => pointLine(curve.name, point)));
  return `## ${title}

${text}${target} ${stamp(part)}

| call | ${grows} | p50 ms | p99 ms | against the smallest | CPU Parley ms | CPU Postgres ms | SQL ms | pages | found with |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

function pointLine(name: string, { rows, aside, p50, p99, ratio, cpu, statements }: Point): string {
  const sql = statements.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const pages = statements.reduce((sum, { plan }) => sum + pagesOf(plan), 0);
  const accesses = new Set(statements.flatMap(({ plan }) => accessesOf(plan)));
  const size = `${count(rows)}${aside === undefined ? '' : ` ${aside}`}`;
  return `| ${name} | ${size} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | **${ratio.toFixed(2)}** | ${cpuCells(cpu)} | ${sql.toFixed(3)} | ${count(pages)} | ${[...accesses].join(', ')} |`;
}

function cpuCells({ node, postgres }: CpuTime): string {
  return [node, postgres].map((time) => time?.toFixed(2) ?? '').join(' | ');
}

function fenced(lines: readonly string[]): string {
  return `\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`;
}

function purgeOf(part: Part<Purge[]>): string {
  const rows = part.value.map(
    ({ rows: keys, milliseconds, statements, longest }) =>
      `| ${count(keys)} | ${count(keys / 10)} | ${milliseconds.toFixed(0)} | ${count(statements)} | ${longest.milliseconds.toFixed(1)} |`,
  );
  const last = part.value.at(-1)?.longest;
  return `## The hourly purge

\`parley serve\` deletes expired idempotency keys and trash entries every hour, in batches: a statement must end within 15 s, and a single one would never succeed on more rows than it can delete in that time. ${stamp(part)}

| expired keys | expired entries | whole purge ms | statements | longest statement ms |
|---|---|---|---|---|
${rows.join('\n')}

<details><summary>Plan of the longest statement</summary>

\`\`\`sql
${last?.text}
\`\`\`

${fenced(last?.plan ?? [])}
</details>
`;
}

function replicasOf(part: Part<Throughput[]>): string {
  const rows = part.value.map(
    ({ operation, replicas, perSecond, cpu }) =>
      `| ${operation} | ${replicas} | ${perSecond.toFixed(0)} | ${cpuCells(cpu)} |`,
  );
  return `## Two replicas against one

32 connections in total, from two processes that make the load. These two, the replicas and Postgres share two cores, so a second replica cannot add throughput here. The figures that hold on a larger machine are those of the CPU per request: a replica is one thread, so it serves at most one second of CPU each second; a second replica doubles that as long as Postgres has cores left. ${stamp(part)}

| operation | replicas | requests per second | CPU Parley ms | CPU Postgres ms |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
