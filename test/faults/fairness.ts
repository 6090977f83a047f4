/**
 * One hostile project tries every trick of `hostile-tricks.ts`, each for some seconds and then all at once, while a
 * client of another project reads. Fails if the 99th percentile of its reads exceeds 250 ms, if a read fails, or if the
 * server ends. What it prints stands in docs/measurements/fairness.md.
 *
 * Usage: node test/faults/fairness.ts [--seconds 5] [--rate 50] [--first 0] [--last 99]
 * `--first` and `--last` choose tricks by their number.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type Laboratory, openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { type ReplicaProcess, startReplica } from '../helpers/replica-process.ts';
import { type Seen, startBystander } from './bystander.ts';
import { openClient } from './hostile-requests.ts';
import { type Hostile, type Trick, tricks } from './hostile-tricks.ts';
import { design as smallDesign } from './small-design.ts';

/** Milliseconds. */
const mostP99 = 250;
/** Milliseconds in which a server must respond again after a trick. */
const patience = 20_000;
const origin = 'https://www.example.com';

interface Phase {
  readonly name: string;
  readonly seen: Seen;
  /** How many responses had each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** MiB. */
  readonly resident: number;
  readonly isThere: boolean;
}

/** Sends a request of which the run depends, and returns the parsed response. */
async function need(base: string, key: string, method: string, path: string, body?: unknown) {
  const reply = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path} returned ${reply.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as { id: string; key: string };
}

/** A legal design of routes, with exits to steps all over it. */
function routes(steps: number, exits: number, spread: number) {
  const route = (step: number) => ({
    kind: 'route',
    options: Array.from({ length: exits }, (_, exit) => ({
      id: `o${exit}`,
      target: `s${(step * spread + exit * 3 + 1) % steps}`,
    })),
  });
  const { hello } = smallDesign.steps;
  const all = Array.from({ length: steps }, (_, step) => [`s${step}`, route(step)] as const);
  return { ...smallDesign, steps: { hello: { ...hello, on: { next: 's0' } }, ...Object.fromEntries(all) } };
}

function manySteps(count: number) {
  const ends = Array.from({ length: count }, (_, step) => [`s${step}`, { kind: 'end' }] as const);
  return { ...smallDesign, steps: { ...smallDesign.steps, ...Object.fromEntries(ends) } };
}

function manyQuestions(count: number) {
  const ask = (step: number) => ({
    kind: 'collect',
    prompt: '?',
    collect: [{ id: 'i', variableId: `v${step}` }],
    on: { next: step + 1 < count ? `s${step + 1}` : 'e' },
  });
  const all = Array.from({ length: count }, (_, step) => [`s${step}`, ask(step)] as const);
  const steps = { ...Object.fromEntries(all), e: { kind: 'end' } };
  const variables = Array.from({ length: count }, (_, step) => ({ id: `v${step}`, type: 'text' }));
  const hello = { ...smallDesign.steps.hello, on: { next: 's0' } };
  return { ...smallDesign, variables, steps: { hello, ...steps } };
}

async function openHostile(base: string, laboratory: Laboratory): Promise<Hostile> {
  const { projectId, key } = await laboratory.tenant({ plan: 'enterprise' });
  const post = (path: string, body: unknown) => need(base, key, 'POST', path, body);
  const project = `/v1/projects/${projectId}`;
  const flowSchema = { nodes: [{ id: 'a', text: 'a'.repeat(254_000) }] };
  const { id: flowId } = await post(`${project}/flows`, { name: 'Large', type: 'graph', flowSchema });
  for (let version = 1; version < 31; version++) await post(`/v1/flows/${flowId}/versions`, { flowSchema });
  const { id: conversationId } = await post(`${project}/conversations`, {
    name: 'Hostile',
    design: routes(95, 55, 7),
  });
  for (const design of [routes(95, 55, 5), manySteps(7000), manyQuestions(1800)])
    await post(`/v1/conversations/${conversationId}/versions`, { design });
  const { key: publishableKey } = await post(`${project}/keys`, { keyType: 'publishable' });
  const { id: webAgentId } = await post(`${project}/web-sessions/agents`, {
    name: 'Website',
    conversationId,
    scopes: ['chat'],
    allowedOrigins: [origin],
  });
  const { id: knowledgeBaseId } = await post(`${project}/knowledge-bases`, { name: 'Hostile' });
  return {
    base,
    projectId,
    secretKey: key,
    publishableKey,
    origin,
    webAgentId,
    flowId,
    conversationId,
    knowledgeBaseId,
  };
}

/** The reads of the other project: a flow, a list and a design. */
async function openReads(base: string, laboratory: Laboratory): Promise<{ urls: string[]; key: string }> {
  const { projectId, key } = await laboratory.tenant();
  const project = `${base}/v1/projects/${projectId}`;
  const { id: flowId } = await need(base, key, 'POST', `/v1/projects/${projectId}/flows`, {
    name: 'Ferries',
    flowSchema: {},
  });
  const { id } = await need(base, key, 'POST', `/v1/projects/${projectId}/conversations`, {
    name: 'Ferries',
    design: smallDesign,
  });
  return {
    key,
    urls: [
      `${base}/v1/flows/${flowId}`,
      `${project}/flows`,
      `${base}/v1/conversations/${id}/versions/1/design`,
    ],
  };
}

/** Repeats tricks for some seconds, and counts the statuses of the responses. */
async function play(
  played: readonly Trick[],
  hostile: Hostile,
  seconds: number,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const end = performance.now() + seconds * 1000;
  const stop = new AbortController();
  const clients = played.map(({ clients: count, once }) => {
    const client = openClient(count);
    const loop = async () => {
      while (!stop.signal.aborted && performance.now() < end) {
        const sent = await once(client, hostile);
        if (sent) statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1);
        // A server that is gone refuses at once.
        if (sent?.status === 0) await pause(20);
      }
    };
    return { client, loops: Array.from({ length: count }, loop) };
  });
  const ended = Promise.all(clients.flatMap(({ loops }) => loops));
  await pause(seconds * 1000);
  stop.abort();
  for (const { client } of clients) client.close();
  await ended;
  return statuses;
}

/** Waits until the server responds in time again. Returns false if it does not. */
async function recovered(url: string, key: string): Promise<boolean> {
  for (const began = performance.now(); performance.now() - began < patience; await pause(50)) {
    const sent = performance.now();
    const headers = { authorization: `Bearer ${key}` };
    const reply = await fetch(url, { headers, signal: AbortSignal.timeout(patience) }).catch(() => undefined);
    if (reply?.status === 200 && performance.now() - sent < mostP99) return true;
  }
  return false;
}

function residentMebibytes({ pid }: ReplicaProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
  } catch {
    // The server has ended.
    return Number.NaN;
  }
}

async function runPhases(
  databaseUrl: string,
  phases: readonly (readonly [name: string, played: readonly Trick[]])[],
  { seconds = 0, rate = 0 }: Readonly<Record<string, number>>,
): Promise<Phase[]> {
  const laboratory = openLaboratory(databaseUrl);
  const results: Phase[] = [];
  let left = phases;
  try {
    // A server that ends is started again for the next trick.
    while (left.length > 0) {
      const replica = await startReplica(databaseUrl, { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
      const hostile = await openHostile(replica.base, laboratory);
      const { urls, key } = await openReads(replica.base, laboratory);
      const [first = ''] = urls;
      const bystander = startBystander({ urls, key, rate });
      await pause(1000);
      let isThere = true;
      try {
        for (const [name, played] of left) {
          await bystander.seen();
          const statuses = await play(played, hostile, seconds);
          const resident = residentMebibytes(replica);
          isThere = await recovered(first, key);
          const phase = { name, statuses, resident, isThere, seen: await bystander.seen() };
          results.push(phase);
          left = left.slice(1);
          console.log(rowOf(phase));
          if (!isThere) break;
        }
      } finally {
        await bystander.close();
        await replica.kill();
      }
    }
  } finally {
    await laboratory.close();
  }
  return results;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function rowOf({ name, seen: { times, failures }, statuses, resident, isThere }: Phase): string {
  const counts = [...statuses].map(([status, count]) => `${status || 'cut'}: ${count}`).join(', ');
  const failed = failures.length > 0 ? `${failures.length} (${[...new Set(failures)].join(', ')})` : '0';
  const cells = [
    name,
    times.length,
    ...[0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(0)),
    isThere ? failed : `${failed}, the server is gone`,
    counts,
    resident.toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

await runAsScript(
  import.meta.url,
  'seconds',
  5,
  async (databaseUrl, _, numbers) => {
    const { first = 0, last = 0 } = numbers;
    const chosen = tricks.filter((__, index) => index >= first && index <= last);
    const few = chosen.map((trick) => ({ ...trick, clients: Math.ceil(trick.clients / 10) }));
    const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
      encoding: 'utf8',
    });
    console.log(`${new Date().toISOString()}, commit ${commit.trim()}, ${os.cpus().length} cores

| trick | reads | p50 | p99 | longest | failed | responses to the hostile project | resident |
|---|--:|--:|--:|--:|---|---|--:|`);
    const phases = await runPhases(
      databaseUrl,
      [
        ['none', []],
        ...chosen.map((trick) => [trick.name, [trick]] as const),
        ['all at once, with a tenth of their clients', few],
      ],
      numbers,
    );
    return phases.every(
      ({ seen: { times, failures }, isThere }) =>
        isThere && failures.length === 0 && times.length > 0 && quantile(times, 0.99) <= mostP99,
    );
  },
  { rate: 50, first: 0, last: 99 },
);
