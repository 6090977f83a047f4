import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CpuTime } from './cpu-time.ts';
import { outcomeOf } from './report.ts';
import { measureRounds } from './rounds.ts';
import type { Bench, Contest, Row } from './row.ts';
import { rows } from './rows/index.ts';

/** The CPU time of a row per request, divided by the limit's. Postgres is left out if the row hardly uses it. */
interface Ratio {
  readonly node: number;
  readonly postgres?: number;
}

/** The ratios of each row, by the processor on which they were recorded. */
type Recorded = Readonly<Record<string, Readonly<Record<string, Ratio>>>>;

const parts = ['node', 'postgres'] as const satisfies readonly (keyof Ratio)[];

/** How much worse than its bound a ratio may be. */
const allowance = 1.15;

/** A row fails if it costs more in each try that counts. One try alone condemns nothing: on a shared machine, it may mislead. */
const [fewestTries, mostTries] = [2, 3];
/** The share of the processors that others may use before a round: above it, ratios of the same code differ by a third. */
const mostBusy = 0.3;
/** Seconds that a round waits for others to be quiet. */
const patience = 3;
const roundsOfTry = 3;
/** More, because later runs are compared with it. */
const roundsOfRecord = 7;

/** Milliseconds after which no third try begins, so that all rows together take about four minutes at most. */
const latestTry = 200_000;

const processor = os.cpus()[0]?.model.trim() ?? 'an unknown processor';
const file = path.join(import.meta.dirname, 'bounds.json');
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded;

/** What became of the bounds: a line for each row that is above its bound, and for each that could not be judged. */
export interface Held {
  readonly broken: readonly string[];
  readonly unjudged: readonly string[];
}

/**
 * Compares the CPU time per request of each row in `bounds.json` with the ratio recorded on this processor. A row breaks its
 * bound if it is above it by more than the allowance in every try. A row is not judged on a processor without a record, or
 * if others used the processors during each of its tries.
 * @throws if a row cannot be measured
 */
export async function holdBounds(bench: Bench, signal: AbortSignal): Promise<Held> {
  const deadline = performance.now() + latestTry;
  const broken: string[] = [];
  const unjudged: string[] = [];
  for (const [name, ofRow] of Object.entries(recorded)) {
    const bound = ofRow[processor];
    await withRow(name, bench, async (row, contest) => {
      const excesses: string[] = [];
      for (let tries = 1; ; tries++) {
        const { ratio, busy } = await measured(row, contest, roundsOfTry, signal);
        console.log(`  ${inWords(ratio)}`);
        if (!bound) return void unjudged.push(`${name}: nothing is recorded for ${processor}`);
        const excess = excessOf(bound, ratio);
        if (excess === undefined) return;
        if (busy <= mostBusy) excesses.push(excess);
        if (tries < fewestTries || (tries < mostTries && performance.now() < deadline)) continue;
        const [last] = excesses.slice(-1);
        if (last === undefined) unjudged.push(`${name}: other programs used the processors`);
        else broken.push(`${name} costs more CPU than its bound: ${last}`);
        return;
      }
    });
  }
  return { broken, unjudged };
}

/** Measures each row in `bounds.json`, and writes its ratios on this processor there. */
export async function recordBounds(bench: Bench, signal: AbortSignal): Promise<void> {
  const written: Record<string, Readonly<Record<string, Ratio>>> = { ...recorded };
  for (const name of Object.keys(recorded))
    await withRow(name, bench, async (row, contest) => {
      const { ratio: known } = await measured(row, contest, roundsOfRecord, signal);
      const { node = Number.NaN, postgres } = known;
      const rounded = (value: number) => Number(value.toFixed(2));
      const ratio = { node: rounded(node), ...(postgres !== undefined && { postgres: rounded(postgres) }) };
      written[name] = { ...written[name], [processor]: ratio };
    });
  writeFileSync(file, `${JSON.stringify(written, undefined, 2)}\n`);
}

async function withRow(
  name: string,
  bench: Bench,
  work: (row: Row, contest: Contest) => Promise<void>,
): Promise<void> {
  const row = rows.find((one) => one.name === name);
  if (!row) throw new Error(`bench/bounds.json names ${name}, which is not a row`);
  console.log(`\n${name}: ${row.path}, against ${row.limit}`);
  const contest = await row.open(bench);
  if (!contest) throw new Error(`${name} cannot be measured here`);
  try {
    await work(row, contest);
  } finally {
    await contest.close();
  }
}

async function measured(row: Row, contest: Contest, count: number, signal: AbortSignal) {
  const rounds = await measureRounds(contest, row, { rounds: count, patience, signal });
  const ratio = outcomeOf(row, rounds).cpu?.ratio;
  if (ratio?.node === undefined) throw new Error('this system does not report the CPU time of processes');
  return { ratio, busy: Math.max(...rounds.map((round) => round.busy)) };
}

/** Says which parts cost too much. A ratio that is not known, of a part that has a bound, is too much as well. */
function excessOf(bound: Ratio, ratio: CpuTime): string | undefined {
  const over = parts.flatMap((part) => {
    const [value = Number.POSITIVE_INFINITY, most] = [ratio[part], bound[part]];
    return most === undefined || value <= most * allowance
      ? []
      : [`${value.toFixed(2)} instead of ${most.toFixed(2)} for ${part}`];
  });
  return over.length === 0 ? undefined : over.join(', ');
}

function inWords(ratio: CpuTime): string {
  return `CPU ratio ${parts.map((part) => `${ratio[part]?.toFixed(2) ?? '-'} for ${part}`).join(', ')}`;
}
