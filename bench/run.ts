import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { holdBounds, recordBounds } from './hold.ts';
import { openLoader } from './loader.ts';
import { measureQuality } from './quality/quality.ts';
import { cpuSummary, markdownOf, type Outcome, outcomeOf, reportOf } from './report.ts';
import { measureRounds } from './rounds.ts';
import type { Bench, Row } from './row.ts';
import { groups, rows } from './rows/index.ts';
import { openWorld } from './world.ts';

const quality = 'knowledge-quality';
const names = [...rows.map(({ name }) => name), quality];
const usage = `npm run bench -- [--only NAME,…] [--rounds N] [--seconds N] [--patience N]
  [--json FILE] [--markdown FILE]
npm run bench -- --hold | --record
Also: [--postgres URL [--pooler URL]] [--flows N]
NAME is one of ${names.join(', ')}; ${Object.keys(groups).join(', ')} stands for all rows of its kind.
Each round measures both programs for --seconds. It starts when the rest of the machine is quiet, or after --patience
seconds. --hold fails if a row of bench/bounds.json costs more CPU than was recorded there; --record writes it.
--postgres measures on another server of this machine, as a superuser, and --pooler through a PgBouncer in front of it.
--flows is the number of flows in the project; 1000 by default.`;

/** A median of fewer rounds is not reliable. */
const fewestRounds = 3;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    patience: { type: 'string', default: '15' },
    json: { type: 'string' },
    markdown: { type: 'string' },
    hold: { type: 'boolean' },
    record: { type: 'boolean' },
    postgres: { type: 'string' },
    pooler: { type: 'string' },
    flows: { type: 'string', default: '1000' },
    help: { type: 'boolean' },
  },
});

const only = values.only?.split(',').flatMap((name) => groups[name] ?? name) ?? names;
const chosen = rows.filter(({ name }) => only.includes(name));
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const patience = Number(values.patience);
const { postgres, pooler } = values;
const flows = Number(values.flows);
const interrupted = new AbortController();
/** Of a measurement that is compared with the bounds. */
const shortSeconds = 1;

if (values.help) console.log(usage);
else if (
  only.some((name) => !names.includes(name)) ||
  !(rounds >= fewestRounds && seconds >= 1 && patience >= 0 && flows >= 2)
) {
  console.error(usage);
  process.exitCode = 2;
} else {
  // The run first removes the database and stops the programs.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupted.abort(new Error('interrupted')));
  if (values.record) await withBench(shortSeconds, (bench) => recordBounds(bench, interrupted.signal));
  else if (values.hold) await withBench(shortSeconds, hold);
  else await withBench(seconds, run);
}

/** Opens what a run needs, and closes it afterwards. */
async function withBench(seconds: number, work: (bench: Bench) => Promise<void>): Promise<void> {
  const world = await openWorld({ postgres, pooler, flows });
  const loader = openLoader();
  try {
    await work({ world, loader, seconds });
  } finally {
    loader.close();
    await world.close();
  }
}

async function hold(bench: Bench): Promise<void> {
  const { broken, unjudged } = await holdBounds(bench, interrupted.signal);
  for (const line of unjudged) console.log(`\nNot judged: ${line}.`);
  console.log(broken.length === 0 ? '\nNo bound is broken.' : `\n${broken.join('\n')}`);
  if (broken.length > 0) process.exitCode = 1;
}

async function run(bench: Bench): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const row of chosen) {
    const outcome = await measure(row, bench);
    if (outcome) outcomes.push(outcome);
  }
  const answered = only.includes(quality) ? await measureQuality(bench.world) : [];
  const report = reportOf(outcomes, answered, bench.world.postgres);
  const markdown = markdownOf(report);
  console.log(`\n${markdown}`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
  if (values.markdown !== undefined) writeFileSync(values.markdown, markdown);
}

async function measure(row: Row, bench: Bench): Promise<Outcome | undefined> {
  console.log(`\n${row.name}: ${row.path}, against ${row.limit}`);
  const contest = await row.open({ ...bench, seconds: bench.seconds / 2 });
  if (!contest) return undefined;
  try {
    const measured = await measureRounds(contest, row, { rounds, patience, signal: interrupted.signal });
    const outcome = outcomeOf(row, measured);
    console.log(`  median ratio ${outcome.median.toFixed(3)}: ${outcome.verdict}`);
    if (outcome.cpu) console.log(`  ${cpuSummary(outcome.cpu)}`);
    return outcome;
  } finally {
    await contest.close();
  }
}
