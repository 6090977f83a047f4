/**
 * Starts, kills and hinders processes that share an embedded Postgres, as whoever runs it, and prints what was seen as
 * Markdown tables. Only root can make small disks; for another user SMALL_DISK_16 and SMALL_DISK_96 may name folders on
 * disks of so many MiB.
 *
 * Usage: node test/faults/embedded.ts [--rounds 20] [--kills 20] [--seed 1] [--cases 'part of a name']
 */
import os from 'node:os';
import { parseArgs } from 'node:util';
import { buildOf } from '../../src/commands/open.ts';
import { readConfig } from '../../src/config.ts';
import { type KillReport, targets, tryKills } from './embedded-kills.ts';
import { tryMatrix } from './embedded-matrix.ts';
import { checkout } from './embedded-process.ts';
import { medianAndMost } from './embedded-rows.ts';
import { tryColdStarts } from './embedded-starts.ts';

const text = (preset: string) => ({ type: 'string', default: preset }) as const;
const options = { rounds: text('20'), kills: text('20'), seed: text('1'), cases: text('') };
const { values } = parseArgs({ options });

const user = process.getuid?.() === 0 ? 'As root' : `As an ordinary user (uid ${process.getuid?.()})`;
const { gitSha } = buildOf(readConfig());
console.log(`## ${user}\n`);
console.log(
  `${new Date().toISOString()}, commit ${gitSha}, Node.js ${process.versions.node}, ${os.availableParallelism()} processors, seed ${values.seed}\n`,
);

const failures =
  (await starts(Number(values.rounds))) + (await kills(Number(values.kills))) + (await matrix(values.cases));
process.exitCode = failures === 0 ? 0 : 1;

async function starts(rounds: number): Promise<number> {
  if (rounds === 0) return 0;
  const report = await tryColdStarts(checkout, rounds);
  printTable(
    ['four cold starts at once', 'seen'],
    [
      ['rounds', rounds],
      ['servers started in a round, at most', report.mostServers],
      ['servers left running', report.leftRunning],
      ['rows acknowledged', report.acknowledged],
      ['rows lost', report.lost],
      ['other outcomes', report.otherOutcomes.length],
      ['seconds until all four answered, median / most', medianAndMost(report.seconds)],
    ],
  );
  return report.lost + report.leftRunning + report.otherOutcomes.length + report.mostServers - 1;
}

async function kills(count: number): Promise<number> {
  if (count === 0) return 0;
  const random = seeded(Number(values.seed));
  const reports: KillReport[] = [];
  for (const target of targets) reports.push(await tryKills(checkout, target, count, random));
  const row = (name: string, of: (report: KillReport) => string | number) => [name, ...reports.map(of)];
  printTable(
    ['kill -9 under writes, of', ...targets.map((target) => `the ${target}`)],
    [
      row('kills', (report) => report.kills),
      row('rows acknowledged', ({ acknowledged }) => acknowledged),
      row('acknowledged rows lost', ({ lost }) => lost),
      row('answers 500 with Retry-After', ({ refused }) => refused),
      row('other outcomes of processes that live on', ({ otherOutcomes }) => otherOutcomes.length),
      row('servers left running by the last one out', ({ leftRunning }) => leftRunning),
      row('seconds until all that live on answer, median / most', ({ seconds }) => medianAndMost(seconds)),
    ],
  );
  const wrong = reports.flatMap(({ otherOutcomes }) => otherOutcomes);
  for (const outcome of wrong) console.error(outcome);
  return reports.reduce((sum, { lost, leftRunning }) => sum + lost + leftRunning, wrong.length);
}

async function matrix(part: string): Promise<number> {
  const rows = await tryMatrix(part, ({ what, verdict }) => console.error(`${verdict}  ${what}`));
  printTable(
    ['circumstance', 'outcome', 'seen'],
    rows.map(({ what, verdict, seen }) => [what, verdict, seen.replaceAll('|', '\\|')]),
  );
  return rows.filter(({ verdict }) => verdict === 'FAILS').length;
}

function printTable(head: readonly string[], lines: readonly (readonly (string | number)[])[]): void {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  console.log(`${[row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n')}\n`);
}

/** Numbers from 0 to 1, the same for the same seed (Park and Miller's generator). */
function seeded(seed: number): () => number {
  const modulus = 2_147_483_647;
  let state = (seed % (modulus - 1)) + 1;
  return () => {
    state = (state * 48_271) % modulus;
    return state / modulus;
  };
}
