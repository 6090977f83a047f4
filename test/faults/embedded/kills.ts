import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { homeIn, newFolder, type Place, postmasterFile, serverPid } from './place.ts';
import { patience, remove } from './process.ts';
import { storedNames } from './rows.ts';
import { medianAndMost, type Seen } from './seen.ts';
import { startMcp, startServe, type Writer } from './writers.ts';

export const targets = ['member', 'starter', 'postmaster'] as const;
export type Target = (typeof targets)[number];

const writersEach = 2;
/** The longest time from the first write to the kill, in milliseconds. */
const longestWait = 400;

/** The results of the writes during all kills of one target. */
interface Tally {
  readonly acknowledged: string[];
  refused: number;
  /** Unexpected results of writes to processes that were not killed. */
  readonly otherOutcomes: string[];
}

/**
 * Kills the target repeatedly, at moments that `random` chooses, while four processes on one home take
 * writes. Measures the seconds from each kill until every surviving process has acknowledged a new write.
 */
export async function tryKills(target: Target, kills: number, random: () => number): Promise<Seen> {
  const folder = newFolder('kills');
  const place = homeIn(folder);
  const tally: Tally = { acknowledged: [], refused: 0, otherOutcomes: [] };
  const seconds: number[] = [];
  let leftRunning = 0;
  const end = async (processes: Writer[]) => {
    await Promise.all(processes.splice(0).map((one) => one.end()));
    if (fs.existsSync(postmasterFile(place.home))) leftRunning += 1;
  };
  try {
    const processes: Writer[] = [];
    for (let kill = 0; kill < kills; kill++) {
      await fillUp(processes, place, kill);
      const victim = { starter: processes[0], member: processes.at(-1), postmaster: undefined }[target];
      const run = startWriters(processes, `${target} ${kill}`, tally, victim);
      await delay(random() * longestWait);
      const killed = performance.now();
      if (victim) await victim.kill();
      else process.kill(serverPid(place.home), 'SIGKILL');
      seconds.push((await run.answeredAfter(killed)) / 1000);
      await run.finish();
      if (victim) processes.splice(processes.indexOf(victim), 1);
      // New processes replace them, so that the next kill has a starter again.
      if (target === 'starter') await end(processes);
    }
    if (processes.length > 0) await end(processes);
    const stored = await storedNames(place.home);
    const { acknowledged, refused, otherOutcomes } = tally;
    const lost = acknowledged.filter((name) => !stored.has(name)).length;
    for (const outcome of otherOutcomes) console.error(outcome);
    return {
      result: lost + otherOutcomes.length + leftRunning === 0 ? 'pass' : 'FAIL',
      seen:
        `rows acknowledged: ${acknowledged.length}, lost: ${lost}; 500 with Retry-After: ${refused}; ` +
        `other outcomes of surviving processes: ${otherOutcomes.length}; servers left running: ${leftRunning}`,
      seconds: medianAndMost(seconds),
    };
  } finally {
    await remove(folder, place.home);
  }
}

/**
 * Opens processes until there are four, alternately `serve` and `mcp`. They open one after another, so that
 * the first one is the starter. The order alternates with each kill, so that both kinds get killed.
 */
async function fillUp(processes: Writer[], place: Place, kill: number): Promise<void> {
  while (processes.length < 4) {
    const open = (processes.length + kill) % 2 === 0 ? startServe : startMcp;
    const opened = await open(place);
    processes.push(opened);
    const outcome = await opened.write(`opening ${performance.now()}`);
    if (outcome !== 'acknowledged') throw new Error(`first write to a new process: ${outcome}`);
  }
}

/** Starts writers for each process, which run until `finish` is called. */
function startWriters(processes: readonly Writer[], label: string, tally: Tally, victim: Writer | undefined) {
  const finishing = new AbortController();
  const lastStarted = new Map<Writer, number>();
  const loop = async (writer: Writer, number: string) => {
    for (let count = 0; !finishing.signal.aborted; count++) {
      const name = `${label} ${number} ${count}`;
      const began = performance.now();
      const outcome = await writer.write(name);
      if (outcome === 'acknowledged') {
        tally.acknowledged.push(name);
        lastStarted.set(writer, Math.max(began, lastStarted.get(writer) ?? 0));
        continue;
      }
      if (outcome === 'refused') tally.refused += 1;
      else if (outcome === 'unreachable' && writer === victim) return;
      else tally.otherOutcomes.push(outcome);
      await delay(10);
    }
  };
  const working = Promise.all(
    processes.flatMap((writer, index) =>
      Array.from({ length: writersEach }, (_, number) => loop(writer, `${index}.${number}`)),
    ),
  );
  const survivors = processes.filter((writer) => writer !== victim);
  return {
    /** Returns the milliseconds until every survivor has acknowledged a write that began after the kill. */
    async answeredAfter(killed: number): Promise<number> {
      for (const late = killed + patience; performance.now() < late; await delay(1))
        if (survivors.every((writer) => (lastStarted.get(writer) ?? 0) > killed))
          return performance.now() - killed;
      throw new Error(`no acknowledged write within ${patience / 1000} s of the kill of ${label}`);
    },
    async finish(): Promise<void> {
      finishing.abort();
      await working;
    },
  };
}
