import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type CpuTime, combine } from './cpu-time.ts';
import type { Quality } from './quality/quality.ts';
import type { Measurement, Row } from './row.ts';

/** One round, in which both programs are measured in turn. */
export interface Round {
  readonly parley: Measurement;
  readonly limit: Measurement;
  readonly ratio: number;
  /** The share of the processors that other programs used just before the round. */
  readonly busy: number;
}

/** CPU time per request: medians over the rounds. */
export interface CpuOutcome {
  readonly parley: CpuTime;
  readonly limit: CpuTime;
  /** Parley's time divided by the limit's. */
  readonly ratio: CpuTime;
  readonly atMost?: number;
  /** Undefined without a bound, or if a ratio is not known. */
  readonly verdict?: 'reached' | 'not reached';
}

/** The result of a row. */
export interface Outcome
  extends Pick<Row, 'name' | 'path' | 'limit' | 'unit' | 'better' | 'reach' | 'floor'> {
  readonly rounds: readonly Round[];
  readonly median: number;
  readonly cpu?: CpuOutcome;
  readonly verdict: 'reached' | 'not reached' | 'above the floor' | 'below the floor';
}

/** The results of a run. */
export interface Report {
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly Outcome[];
  readonly quality: readonly Quality[];
}

const root = path.resolve(import.meta.dirname, '..');
const packages = [
  'koa',
  '@koa/router',
  'pg',
  'knex',
  'valibot',
  '@modelcontextprotocol/server',
  'autocannon',
];

/** Judges the rounds of a row by their median. */
export function outcomeOf(row: Row, rounds: readonly Round[]): Outcome {
  const { name, path: what, limit, unit, better, reach, floor } = row;
  const median = medianOf(rounds.map(({ ratio }) => ratio));
  const holds = (bound: number) => (better === 'higher' ? median >= bound : median <= bound);
  const missed = floor === undefined ? 'not reached' : holds(floor) ? 'above the floor' : 'below the floor';
  const verdict = holds(reach) ? 'reached' : missed;
  const bounds = { reach, ...(floor !== undefined && { floor }) };
  const cpu = cpuOutcomeOf(row, rounds);
  return { name, path: what, limit, unit, better, ...bounds, rounds, median, ...(cpu && { cpu }), verdict };
}

/** Milliseconds. Of a shorter time, a ratio would say nothing: the program hardly uses Postgres. */
const leastCpuTime = 0.005;

function cpuOutcomeOf({ cpuAtMost }: Row, rounds: readonly Round[]): CpuOutcome | undefined {
  const pairs = rounds.flatMap(({ parley, limit }) =>
    parley.cpu && limit.cpu ? [{ parley: parley.cpu, limit: limit.cpu }] : [],
  );
  if (pairs.length === 0) return undefined;
  const parley = mediansOf(pairs.map((pair) => pair.parley));
  const limit = mediansOf(pairs.map((pair) => pair.limit));
  const quotient = (a: number, b: number) => (b < leastCpuTime ? undefined : a / b);
  const ratio = mediansOf(pairs.map((pair) => combine(pair.parley, pair.limit, quotient)));
  if (cpuAtMost === undefined) return { parley, limit, ratio };
  const bounded = { parley, limit, ratio, atMost: cpuAtMost };
  if (ratio.node === undefined || ratio.postgres === undefined) return bounded;
  const worst = Math.max(ratio.node, ratio.postgres);
  return { ...bounded, verdict: worst <= cpuAtMost ? 'reached' : 'not reached' };
}

/** Returns the median of each part that all times have. */
function mediansOf(times: readonly CpuTime[]): CpuTime {
  const part = (name: keyof CpuTime) => {
    const known = times.map((time) => time[name]).filter((time) => time !== undefined);
    return known.length < times.length ? undefined : medianOf(known);
  };
  return { node: part('node'), postgres: part('postgres') };
}

/** Returns the median: the middle value, or the mean of the two middle values. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = low] = sorted.slice(sorted.length % 2 ? middle : middle - 1, middle + 1);
  return (low + high) / 2;
}

/** Adds the machine and the versions to the outcomes. */
export function reportOf(rows: readonly Outcome[], quality: readonly Quality[], postgres: string): Report {
  const [cpu] = os.cpus();
  return {
    date: new Date().toISOString(),
    commit: commit(),
    machine: `${os.cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${os.platform()} ${os.arch()}`,
    versions: { node: process.versions.node, postgres, ...Object.fromEntries(packages.map(versionOf)) },
    rows,
    quality,
  };
}

function commit(): string {
  try {
    const args = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    // An unpacked archive has no commit.
    return 'unknown';
  }
}

function versionOf(name: string): [name: string, version: string] {
  const file = path.join(root, 'node_modules', name, 'package.json');
  return [name, (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version];
}

/** Formats the report as Markdown: the summary, then every round. */
export function markdownOf({ date, commit, machine, versions, rows, quality }: Report): string {
  const software = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const summary = rows.map(
    ({ path: what, limit, median, reach, floor = '', verdict }) =>
      `| ${what} | ${limit} | **${median.toFixed(2)}** | ${reach} | ${floor} | ${verdict} |`,
  );
  const cpu = rows.flatMap(({ name, cpu }) => (cpu ? [cpuLine(name, cpu)] : []));
  const rounds = rows.flatMap((row) => row.rounds.map((round, index) => roundLine(row, round, index)));
  return `# Measured on ${date}

Commit ${commit}; ${machine}; ${software.join(', ')}.
Each ratio is Parley's figure divided by the limit's in one round, which measures both twice in turn. "others"
is the share of the processors that other programs used just before the round.

| path | limit = 1.00 | median | reach | floor | |
|---|---|---|---|---|---|
${summary.join('\n')}

${cpu.length > 0 ? cpuTable(cpu) : ''}| row | round | Parley | limit | ratio | Parley's CPU | limit's CPU | others |
|---|---|---|---|---|---|---|---|
${rounds.join('\n')}
${quality.length > 0 ? qualityOf(quality) : ''}`;
}

function qualityOf(quality: readonly Quality[]): string {
  const lines = quality.map(
    ({ what, language, questions, recall, reciprocalRank }) =>
      `| ${what} | ${language} | ${questions} | ${recall.toFixed(2)} | ${reciprocalRank.toFixed(2)} |`,
  );
  return `
A hundred questions to the site of \`test/resources/knowledge\`, written before there was a site or a search: how many have their passage
among the first five results (recall at 5; 0.80 is to be reached), and the mean of 1 / its place among the first ten (MRR).

| search | language | questions | recall at 5 | MRR |
|---|---|---|---|---|
${lines.join('\n')}
`;
}

function cpuTable(lines: readonly string[]): string {
  return `CPU time per request in milliseconds, of the server itself (Node) and of Postgres; medians over the rounds.

| row | Node: Parley | limit | ratio | Postgres: Parley | limit | ratio | at most | |
|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}

`;
}

function cpuLine(name: string, { parley, limit, ratio, atMost, verdict }: CpuOutcome): string {
  const part = (process: keyof CpuTime) =>
    [decimals(parley[process], 3), decimals(limit[process], 3), decimals(ratio[process], 2)].join(' | ');
  return `| ${name} | ${part('node')} | ${part('postgres')} | ${atMost ?? ''} | ${verdict ?? ''} |`;
}

/** Formats the ratios of the CPU times for the console. */
export function cpuSummary({ ratio, atMost, verdict }: CpuOutcome): string {
  const bound = atMost === undefined ? '' : `, at most ${atMost}: ${verdict ?? 'not known'}`;
  return `CPU ratio of Node ${decimals(ratio.node, 2)}, of Postgres ${decimals(ratio.postgres, 2)}${bound}`;
}

/** Formats the CPU times of both processes. */
export function cpuFigure({ node, postgres }: CpuTime): string {
  if (node === undefined && postgres === undefined) return '-';
  return `${decimals(node, 3)} + ${decimals(postgres, 3)} ms`;
}

/** Formats a number, and one that is not known as a dash. */
function decimals(value: number | undefined, digits: number): string {
  return value === undefined ? '-' : value.toFixed(digits);
}

function roundLine({ name, unit }: Outcome, { parley, limit, ratio, busy }: Round, index: number): string {
  const figures = `${figure(parley.figure, unit)} | ${figure(limit.figure, unit)} | ${ratio.toFixed(2)}`;
  const cpu = `${cpuFigure(parley.cpu ?? {})} | ${cpuFigure(limit.cpu ?? {})}`;
  return `| ${name} | ${index + 1} | ${figures} | ${cpu} | ${Math.round(busy * 100)} % |`;
}

/** Formats a figure with its unit, and large figures without decimals. */
export function figure(value: number, unit: string): string {
  return `${value >= 100 ? Math.round(value) : value.toFixed(3)} ${unit}`;
}
