// Loads a server with reads, writes, edits, drawings, proofs and MCP, and shows what holds its memory over time.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HeapSample } from './heap-monitor.ts';
import { openLaboratory, runAsScript } from './laboratory.ts';
import { openClients } from './mixed-calls.ts';
import { type ReplicaProcess, startReplica } from './replica-process.ts';

const root = path.resolve(import.meta.dirname, '../..');
const monitor = path.join(import.meta.dirname, 'heap-monitor.ts');
const mebibyte = 1024 * 1024;
/** Rows of the table, at most. */
const mostRows = 24;
/** MiB of resident memory that the server may take under this load. */
const mostResident = 400;
/** MiB by which the heap in use may differ after two equal loads. The bytecode of rare paths is part of it. */
const mostGrowth = 8;

/** A row of the table. */
interface Row {
  readonly seconds: number;
  readonly calls: number;
  /** MiB, of which `anonymous` is not mapped from a file. */
  readonly resident: number;
  readonly anonymous: number;
  readonly sample: HeapSample;
}

interface MixedLoadReport {
  readonly rows: readonly Row[];
  readonly mostResident: number;
  /** MiB of the heap in use, without garbage, after each half of the load. */
  readonly inUse: readonly number[];
  readonly callsPerSecond: number;
  /** Milliseconds of CPU. */
  readonly cpuPerCall: number;
}

/** Two loads of `seconds / 2` seconds on a new server. Each begins and ends with a collection of all garbage. */
async function runMixedLoad(databaseUrl: string, seconds: number, count: number): Promise<MixedLoadReport> {
  const samples: HeapSample[] = [];
  const arrivals = new EventTarget();
  const replica = await startReplica(databaseUrl, { NODE_OPTIONS: `--import ${monitor}` }, (line) => {
    if (!line.startsWith('{')) return;
    samples.push(JSON.parse(line) as HeapSample);
    arrivals.dispatchEvent(new Event('sample'));
  });
  const laboratory = openLaboratory(databaseUrl);
  try {
    const clients = await openClients(replica.base, laboratory, count);
    const began = performance.now();
    const rows: Row[] = [];
    const look = async (): Promise<Row> => {
      if (samples.length === 0) await once(arrivals, 'sample');
      const calls = clients.reduce((sum, client) => sum + client.calls, 0);
      const memory = residentMebibytes(replica);
      const sample = samples.at(-1) as HeapSample;
      return { seconds: (performance.now() - began) / 1000, calls, ...memory, sample };
    };
    const collected = async (): Promise<Row> => {
      process.kill(replica.pid, 'SIGUSR2');
      do await once(arrivals, 'sample');
      while (samples.at(-1)?.collected !== true);
      return look();
    };
    const first = await look();
    rows.push(first);
    const inUse: number[] = [];
    for (const half of [1, 2]) {
      const end = performance.now() + seconds * 500;
      const loads = Promise.all(
        clients.map(async ({ round }) => {
          while (performance.now() < end) await round();
        }),
      );
      const stop = new AbortController();
      void loads.finally(() => stop.abort()).catch(() => undefined);
      while (!stop.signal.aborted) {
        await pause(1000, undefined, { signal: stop.signal }).catch(() => undefined);
        rows.push(await look());
      }
      await loads;
      rows.push(await collected());
      inUse.push((samples.at(-1)?.heapUsed ?? Number.NaN) / mebibyte);
      if (half === 1) await pause(1000);
    }
    for (const client of clients) client.close();
    const last = rows.at(-1) ?? first;
    const calls = last.calls - first.calls;
    return {
      rows,
      mostResident: Math.max(...rows.map(({ resident }) => resident)),
      inUse,
      callsPerSecond: calls / (last.seconds - first.seconds),
      cpuPerCall: (last.sample.cpu - first.sample.cpu) / calls,
    };
  } finally {
    await laboratory.close();
    await replica.kill();
  }
}

function residentMebibytes({ pid }: ReplicaProcess): { resident: number; anonymous: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { resident: read('VmRSS'), anonymous: read('RssAnon') };
}

const columns: readonly [title: string, value: (row: Row) => number | string][] = [
  ['s', ({ seconds }) => seconds],
  ['calls', ({ calls }) => calls],
  ['resident', ({ resident }) => resident],
  ['of files', ({ resident, anonymous }) => resident - anonymous],
  ['heap in use', ({ sample }) => sample.heapUsed / mebibyte],
  ['heap', ({ sample }) => sample.heapTotal / mebibyte],
  ['young', ({ sample }) => sample.youngTotal / mebibyte],
  ['external', ({ sample }) => sample.external / mebibyte],
  ['heap of threads', ({ sample }) => sample.threads.heapTotal / mebibyte],
  ['external of threads', ({ sample }) => sample.threads.external / mebibyte],
  ['minor, ms', ({ sample }) => sample.minor.time],
  ['major, ms', ({ sample }) => sample.major.time],
  ['', ({ sample }) => (sample.collected ? 'collected' : '')],
];

function tableOf(rows: readonly Row[]): string {
  const step = Math.ceil(rows.length / mostRows);
  const shown = rows.filter(({ sample }, index) => index % step === 0 || sample.collected);
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
  async (databaseUrl, seconds, { clients = 0 }) => {
    const report = await runMixedLoad(databaseUrl, seconds, clients);
    const [first = Number.NaN, second = Number.NaN] = report.inUse;
    const text = `# Memory of the server under mixed load: ${clients} clients, ${seconds} s

${new Date().toISOString()}, commit ${commit()}, ${os.cpus().length} cores

- resident at most: ${report.mostResident.toFixed(0)} MiB (limit ${mostResident})
- heap in use after each half, without garbage: ${first.toFixed(1)} and ${second.toFixed(1)} MiB (limit: ${mostGrowth} MiB more)
- ${report.callsPerSecond.toFixed(0)} calls/s, ${report.cpuPerCall.toFixed(2)} ms of CPU in the server per call

MiB unless the title says otherwise. "External" is memory outside the heap that belongs to objects in it.

${tableOf(report.rows)}
`;
    console.log(text);
    return report.mostResident <= mostResident && second - first <= mostGrowth;
  },
  { clients: 8 },
);
