import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Quality } from './quality/quality.ts';
import type { Row } from './row.ts';

/** One round, in which both programs are measured in turn. */
export interface Round {
  readonly parley: number;
  readonly limit: number;
  readonly ratio: number;
  /** The share of the processors that other programs used just before the round. */
  readonly busy: number;
}

/** The result of a row. */
export interface Outcome
  extends Pick<Row, 'name' | 'path' | 'limit' | 'unit' | 'better' | 'reach' | 'floor'> {
  readonly rounds: readonly Round[];
  readonly median: number;
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
  return { name, path: what, limit, unit, better, ...bounds, rounds, median, verdict };
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
  const rounds = rows.flatMap((row) => row.rounds.map((round, index) => roundLine(row, round, index)));
  return `# Measured on ${date}

Commit ${commit}; ${machine}; ${software.join(', ')}.
Each ratio is Parley's figure divided by the limit's in one round, which measures both twice in turn. "others"
is the share of the processors that other programs used just before the round.

| path | limit = 1.00 | median | reach | floor | |
|---|---|---|---|---|---|
${summary.join('\n')}

| row | round | Parley | limit | ratio | others |
|---|---|---|---|---|---|
${rounds.join('\n')}
${quality.length > 0 ? qualityOf(quality) : ''}`;
}

function qualityOf(quality: readonly Quality[]): string {
  const lines = quality.map(
    ({ what, language, questions, recall, reciprocalRank }) =>
      `| ${what} | ${language} | ${questions} | ${recall.toFixed(2)} | ${reciprocalRank.toFixed(2)} |`,
  );
  return `
A hundred questions to the site of \`test/knowledge\`, written before there was a site or a search: how many have their passage
among the first five results (recall at 5; 0.80 is to be reached), and the mean of 1 / its place among the first ten (MRR).

| search | language | questions | recall at 5 | MRR |
|---|---|---|---|---|
${lines.join('\n')}
`;
}

function roundLine({ name, unit }: Outcome, { parley, limit, ratio, busy }: Round, index: number): string {
  const figures = `${figure(parley, unit)} | ${figure(limit, unit)} | ${ratio.toFixed(2)}`;
  return `| ${name} | ${index + 1} | ${figures} | ${Math.round(busy * 100)} % |`;
}

/** Formats a figure with its unit, and large figures without decimals. */
export function figure(value: number, unit: string): string {
  return `${value >= 100 ? Math.round(value) : value.toFixed(3)} ${unit}`;
}
