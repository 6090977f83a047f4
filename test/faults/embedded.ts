/**
 * Starts, kills and obstructs processes that share an embedded Postgres. Prints the results as a Markdown
 * table. If root runs the script, it runs a second time as an ordinary user, on a copy of this checkout.
 *
 * Usage: node test/faults/embedded.ts [--rounds 20] [--kills 20] [--seed 1] [--cases 'part of a name']
 */
import os from 'node:os';
import { parseArgs } from 'node:util';
import { readBuild } from '../../src/command-line/build-info.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { targets, tryKills } from './embedded/kills.ts';
import { tryMatrix } from './embedded/matrix.ts';
import { runAsOrdinaryUser } from './embedded/ordinary-user.ts';
import { asRoot } from './embedded/place.ts';
import { attempt, printTable, type Row } from './embedded/seen.ts';
import { tryColdStarts } from './embedded/starts.ts';

const text = (preset: string) => ({ type: 'string', default: preset }) as const;
const options = { rounds: text('20'), kills: text('20'), seed: text('1'), cases: text('') };
const { values } = parseArgs({ options });
const [rounds, kills] = [Number(values.rounds), Number(values.kills)];
const { gitSha } = readBuild(readConfig().gitSha);

const load = () => os.loadavg()[0]?.toFixed(1);
const [began, loadBefore] = [new Date(), load()];
const rows = [...(await starts()), ...(await allKills()), ...(await tryMatrix(values.cases))];
console.log(`## ${asRoot ? 'As root' : `As an ordinary user (uid ${process.getuid?.()})`}\n`);
console.log(
  `${began.toISOString()}, commit ${gitSha}, Node.js ${process.versions.node}, ${os.availableParallelism()} processors ` +
    `with a load of ${loadBefore} before and ${load()} after, seed ${values.seed}\n`,
);
printTable(rows);
console.log();

const passed = rows.every(({ result }) => result !== 'FAIL');
const passedToo = !asRoot || (await runAsOrdinaryUser(import.meta.filename, process.argv.slice(2), gitSha));
process.exitCode = passed && passedToo ? 0 : 1;

async function starts(): Promise<Row[]> {
  if (rounds === 0) return [];
  return [await attempt(`four cold starts at once, ${rounds} rounds`, () => tryColdStarts(rounds))];
}

async function allKills(): Promise<Row[]> {
  if (kills === 0) return [];
  const random = seeded(Number(values.seed));
  const seen: Row[] = [];
  for (const target of targets)
    seen.push(
      await attempt(`kill -9 of the ${target} during writes, at ${kills} moments`, () =>
        tryKills(target, kills, random),
      ),
    );
  return seen;
}

/** Generates numbers from 0 to 1 (Park and Miller). Equal seeds give equal numbers. */
function seeded(seed: number): () => number {
  const modulus = 2_147_483_647;
  let state = (seed % (modulus - 1)) + 1;
  return () => {
    state = (state * 48_271) % modulus;
    return state / modulus;
  };
}
