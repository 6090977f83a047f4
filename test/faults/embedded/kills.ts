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
/** Milliseconds from the first write to the kill, at most. */
const longestWait = 400;

/** How the writes of all kills of one kind ended. */
interface Tally {
  readonly acknowledged: string[];
  refused: number;
  /** Of writes to processes that live on. */
  readonly otherOutcomes: string[];
}

/**
 * Kills, again and again at a moment that `random` chooses, while four processes on one home take writes. The seconds
 * are those from the kill to the next acknowledged write of the slowest process that lives on.
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
      // The next kill finds a starter again.
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
        `rows acknowledged: ${acknowledged.length}, lost: ${lost}; answers 500 with Retry-After: ${refused}; ` +
        `other outcomes where a process lives on: ${otherOutcomes.length}; servers left running: ${leftRunning}`,
      seconds: medianAndMost(seconds),
    };
  } finally {
    await remove(folder, place.home);
  }
}

/**
 * Four processes, each second one a server; one after the other, so that the first one is known to be the starter.
 * With each kill the kinds change places, so that both are killed.
 */
async function fillUp(processes: Writer[], place: Place, kill: number): Promise<void> {
  while (processes.length < 4) {
    const open = (processes.length + kill) % 2 === 0 ? startServe : startMcp;
    const opened = await open(place);
    processes.push(opened);
    const outcome = await opened.write(`opening ${performance.now()}`);
    if (outcome !== 'acknowledged') throw new Error(`a new process answers ${outcome}`);
  }
}

/** Writers that go on until they are told to finish, some at each process. */
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
    /** Milliseconds until every process that lives on has acknowledged a write that began after the kill. */
    async answeredAfter(killed: number): Promise<number> {
      for (const late = killed + patience; performance.now() < late; await delay(1))
        if (survivors.every((writer) => (lastStarted.get(writer) ?? 0) > killed))
          return performance.now() - killed;
      throw new Error(`no answer ${patience / 1000} s after the kill of ${label}`);
    },
    async finish(): Promise<void> {
      finishing.abort();
      await working;
    },
  };
}
