import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { combine } from './cpu-time.ts';
import { openLoader } from './loader.ts';
import { measureQuality } from './quality/quality.ts';
import { untilQuiet } from './quiet.ts';
import {
  cpuFigure,
  cpuSummary,
  figure,
  markdownOf,
  type Outcome,
  outcomeOf,
  type Round,
  reportOf,
} from './report.ts';
import type { Bench, Contest, Measurement, Row } from './row.ts';
import { groups, rows } from './rows/index.ts';
import { openWorld } from './world.ts';

const quality = 'knowledge-quality';
const names = [...rows.map(({ name }) => name), quality];
const usage = `npm run bench -- [--only NAME,…] [--rounds N] [--seconds N] [--patience N]
  [--json FILE] [--markdown FILE]
NAME is one of ${names.join(', ')}; ${Object.keys(groups).join(', ')} stands for all rows of its kind.
Each round measures both programs for --seconds. It starts when the rest of the machine is quiet, or after --patience
seconds.`;

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
    help: { type: 'boolean' },
  },
});

const only = values.only?.split(',').flatMap((name) => groups[name] ?? name) ?? names;
const chosen = rows.filter(({ name }) => only.includes(name));
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const patience = Number(values.patience);
let interrupted = false;

if (values.help) console.log(usage);
else if (
  only.some((name) => !names.includes(name)) ||
  !(rounds >= fewestRounds && seconds >= 1 && patience >= 0)
) {
  console.error(usage);
  process.exitCode = 2;
} else {
  // The run first removes the database and stops the programs.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (interrupted = true));
  await run();
}

async function run(): Promise<void> {
  const world = await openWorld();
  const loader = openLoader();
  try {
    const outcomes: Outcome[] = [];
    for (const row of chosen) {
      const outcome = await measure(row, { world, loader, seconds });
      if (outcome) outcomes.push(outcome);
    }
    const answered = only.includes(quality) ? await measureQuality(world) : [];
    const report = reportOf(outcomes, answered, world.postgres);
    const markdown = markdownOf(report);
    console.log(`\n${markdown}`);
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
    if (values.markdown !== undefined) writeFileSync(values.markdown, markdown);
  } finally {
    loader.close();
    await world.close();
  }
}

/**
 * Measures rounds: Parley, the limit, the limit, Parley. The next round starts with the limit, because the first
 * program after a pause runs on a slower machine.
 */
async function measure(row: Row, bench: Bench): Promise<Outcome | undefined> {
  const { unit } = row;
  console.log(`\n${row.name}: ${row.path}, against ${row.limit}`);
  const contest = await row.open({ ...bench, seconds: bench.seconds / 2 });
  if (!contest) return undefined;
  try {
    const measured: Round[] = [];
    while (measured.length < rounds) {
      if (interrupted) throw new Error('interrupted');
      const busy = await untilQuiet(patience);
      const round = { ...(await pairOf(contest, measured.length % 2 === 0)), busy };
      measured.push(round);
      const { parley, limit } = round;
      const figures = `${figure(parley.figure, unit)} to ${figure(limit.figure, unit)}`;
      const cpu = parley.cpu && limit.cpu && `, CPU ${cpuFigure(parley.cpu)} to ${cpuFigure(limit.cpu)}`;
      const others = busy > 0.3 ? `, while others took ${Math.round(busy * 100)} % of the machine` : '';
      console.log(
        `  round ${measured.length}: ${figures}, ratio ${round.ratio.toFixed(3)}${cpu ?? ''}${others}`,
      );
    }
    const outcome = outcomeOf(row, measured);
    console.log(`  median ratio ${outcome.median.toFixed(3)}: ${outcome.verdict}`);
    if (outcome.cpu) console.log(`  ${cpuSummary(outcome.cpu)}`);
    return outcome;
  } finally {
    await contest.close();
  }
}

async function pairOf(
  { parley, limit }: Contest,
  parleyFirst: boolean,
): Promise<Pick<Round, 'parley' | 'limit' | 'ratio'>> {
  const [outer, inner] = parleyFirst ? [parley, limit] : [limit, parley];
  const first = await outer();
  const within = meanOf(await inner(), await inner());
  const around = meanOf(first, await outer());
  const [ours, theirs] = parleyFirst ? [around, within] : [within, around];
  return { parley: ours, limit: theirs, ratio: ours.figure / theirs.figure };
}

function meanOf(a: Measurement, b: Measurement): Measurement {
  const mean = (one: number, other: number) => (one + other) / 2;
  return { figure: mean(a.figure, b.figure), ...(a.cpu && b.cpu && { cpu: combine(a.cpu, b.cpu, mean) }) };
}
