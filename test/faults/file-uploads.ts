/**
 * One project uploads files of 24 MiB (recordings: 18 MiB) in each way that takes them as base64, four at a time, while a
 * client of another project reads 50 times a second. For each way, a new server takes 16 files, has time to give memory
 * back, and then takes files for 30 s. Prints the times of the reads in these 30 s from when they were due, the longest
 * pieces of work of the server, and its resident memory. Fails if the 99th percentile of the reads exceeds 250 ms, if a
 * read fails, or if more than 150 MiB stay after the 16 files. What it prints stands in docs/measurements/file-uploads.md.
 *
 * Usage: node test/faults/file-uploads.ts [--seconds 30] [--uploads 16] [--busy-cores 0] [--settle 30] [--first 0] [--last 99]
 * `--busy-cores` is how many cores other processes keep busy, `--settle` how many seconds the server has to give memory
 * back; `--first` and `--last` choose ways by their number.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Laboratory, openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { startReplica } from '../helpers/replica-process.ts';
import { startBystander } from './bystander.ts';
import type { EventLoopSample } from './event-loop-monitor.ts';
import { openClient } from './hostile-requests.ts';
import { fileUploads, type Hostile, type Trick } from './hostile-tricks.ts';
import { watchMemory } from './resident-memory.ts';

/** Milliseconds. */
const mostP99 = 250;
/** MiB. */
const mostGrowth = 150;
const atOnce = 4;
const rate = 50;
const monitor = path.join(import.meta.dirname, 'event-loop-monitor.ts');

async function made(base: string, key: string, path: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${path} returned ${response.status}`);
  return ((await response.json()) as { id: string }).id;
}

/** Keeps cores busy with processes of their own. Returns a function that ends them. */
function keepBusy(cores: number): () => void {
  const spinners = Array.from({ length: cores }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  const end = () => {
    for (const spinner of spinners) spinner.kill('SIGKILL');
  };
  process.once('exit', end);
  return end;
}

/** A provider that transcribes every recording to the same text. */
async function startTranscriber() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.setHeader('content-type', 'application/json').end('{"text":"A recording."}');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Uploads files, `atOnce` at a time, while `goesOn` returns true for their number. Repeats each that the server has no
 * memory for.
 */
async function upload(hostile: Hostile, { once }: Trick, goesOn: (count: number) => boolean) {
  const client = openClient(atOnce);
  let [begun, repeated] = [0, 0];
  const loop = async () => {
    while (goesOn(begun)) {
      begun += 1;
      const sent = await once(client, hostile);
      if (sent?.status === 200 || sent?.status === 201) continue;
      if (sent?.status !== 500)
        throw new Error(`an upload returned ${sent?.status} ${sent?.text.slice(0, 300)}`);
      begun -= 1;
      repeated += 1;
      await pause(200);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  client.close();
  return { files: begun, repeated };
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

interface Settings {
  readonly databaseUrl: string;
  readonly laboratory: Laboratory;
  readonly modelsUrl: string;
  readonly seconds: number;
  readonly uploads: number;
  readonly settle: number;
}

/** Prints a row of the table. Returns whether the way keeps the promises. */
async function tryWay(way: Trick, settings: Settings): Promise<boolean> {
  const { databaseUrl, laboratory, modelsUrl, seconds, uploads, settle } = settings;
  const samples: EventLoopSample[] = [];
  const replica = await startReplica(
    databaseUrl,
    { OPENAI_BASE_URL: modelsUrl, OPENAI_API_KEY: 'key', NODE_OPTIONS: `--import ${monitor}` },
    (line) => {
      if (line.includes('"longestPiece"')) samples.push(JSON.parse(line) as EventLoopSample);
    },
  );
  const { base } = replica;
  const { projectId, key } = await laboratory.tenant({ plan: 'enterprise' });
  const knowledgeBaseId = await made(base, key, `/v1/projects/${projectId}/knowledge-bases`, { name: 'A' });
  const hostile = { base, projectId, secretKey: key, knowledgeBaseId } as Hostile;
  const neighbour = await laboratory.tenant();
  const flows = `/v1/projects/${neighbour.projectId}/flows`;
  const flowId = await made(base, neighbour.key, flows, { name: 'Ferries', flowSchema: {} });
  const urls = [`${base}/v1/flows/${flowId}`, base + flows];
  const bystander = startBystander({ urls, key: neighbour.key, rate });
  const memory = watchMemory(replica.pid);
  try {
    await pause(2000);
    const before = memory.now();
    await upload(hostile, way, (count) => count < uploads);
    await pause(settle * 1000);
    const growth = memory.now() - before;
    const { failures: earlierFailures } = await bystander.seen();
    memory.restart();
    samples.length = 0;
    const began = performance.now();
    const { files, repeated } = await upload(hostile, way, () => performance.now() - began < seconds * 1000);
    const { times, failures } = await bystander.seen();
    const p99 = quantile(times, 0.99);
    const most = (member: keyof EventLoopSample) => Math.max(...samples.map((sample) => sample[member]));
    const failed = earlierFailures.length + failures.length;
    const cells = [
      files,
      repeated,
      times.length,
      quantile(times, 0.5),
      p99,
      quantile(times, 1),
      failed,
      most('longestPiece'),
      most('longestPieceCpu'),
      before,
      growth,
      memory.most(),
    ].map((cell) => cell.toFixed(0));
    console.log(`| ${[way.name, ...cells].join(' | ')} |`);
    return p99 <= mostP99 && failed === 0 && growth <= mostGrowth;
  } finally {
    memory.stop();
    await bystander.close();
    await replica.kill();
  }
}

function loads(): string {
  return os
    .loadavg()
    .map((load) => load.toFixed(1))
    .join(' ');
}

await runAsScript(
  import.meta.url,
  'seconds',
  30,
  async (databaseUrl, seconds, { uploads = 0, settle = 0, first = 0, last = 0, 'busy-cores': busy = 0 }) => {
    const endBusy = keepBusy(busy);
    const transcriber = await startTranscriber();
    const laboratory = openLaboratory(databaseUrl);
    const [{ fsync }] = (await laboratory.rows<{ fsync: string }>('show fsync', {})) as [{ fsync: string }];
    console.log(`${new Date().toISOString()}, ${busy} of ${os.cpus().length} cores busy, load ${loads()}, fsync ${fsync}

| way | files | repeated | reads | p50 | p99 | longest | failed | longest piece | its CPU | MiB before | more after ${uploads} files | most |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|`);
    let holds = true;
    try {
      for (const way of fileUploads.slice(first, last + 1)) {
        const settings = { databaseUrl, laboratory, modelsUrl: transcriber.base, seconds, uploads, settle };
        if (!(await tryWay(way, settings))) holds = false;
      }
    } finally {
      endBusy();
      transcriber.close();
      await laboratory.close();
    }
    console.log(`\nload at the end ${loads()}`);
    return holds;
  },
  { uploads: 16, 'busy-cores': 0, settle: 30, first: 0, last: 99 },
);
