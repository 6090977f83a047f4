/**
 * Loads a server with reads, writes, edits, proofs, MCP, chats, searches, drawings and uploads, and shows what holds its
 * memory over time. Fails if the server takes more than its bounds, or if the heap in use grows from the first half of the
 * load to the second. What it prints stands in docs/measurements/memory.md.
 *
 * Usage: node test/faults/mixed-load.ts [--seconds 40] [--clients 8] [--bundle 0]
 * `--bundle 1` builds the bundle and loads that instead of the sources.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startProgram } from '../../bench/program.ts';
import { type Laboratory, openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { type ReplicaProcess, startReplica } from '../helpers/replica-process.ts';
import type { HeapSample } from './heap-monitor.ts';
import { type MixedClient, openClients } from './mixed-calls.ts';

const root = path.resolve(import.meta.dirname, '../..');
const monitor = path.join(import.meta.dirname, 'heap-monitor.ts');
const mebibyte = 1024 * 1024;
/** Rows of the table, at most. */
const mostRows = 24;
/** MiB of resident memory that the server may take under this load, and before it. */
const [mostResident, mostAtStart] = [340, 150];
/** MiB by which the heap in use may differ after two equal loads. The bytecode of rare paths is part of it. */
const mostGrowth = 8;
/** Milliseconds in which the memory of a new server must stay the same. V8 gives memory back some 8 s late. */
const quietTime = 12_000;

/** MiB. `files` is mapped from files, above all the program of Node.js. */
interface Resident {
  readonly resident: number;
  readonly files: number;
  /** The most since the start of the process. */
  readonly most: number;
}

/** A row of the table. */
interface Row extends Resident {
  readonly seconds: number;
  readonly calls: number;
  readonly sample: HeapSample;
}

interface MixedLoadReport {
  readonly atStart: Resident;
  readonly rows: readonly Row[];
  /** MiB. */
  readonly mostResident: number;
  /** After each half of the load, without garbage. */
  readonly collected: readonly Row[];
  readonly callsPerSecond: number;
  /** Milliseconds of CPU. */
  readonly cpuPerCall: number;
}

/** The server to load. */
interface Subject {
  readonly databaseUrl: string;
  /** The folder of its `bin`. */
  readonly tree: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Starts a server without the monitor, which takes memory itself. Resolves when its memory no longer changes. A server
 * before it migrates the database and fills the compile cache.
 */
async function memoryAtStart({ databaseUrl, tree, environment }: Subject): Promise<Resident> {
  const first = await startReplica(databaseUrl, environment, undefined, tree);
  await first.stop();
  const replica = await startReplica(databaseUrl, environment, undefined, tree);
  try {
    let last = residentMemory(replica);
    for (let since = performance.now(); performance.now() - since < quietTime; ) {
      await pause(100);
      const now = residentMemory(replica);
      if (Math.abs(now.resident - last.resident) < 1) continue;
      last = now;
      since = performance.now();
    }
    return last;
  } finally {
    await replica.kill();
  }
}

/** Two loads of `seconds / 2` seconds on a new server. Each ends with a collection of all garbage. */
async function runMixedLoad(subject: Subject, laboratory: Laboratory, seconds: number, count: number) {
  const atStart = await memoryAtStart(subject);
  const { databaseUrl, tree } = subject;
  const observed = observeHeap();
  const environment = { ...subject.environment, NODE_OPTIONS: `--import ${plainMonitor()}` };
  const replica = await startReplica(databaseUrl, environment, observed.onLine, tree);
  try {
    const clients = await openClients(replica.base, laboratory, count);
    const began = performance.now();
    const rowOf = (sample: HeapSample): Row => ({
      seconds: (performance.now() - began) / 1000,
      calls: clients.reduce((sum, client) => sum + client.calls, 0),
      ...residentMemory(replica),
      sample,
    });
    const rows = [rowOf(await observed.next())];
    const collected: Row[] = [];
    for (let half = 1; half <= 2; half++) {
      const load = keepBusy(clients, seconds * 500);
      while (!load.hasEnded()) rows.push(rowOf(await observed.next()));
      await load.ended;
      process.kill(replica.pid, 'SIGUSR2');
      const row = rowOf(await observed.next(({ collected: isCollected }) => isCollected));
      rows.push(row);
      collected.push(row);
    }
    for (const client of clients) client.close();
    const [first, last] = [rows[0] as Row, rows.at(-1) as Row];
    const calls = last.calls - first.calls;
    const report: MixedLoadReport = {
      atStart,
      rows,
      mostResident: last.most,
      collected,
      callsPerSecond: calls / (last.seconds - first.seconds),
      cpuPerCall: (last.sample.cpu - first.sample.cpu) / calls,
    };
    return report;
  } finally {
    await replica.kill();
  }
}

/** Lets each client make its rounds until so many milliseconds have passed. */
function keepBusy(clients: readonly MixedClient[], milliseconds: number) {
  const end = performance.now() + milliseconds;
  let hasEnded = false;
  const ended = Promise.all(
    clients.map(async ({ round }) => {
      while (performance.now() < end) await round();
    }),
  ).finally(() => {
    hasEnded = true;
  });
  // The caller sees the failure when it waits for `ended`.
  ended.catch(() => undefined);
  return { ended, hasEnded: () => hasEnded };
}

/** Takes the lines of a monitor. */
function observeHeap() {
  const arrivals = new EventTarget();
  return {
    onLine(line: string) {
      if (!line.startsWith('{"collected"')) return;
      arrivals.dispatchEvent(new CustomEvent('sample', { detail: JSON.parse(line) as HeapSample }));
    },
    /** Resolves with the next sample that is wanted. */
    next: (isWanted: (sample: HeapSample) => boolean = () => true) =>
      new Promise<HeapSample>((resolve) => {
        const look = (event: Event) => {
          const { detail } = event as CustomEvent<HeapSample>;
          if (!isWanted(detail)) return;
          arrivals.removeEventListener('sample', look);
          resolve(detail);
        };
        arrivals.addEventListener('sample', look);
      }),
  };
}

function residentMemory({ pid }: ReplicaProcess): Resident {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { resident: read('VmRSS'), files: read('RssFile'), most: read('VmHWM') };
}

/** Returns a folder that goes with this process. */
function openFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-mixed-load-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes the monitor as JavaScript. As TypeScript, it would add 30 MiB to a bundle that needs none of it otherwise. */
function plainMonitor(): string {
  const file = path.join(openFolder(), 'heap-monitor.mjs');
  writeFileSync(file, stripTypeScriptTypes(readFileSync(monitor, 'utf8')));
  return file;
}

/** Builds the bundle into a folder of its own, as a package has it. */
function buildBundle(): string {
  const folder = openFolder();
  for (const name of ['bin', 'package.json'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  const build = path.join(root, 'scripts/bundle/build.ts');
  execFileSync(process.execPath, [build, '--out', path.join(folder, 'dist')], { stdio: 'ignore' });
  return folder;
}

/** MiB of the parts of the memory of a server. */
function partsOf({ resident, files, sample }: Row) {
  const { heapUsed, heapTotal, youngTotal, external, threads } = sample;
  const known = heapTotal + external + threads.heapTotal + threads.external;
  return {
    files,
    young: youngTotal / mebibyte,
    // The young generation is part of both.
    old: (heapTotal - youngTotal) / mebibyte,
    inUse: heapUsed / mebibyte,
    external: external / mebibyte,
    threadHeap: threads.heapTotal / mebibyte,
    threadExternal: threads.external / mebibyte,
    rest: resident - files - known / mebibyte,
  };
}

const columns: readonly [title: string, value: (row: Row) => number | string][] = [
  ['s', ({ seconds }) => seconds],
  ['calls', ({ calls }) => calls],
  ['resident', ({ resident }) => resident],
  ['files', (row) => partsOf(row).files],
  ['young', (row) => partsOf(row).young],
  ['old', (row) => partsOf(row).old],
  ['external', (row) => partsOf(row).external],
  ['heap of threads', (row) => partsOf(row).threadHeap],
  ['external of threads', (row) => partsOf(row).threadExternal],
  ['rest', (row) => partsOf(row).rest],
  ['heap in use', (row) => partsOf(row).inUse],
  ['minor, ms', ({ sample }) => sample.minor.time],
  ['major, ms', ({ sample }) => sample.major.time],
  ['', ({ sample }) => (sample.collected ? 'collected' : '')],
];

function tableOf(rows: readonly Row[]): string {
  const step = Math.ceil(rows.length / mostRows);
  const highest = Math.max(...rows.map(({ resident }) => resident));
  const shown = rows.filter(
    ({ sample, resident }, index) => index % step === 0 || sample.collected || resident === highest,
  );
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const cell = (value: number | string) => (typeof value === 'number' ? value.toFixed(0) : value);
  return [
    line(columns.map(([title]) => title)),
    line(columns.map(() => '---:')),
    ...shown.map((row) => line(columns.map(([, value]) => cell(value(row))))),
  ].join('\n');
}

function commit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
}

await runAsScript(
  import.meta.url,
  'seconds',
  40,
  async (databaseUrl, seconds, { clients = 0, bundle = 0 }) => {
    const tree = bundle === 0 ? root : buildBundle();
    const upstream = await startProgram(path.join(root, 'bench/baselines/model-upstream.ts'), () => [], {});
    const environment = {
      OPENAI_BASE_URL: `${upstream.base}/v1`,
      OPENAI_API_KEY: 'key',
      PARLEY_RATE_LIMIT_SESSION: 'off',
    };
    const laboratory = openLaboratory(databaseUrl);
    try {
      const report = await runMixedLoad({ databaseUrl, tree, environment }, laboratory, seconds, clients);
      const { atStart } = report;
      const [first = Number.NaN, second = Number.NaN] = report.collected.map((row) => partsOf(row).inUse);
      const resident = report.collected.map((row) => row.resident.toFixed(0));
      console.log(`# Memory of the server under mixed load: ${clients} clients, ${seconds} s, from ${bundle === 0 ? 'sources' : 'the bundle'}

${new Date().toISOString()}, commit ${commit()}, ${os.cpus().length} cores

- resident before the load: ${atStart.resident.toFixed(0)} MiB, ${atStart.files.toFixed(0)} of it mapped from files (limit ${mostAtStart})
- resident at most: ${report.mostResident.toFixed(0)} MiB (limit ${mostResident})
- heap in use after each half, without garbage: ${first.toFixed(1)} and ${second.toFixed(1)} MiB (limit: ${mostGrowth} MiB more); ${resident.join(' and ')} MiB resident
- ${report.callsPerSecond.toFixed(0)} calls/s, ${report.cpuPerCall.toFixed(2)} ms of CPU in the server per call

MiB unless the title says otherwise. "External" is memory outside the heap that belongs to objects in it. "Rest" is code,
stacks, and what malloc holds or has not given back.

${tableOf(report.rows)}
`);
      return (
        atStart.resident <= mostAtStart && report.mostResident <= mostResident && second - first <= mostGrowth
      );
    } finally {
      await laboratory.close();
      await upstream.close();
    }
  },
  { clients: 8, bundle: 0 },
);
