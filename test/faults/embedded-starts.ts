import fs from 'node:fs';
import path from 'node:path';
import { newFolder, remove, startMcp, startServe, type Writer } from './embedded-process.ts';
import { storedNames } from './embedded-rows.ts';

/** Flows that each process writes in a round. */
const writesEach = 5;

/** What the rounds saw. */
export interface StartReport {
  readonly rounds: number;
  /** Servers that were started, the most in a round. */
  readonly mostServers: number;
  readonly acknowledged: number;
  readonly lost: number;
  /** From the start of four processes to the first answer of the last one, of each round. */
  readonly seconds: number[];
  /** Rounds after whose end a server still ran. */
  readonly leftRunning: number;
  readonly otherOutcomes: string[];
}

/** Starts a server and three MCP processes at once on a home that is not there yet; each writes, and all leave. */
export async function tryColdStarts(root: string, rounds: number): Promise<StartReport> {
  const report = { acknowledged: 0, lost: 0, mostServers: 0, leftRunning: 0 };
  const seconds: number[] = [];
  const otherOutcomes: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const folder = newFolder('starts');
    const place = { root, home: path.join(folder, 'home') };
    try {
      const began = performance.now();
      const start = async (open: () => Promise<Writer>, number: number) => {
        const writer = await open();
        const names: string[] = [];
        for (let count = 0; count < writesEach; count++) {
          const name = `${number}.${count}`;
          const outcome = await writer.write(name);
          if (count === 0) seconds[round] = Math.max(seconds[round] ?? 0, (performance.now() - began) / 1000);
          if (outcome === 'acknowledged') names.push(name);
          else otherOutcomes.push(outcome);
        }
        return { writer, names };
      };
      const opened = await Promise.all([
        start(() => startServe(place), 0),
        start(() => startMcp(place), 1),
        start(() => startMcp(place), 2),
        start(() => startMcp(place), 3),
      ]);
      const names = opened.flatMap((one) => one.names);
      const stored = await storedNames(place.home);
      report.acknowledged += names.length;
      report.lost += names.filter((name) => !stored.has(name)).length;
      await Promise.all(opened.map(({ writer }) => writer.end()));
      const log = fs.readFileSync(path.join(place.home, 'server.log'), 'utf8');
      report.mostServers = Math.max(
        report.mostServers,
        log.match(/LOG: {2}starting PostgreSQL/g)?.length ?? 0,
      );
      if (fs.existsSync(path.join(place.home, 'postgres/postmaster.pid'))) report.leftRunning += 1;
    } finally {
      await remove(folder, place.home);
    }
  }
  return { rounds, ...report, seconds, otherOutcomes };
}
