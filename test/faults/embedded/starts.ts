import fs from 'node:fs';
import path from 'node:path';
import { homeIn, newFolder, type Place, postmasterFile } from './place.ts';
import { remove } from './process.ts';
import { storedNames } from './rows.ts';
import { medianAndMost, type Seen } from './seen.ts';
import { startMcp, startServe, type Writer } from './writers.ts';

/** Flows that each process writes in a round. */
const writesEach = 5;

interface Round {
  /** Postgres servers that were started. */
  readonly servers: number;
  readonly acknowledged: number;
  readonly lost: number;
  /** Time from the start of the four processes until each has finished its first write. */
  readonly seconds: number;
  /** Whether a Postgres server still ran after all four processes had ended. */
  readonly leftRunning: boolean;
  /** Results of writes that were not acknowledged. */
  readonly otherOutcomes: readonly string[];
}

/** Starts one `serve` and three `mcp` processes at once on a new home. Each of them writes; then all end. */
export async function tryColdStarts(count: number): Promise<Seen> {
  const rounds: Round[] = [];
  for (let round = 0; round < count; round++) {
    const folder = newFolder('starts');
    const place = homeIn(folder);
    try {
      rounds.push(await coldStart(place));
    } finally {
      await remove(folder, place.home);
    }
  }
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0);
  const servers = [...new Set(rounds.map((round) => round.servers))].join(' or ');
  const lost = sum((round) => round.lost);
  const leftRunning = sum((round) => Number(round.leftRunning));
  const others = rounds.flatMap((round) => round.otherOutcomes);
  for (const outcome of others) console.error(outcome);
  const isFine = servers === '1' && lost + leftRunning + others.length === 0;
  return {
    result: isFine ? 'pass' : 'FAIL',
    seen:
      `servers started in a round: ${servers}; rows acknowledged: ${sum((round) => round.acknowledged)}, ` +
      `lost: ${lost}; other outcomes: ${others.length}; servers left running: ${leftRunning}`,
    seconds: medianAndMost(rounds.map((round) => round.seconds)),
  };
}

async function coldStart(place: Place): Promise<Round> {
  const began = performance.now();
  const openings = [startServe, startMcp, startMcp, startMcp];
  const opened = await Promise.all(openings.map((open, number) => openAndWrite(open(place), number)));
  const stored = await storedNames(place.home);
  const names = opened.flatMap((one) => one.names);
  await Promise.all(opened.map(({ writer }) => writer.end()));
  const log = fs.readFileSync(path.join(place.home, 'server.log'), 'utf8');
  return {
    servers: log.match(/LOG: {2}starting PostgreSQL/g)?.length ?? 0,
    acknowledged: names.length,
    lost: names.filter((name) => !stored.has(name)).length,
    seconds: (Math.max(...opened.map((one) => one.answered)) - began) / 1000,
    leftRunning: fs.existsSync(postmasterFile(place.home)),
    otherOutcomes: opened.flatMap((one) => one.otherOutcomes),
  };
}

async function openAndWrite(opening: Promise<Writer>, number: number) {
  const writer = await opening;
  const names: string[] = [];
  const otherOutcomes: string[] = [];
  let answered = 0;
  for (let count = 0; count < writesEach; count++) {
    const name = `${number}.${count}`;
    const outcome = await writer.write(name);
    answered ||= performance.now();
    if (outcome === 'acknowledged') names.push(name);
    else otherOutcomes.push(outcome);
  }
  return { writer, names, otherOutcomes, answered };
}
