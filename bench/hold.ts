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

/** How much worse than its bound a ratio may be. The rest of the machine moves it by about a tenth. */
const allowance = 1.15;

/** A row fails if it costs more in each try, so that a busy moment fails none. */
const mostTries = 3;
const roundsOfTry = 3;
/** A record is what all later runs are compared with. */
const roundsOfRecord = 7;

/** Milliseconds after which no other try begins, so that all rows together take less than four minutes. */
const latestTry = 200_000;

const file = path.join(import.meta.dirname, 'bounds.json');
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded;

/**
 * Compares the CPU time per request of each row in `bounds.json` with its bound: the highest ratio recorded on any processor.
 * @returns a line for each row that is above its bound and the allowance in every try
 * @throws if a row cannot be measured
 */
export async function holdBounds(bench: Bench, signal: AbortSignal): Promise<string[]> {
  const deadline = performance.now() + latestTry;
  const broken: string[] = [];
  for (const name of Object.keys(recorded))
    await withRow(name, bench, async (row, contest) => {
      for (let tries = 1; ; tries++) {
        const ratio = await ratioOf(row, contest, roundsOfTry, signal);
        const excess = excessOf(name, ratio);
        if (excess === undefined) return;
        console.log(`  ${excess}`);
        if (tries < mostTries && performance.now() < deadline) continue;
        broken.push(excess);
        return;
      }
    });
  return broken;
}

/** Measures each row in `bounds.json`, and writes its ratios on this processor there. */
export async function recordBounds(bench: Bench, signal: AbortSignal): Promise<void> {
  const processor = os.cpus()[0]?.model.trim() ?? 'unknown';
  const written: Record<string, Readonly<Record<string, Ratio>>> = { ...recorded };
  for (const name of Object.keys(recorded))
    await withRow(name, bench, async (row, contest) => {
      const { node = Number.NaN, postgres } = await ratioOf(row, contest, roundsOfRecord, signal);
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

async function ratioOf(row: Row, contest: Contest, rounds: number, signal: AbortSignal): Promise<CpuTime> {
  const measured = await measureRounds(contest, row, { rounds, patience: 0, signal });
  const ratio = outcomeOf(row, measured).cpu?.ratio;
  if (ratio?.node === undefined) throw new Error('this system does not report the CPU time of processes');
  return ratio;
}

/** Says which parts cost too much. A ratio that is not known, of a part that has a bound, is too much as well. */
function excessOf(name: string, ratio: CpuTime): string | undefined {
  const of = Object.values(recorded[name] ?? {});
  const over = parts.flatMap((part) => {
    const known = of.map((one) => one[part]).filter((value) => value !== undefined);
    const bound = Math.max(...known);
    const value = ratio[part] ?? Number.POSITIVE_INFINITY;
    return known.length === 0 || value <= bound * allowance
      ? []
      : [`${value.toFixed(2)} instead of ${bound.toFixed(2)} for ${part}`];
  });
  return over.length === 0 ? undefined : `${name} costs more CPU than its bound: ${over.join(', ')}`;
}
