/**
 * Kills replicas and crashes Postgres while writers write, then compares what was acknowledged with what is stored.
 *
 * Usage: node test/faults/write-kills.ts [--kills 20] [--crashes 5]
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openLaboratory } from '../helpers/laboratory.ts';
import { type ReplicaProcess, startReplica } from '../helpers/replica-process.ts';
import { medianAndMost } from './embedded/seen.ts';
import { openCrashingPostgres } from './write-kills/crashing-postgres.ts';
import {
  halfDoneWrites,
  lostKeys,
  lostRecords,
  type Place,
  unauditedStates,
  unauditedWrites,
} from './write-kills/verdict.ts';
import { History, type Replica, startWriters } from './write-kills/writers.ts';

/** The longest time from the first write to the fault, in milliseconds. */
const longestLife = 800;

/** The results of a run. */
export interface WriteKillsReport {
  readonly acknowledged: number;
  /** Writes that were sent again, with their idempotency key, after a fault. */
  readonly repeated: number;
  readonly refused: number;
  readonly unanswered: number;
  /** One line for each acknowledged write that is lost, and for each write that is half done. */
  readonly problems: readonly string[];
  /** Seconds from each kill, and from each crash, until every replica acknowledged a new write. */
  readonly afterKills: readonly number[];
  readonly afterCrashes: readonly number[];
}

interface RunningReplica extends Replica {
  readonly process: ReplicaProcess;
}

/**
 * Runs two replicas on a Postgres of their own under eight writers. Kills a replica `kills` times with SIGKILL, and stops
 * Postgres `crashes` times in immediate mode.
 */
export async function tryWriteKills(kills: number, crashes: number): Promise<WriteKillsReport> {
  const postgres = await openCrashingPostgres();
  const start = async (): Promise<RunningReplica> => {
    const process = await startReplica(postgres.url);
    return { process, base: process.base, isKilled: false, latest: 0 };
  };
  const replicas: RunningReplica[] = [];
  const laboratory = openLaboratory(postgres.url);
  try {
    // The first one migrates the database.
    for (const index of [0, 1]) replicas[index] = await start();
    const tenant = await laboratory.tenant({ plan: 'enterprise' });
    const history = new History();
    const place = (): Place => ({ base: replicas[0]?.base ?? '', tenant, laboratory });
    const problems: string[] = [];
    const seconds = { kill: [] as number[], crash: [] as number[] };
    for (const [count, fault] of faults(kills, crashes).entries()) {
      const writing = startWriters({ replicas, tenant, history, label: `fault ${count}` });
      const checked = new Set(history.records.keys());
      await Promise.race([delay(Math.random() * longestLife), writing.failed]);
      const moment = performance.now();
      if (fault === 'crash') await postgres.crash();
      else await replaceReplica(replicas, count % 2, start);
      seconds[fault].push((await writing.writesAgainAfter(moment)) / 1000);
      await writing.finish();
      const fresh = [...history.records].filter(([name]) => !checked.has(name)).map(([, record]) => record);
      problems.push(...(await lostRecords(place(), fresh)), ...(await halfDoneWrites(place())));
    }
    problems.push(
      ...(await lostRecords(place(), history.records.values())),
      ...(await lostKeys(place(), history)),
      ...(await unauditedWrites(place(), history)),
      ...(await unauditedStates(place())),
    );
    const { acknowledged, repeated, refused, unanswered } = history;
    return {
      acknowledged: acknowledged.length,
      repeated,
      refused,
      unanswered,
      problems,
      afterKills: seconds.kill,
      afterCrashes: seconds.crash,
    };
  } finally {
    await laboratory.close();
    await Promise.all(replicas.map(({ process }) => process.kill()));
    await postgres.close();
  }
}

/** Kills a replica with SIGKILL and starts another in its place. */
async function replaceReplica(
  replicas: RunningReplica[],
  index: number,
  start: () => Promise<RunningReplica>,
): Promise<void> {
  const victim = replicas[index];
  if (!victim) throw new Error(`there is no replica ${index}`);
  victim.isKilled = true;
  await victim.process.kill();
  replicas[index] = await start();
}

/** Spreads the crashes evenly among the kills. */
function faults(kills: number, crashes: number): ('kill' | 'crash')[] {
  const all = kills + crashes;
  return Array.from({ length: all }, (_, index) =>
    Math.floor(((index + 1) * crashes) / all) > Math.floor((index * crashes) / all) ? 'crash' : 'kill',
  );
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '20' }, crashes: { type: 'string', default: '5' } },
  });
  const began = performance.now();
  const report = await tryWriteKills(Number(values.kills), Number(values.crashes));
  const { acknowledged, repeated, refused, unanswered, problems, afterKills, afterCrashes } = report;
  for (const problem of problems) console.error(problem);
  console.log(`kill -9 of a replica                        ${values.kills}`);
  console.log(`immediate stops of Postgres                 ${values.crashes}`);
  console.log(`writes acknowledged                         ${acknowledged}`);
  console.log(`of these, sent again after a fault          ${repeated}`);
  console.log(`calls refused with 500 and Retry-After      ${refused}`);
  console.log(`calls without a response                    ${unanswered}`);
  console.log(`acknowledged and lost, or half done         ${problems.length}`);
  console.log(`seconds until both replicas write again, median / longest`);
  console.log(`  after a kill, with the start of a process ${medianAndMost(afterKills)}`);
  console.log(`  after a stop of Postgres                  ${medianAndMost(afterCrashes)}`);
  console.log(
    `seconds                                     ${Math.round((performance.now() - began) / 1000)}`,
  );
  if (problems.length > 0) process.exitCode = 1;
}
