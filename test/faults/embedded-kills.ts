import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  newFolder,
  type Outcome,
  remove,
  serverPid,
  startMcp,
  startServe,
  type Writer,
} from './embedded-process.ts';
import { storedNames } from './embedded-rows.ts';

export const targets = ['member', 'starter', 'postmaster'] as const;
export type Target = (typeof targets)[number];

const writersEach = 2;
/** Milliseconds from the first write to the kill, at most. */
const longestWait = 400;
const patience = 60_000;

/** What the kills of one kind saw. */
export interface KillReport {
  readonly target: Target;
  readonly kills: number;
  readonly acknowledged: number;
  readonly lost: number;
  /** From the kill to the next acknowledged write of the slowest process that lives on. */
  readonly seconds: number[];
  /** Writes that were answered 500 with Retry-After. */
  readonly refused: number;
  /** Outcomes of writes to processes that live on, other than acknowledged and refused. */
  readonly otherOutcomes: string[];
  /** Members whose end did not stop the server where they were the last. */
  readonly leftRunning: number;
}

/** Kills, again and again at a moment that `random` chooses, while four processes on one home take writes. */
export async function tryKills(
  root: string,
  target: Target,
  kills: number,
  random: () => number,
): Promise<KillReport> {
  const folder = newFolder('kills');
  const place = { root, home: path.join(folder, 'home') };
  const tally = { acknowledged: [] as string[], refused: 0, otherOutcomes: [] as string[] };
  const seconds: number[] = [];
  let leftRunning = 0;
  try {
    let processes: Writer[] = [];
    const open = async () => {
      // One after the other, so that the first one is known to be the starter.
      for (let count = processes.length; count < 3; count++) processes.push(await startServe(place));
      processes.push(await startMcp(place));
      const outcome = await processes[3]?.write(`opening ${performance.now()}`);
      if (outcome !== 'acknowledged') throw new Error(`the MCP process answers ${outcome}`);
    };
    for (let kill = 0; kill < kills; kill++) {
      if (processes.length < 4) await open();
      const victim = target === 'starter' ? processes[0] : target === 'member' ? processes[1] : undefined;
      const run = startWriters(processes, `${target} ${kill}`, tally, victim);
      await delay(random() * longestWait);
      const killed = performance.now();
      if (victim) await victim.kill();
      else process.kill(serverPid(place.home), 'SIGKILL');
      seconds.push((await run.answeredAfter(killed)) / 1000);
      await run.finish();
      processes = processes.filter((one) => one !== victim);
      if (target === 'postmaster') continue;
      // The next kill finds a starter again.
      await Promise.all(processes.map((one) => one.end()));
      processes = [];
      if (await isRunning(place.home)) leftRunning += 1;
    }
    await Promise.all(processes.map((one) => one.end()));
    if (await isRunning(place.home)) leftRunning += 1;
    const stored = await storedNames(place.home);
    const { acknowledged, refused, otherOutcomes } = tally;
    const lost = acknowledged.filter((name) => !stored.has(name)).length;
    return {
      target,
      kills,
      acknowledged: acknowledged.length,
      lost,
      seconds,
      refused,
      otherOutcomes,
      leftRunning,
    };
  } finally {
    await remove(folder, place.home);
  }
}

/** Writers that go on until they are told to finish, two at each process. */
function startWriters(
  processes: readonly Writer[],
  label: string,
  tally: { acknowledged: string[]; refused: number; otherOutcomes: string[] },
  victim: Writer | undefined,
) {
  const finishing = new AbortController();
  const lastStarted = new Map<Writer, number>();
  const note = (writer: Writer, outcome: Outcome, name: string, began: number) => {
    if (outcome === 'acknowledged') {
      tally.acknowledged.push(name);
      lastStarted.set(writer, Math.max(began, lastStarted.get(writer) ?? 0));
    } else if (outcome === 'refused') tally.refused += 1;
    else if (writer !== victim) tally.otherOutcomes.push(outcome);
  };
  const loop = async (writer: Writer, number: string) => {
    for (let count = 0; !finishing.signal.aborted; count++) {
      const name = `${label} ${number} ${count}`;
      const began = performance.now();
      const outcome = await writer.write(name);
      note(writer, outcome, name, began);
      if (outcome !== 'acknowledged') await delay(10);
      if (outcome === 'unreachable' && writer === victim) return;
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

async function isRunning(home: string): Promise<boolean> {
  // The end of a process over MCP is not waited for by its client.
  for (const late = performance.now() + 5000; performance.now() < late; await delay(20))
    try {
      process.kill(serverPid(home), 0);
    } catch {
      return false;
    }
  return true;
}
