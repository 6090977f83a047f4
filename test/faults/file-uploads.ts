/**
 * One project uploads files of 24 MiB in each way that takes them as base64, four at a time, while a client of another
 * project reads. Prints the times of the reads, and the resident memory of the server before, during and 30 s after. Fails
 * if the 99th percentile of the reads exceeds 250 ms, if a read fails, or if more than 150 MiB stay.
 *
 * Usage: node test/faults/file-uploads.ts [--uploads 16] [--busy 0] [--settle 30]
 * `--busy` is how many cores something else uses, and `--settle` how many seconds the server has to give memory back.
 */
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { startBystander } from './bystander.ts';
import { openClient } from './hostile-requests.ts';
import { fileUploads, type Hostile } from './hostile-tricks.ts';
import { openLaboratory, runAsScript } from './laboratory.ts';
import { startReplica } from './replica-process.ts';
import { watchMemory } from './resident-memory.ts';

/** Milliseconds. */
const mostP99 = 250;
/** MiB. */
const mostGrowth = 150;
const atOnce = 4;

async function made(base: string, key: string, path: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${path} returned ${response.status}`);
  return ((await response.json()) as { id: string }).id;
}

/** Uploads `count` files, `atOnce` at a time, and repeats each that the server has no memory for. */
async function upload(
  hostile: Pick<Hostile, 'base' | 'secretKey' | 'knowledgeBaseId'>,
  once: (typeof fileUploads)[number]['once'],
  count: number,
): Promise<number> {
  const client = openClient(atOnce);
  let [left, repeated] = [count, 0];
  const loop = async () => {
    while (left > 0) {
      left -= 1;
      const sent = await once(client, hostile as Hostile);
      if (sent?.status === 200 || sent?.status === 201) continue;
      if (sent?.status !== 500)
        throw new Error(`an upload returned ${sent?.status} ${sent?.text.slice(0, 300)}`);
      left += 1;
      repeated += 1;
      await pause(200);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  client.close();
  return repeated;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

await runAsScript(
  import.meta.url,
  'uploads',
  16,
  async (databaseUrl, uploads, { busy = 0, settle = 0 }) => {
    const spinners = Array.from({ length: busy }, () => new Worker('for (;;);', { eval: true }));
    const laboratory = openLaboratory(databaseUrl);
    const loads = () =>
      os
        .loadavg()
        .map((load) => load.toFixed(1))
        .join(' ');
    console.log(`${new Date().toISOString()}, ${busy} busy cores of ${os.cpus().length}, load ${loads()}

| way | reads | p50 | p99 | longest | failed | repeated | seconds | MiB before | most | after |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|`);
    let holds = true;
    try {
      for (const { name, once } of fileUploads) {
        const replica = await startReplica(databaseUrl);
        const { projectId, key } = await laboratory.tenant({ plan: 'enterprise' });
        const knowledgeBaseId = await made(replica.base, key, `/v1/projects/${projectId}/knowledge-bases`, {
          name: 'A',
        });
        const neighbour = await laboratory.tenant();
        const flows = `/v1/projects/${neighbour.projectId}/flows`;
        const flowId = await made(replica.base, neighbour.key, flows, { name: 'Ferries', flowSchema: {} });
        const urls = [`${replica.base}/v1/flows/${flowId}`, replica.base + flows];
        const bystander = startBystander({ urls, key: neighbour.key, rate: 50 });
        await pause(2000);
        await bystander.seen();
        const memory = watchMemory(replica.pid);
        const before = memory.now();
        const began = performance.now();
        const repeated = await upload({ base: replica.base, secretKey: key, knowledgeBaseId }, once, uploads);
        const seconds = (performance.now() - began) / 1000;
        const { times, failures } = await bystander.seen();
        await pause(settle * 1000);
        const after = memory.now();
        memory.stop();
        const p99 = quantile(times, 0.99);
        const milliseconds = [quantile(times, 0.5), p99, quantile(times, 1)].map((time) => time.toFixed(0));
        const mebibytes = [before, memory.most(), after].map((amount) => amount.toFixed(0));
        const counts = [failures.length, repeated, seconds.toFixed(1)];
        const cells = [name, times.length, ...milliseconds, ...counts, ...mebibytes];
        console.log(`| ${cells.join(' | ')} |`);
        holds &&= p99 <= mostP99 && failures.length === 0 && after - before <= mostGrowth;
        await bystander.close();
        await replica.kill();
      }
    } finally {
      await Promise.all(spinners.map((spinner) => spinner.terminate()));
      await laboratory.close();
    }
    console.log(`\nload at the end ${loads()}`);
    return holds;
  },
  { busy: 0, settle: 30 },
);
