/**
 * Restarts two replicas behind HAProxy one after the other, under reads, writes and streams, and counts what fails. Then
 * stops a replica under keep-alive connections of its own.
 *
 * Usage: node test/faults/rolling-restarts.ts [--restarts 20]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../../src/platform/errors.ts';
import { findProgram } from '../helpers/find-program.ts';
import { openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { chats, words } from '../helpers/openai-wire.ts';
import { freePort, type ReplicaProcess, startReplica } from '../helpers/replica-process.ts';
import { openUpstream } from '../helpers/upstream.ts';
import type { Tenant } from '../helpers/world.ts';

const readers = 32;
const writers = 16;
const streams = 8;
/** Clients of the replica that stops without a load balancer. */
const directClients = 64;
/** Milliseconds between two requests of a client. */
const pause = 20;
/** Milliseconds from one piece of a stream to the next. A stream has 20. */
const pace = 100;
/** Seconds. */
const grace = 3;

/** What the clients of one kind have seen. */
interface Seen {
  responses: number;
  /** By what was seen instead of a response: a status, or the code of an error. */
  readonly failures: Map<string, number>;
}

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

/** Sends a request and returns its text. Throws the status as an error if it is not 2xx. */
function send(base: string, key: string, agent: Agent, { method, path: url, body }: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const outgoing = request(base + url, { method, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode = 0 } = response;
        if (statusCode >= 200 && statusCode < 300) resolve(text);
        else reject(Object.assign(new Error(text), { code: String(statusCode) }));
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Repeats a call until the signal is aborted. */
async function repeat(seen: Seen, signal: AbortSignal, call: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await call();
      seen.responses += 1;
    } catch (error) {
      const failure = codeOf(error) || String(error);
      seen.failures.set(failure, (seen.failures.get(failure) ?? 0) + 1);
    }
    await delay(pause);
  }
}

/** Starts clients with keep-alive connections. Returns what they see, and a promise of their end. */
function startClients(count: number, signal: AbortSignal, call: (agent: Agent) => Promise<void>) {
  const seen: Seen = { responses: 0, failures: new Map() };
  const ended = Promise.all(
    Array.from({ length: count }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      await repeat(seen, signal, () => call(agent));
      agent.destroy();
    }),
  );
  return { seen, ended };
}

/** A place for a replica: HAProxy knows its ports. */
interface Place {
  readonly port: number;
  readonly opsPort: number;
}

async function startHaproxy(program: string, places: readonly Place[]) {
  const [port, statisticsPort] = [await freePort(), await freePort()];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-haproxy-'));
  const file = path.join(folder, 'haproxy.cfg');
  const servers = places.map(
    (place, index) =>
      `  server replica${index} 127.0.0.1:${place.port} check port ${place.opsPort} inter 500ms fall 2 rise 1`,
  );
  // It never sends a request again that a replica may have received.
  const lines = [
    'defaults',
    '  mode http',
    '  timeout connect 2s',
    '  timeout client 60s',
    '  timeout server 60s',
    // A busy machine may take long to respond to a check.
    '  timeout check 2s',
    '  option redispatch 1',
    '  retry-on conn-failure',
    'frontend clients',
    `  bind 127.0.0.1:${port}`,
    '  default_backend replicas',
    'frontend statistics',
    `  bind 127.0.0.1:${statisticsPort}`,
    '  stats enable',
    '  stats uri /',
    'backend replicas',
    '  option httpchk GET /readyz',
    ...servers,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const child = spawn(program, ['-db', '-f', file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  return {
    base: `http://127.0.0.1:${port}`,
    /** Waits until HAProxy sends requests to every replica. */
    async untilAllUp() {
      for (;;) {
        if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}`);
        // HAProxy may not listen yet.
        const reply = await fetch(`http://127.0.0.1:${statisticsPort}/;csv`).catch(() => undefined);
        const rows = ((await reply?.text()) ?? '')
          .split('\n')
          .filter((line) => line.startsWith('replicas,replica'));
        if (rows.length === places.length && rows.every((row) => row.includes(',UP,'))) return;
        await delay(50);
      }
    },
    async close() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function lineOf(name: string, { responses, failures }: Seen): string {
  const failed = [...failures].map(([failure, count]) => `${failure}: ${count}`).join(', ');
  const count = [...failures.values()].reduce((sum, number) => sum + number, 0);
  return `| ${name} | ${responses} | ${count}${failed && ` (${failed})`} |`;
}

const chat = { model: 'slow', stream: true, messages: [{ role: 'user', content: 'Hello' }] };

/** Calls that clients repeat over an agent. */
function callsOf(base: string, { projectId, key }: Tenant) {
  return {
    async read(agent: Agent) {
      await send(base, key, agent, { method: 'GET', path: `/v1/projects/${projectId}` });
    },
    async write(agent: Agent) {
      const body = { name: 'Flow', flowSchema: {} };
      await send(base, key, agent, { method: 'POST', path: `/v1/projects/${projectId}/flows`, body });
    },
    async stream(agent: Agent) {
      const text = await send(base, key, agent, { method: 'POST', path: '/v1/chat/completions', body: chat });
      if (!text.endsWith('data: [DONE]\n\n')) throw Object.assign(new Error('cut'), { code: 'cut' });
    },
  };
}

/** Prints a table, and returns false if anything failed. */
async function tryRestarts(databaseUrl: string, program: string, restarts: number): Promise<boolean> {
  const upstream = await openUpstream({ otherwise: chats({ pieces: words(20), pace }) });
  const places: Place[] = [];
  for (let index = 0; index < 2; index++) places.push({ port: await freePort(), opsPort: await freePort() });
  const start = ({ port, opsPort }: Place) =>
    startReplica(databaseUrl, {
      PORT: String(port),
      PARLEY_OPS_PORT: String(opsPort),
      PARLEY_GRACE_SECONDS: String(grace),
      OPENAI_BASE_URL: upstream.baseUrl,
    });
  const replicas: ReplicaProcess[] = [];
  for (const place of places) replicas.push(await start(place));
  const laboratory = openLaboratory(databaseUrl);
  const haproxy = await startHaproxy(program, places);
  try {
    await haproxy.untilAllUp();
    const tenant = await laboratory.tenant({ plan: 'enterprise' });
    const calls = callsOf(haproxy.base, tenant);
    const stop = new AbortController();
    const reads = startClients(readers, stop.signal, calls.read);
    const writes = startClients(writers, stop.signal, calls.write);
    const streamed = startClients(streams, stop.signal, calls.stream);
    const codes: (number | null | undefined)[] = [];
    for (let index = 0; index < restarts; index++) {
      const [place, at] = [places[index % 2] as Place, index % 2];
      codes.push(await replicas[at]?.stop());
      replicas[at] = await start(place);
      await haproxy.untilAllUp();
    }
    stop.abort();
    await Promise.all([reads.ended, writes.ended, streamed.ended]);
    const [stored] = await laboratory.rows<{ count: string }>(
      'select count(*) from flows where project_id = :projectId',
      { projectId: tenant.projectId },
    );
    const direct = await stopUnderLoad(replicas[0] as ReplicaProcess, tenant);
    const clean = codes.filter((code) => code === 0).length;
    console.log(`Restarts: ${restarts}, of which ${clean} ended with exit status 0.\n`);
    console.log('| clients | responses | failures |\n| --- | --- | --- |');
    console.log(lineOf(`${readers} that send GET`, reads.seen));
    console.log(lineOf(`${writers} that send POST`, writes.seen));
    console.log(lineOf(`${streams} that read streams of 2 s`, streamed.seen));
    console.log(lineOf(`${directClients} without HAProxy, until the port closes`, direct));
    console.log(`\nFlows acknowledged: ${writes.seen.responses}, stored: ${stored?.count}.`);
    // Without a load balancer, the kernel may reset connections that arrive as the port closes.
    const all = [reads.seen, writes.seen, streamed.seen];
    return clean === restarts && all.every(({ failures }) => failures.size === 0);
  } finally {
    await haproxy.close();
    await Promise.all(replicas.map((replica) => replica.kill()));
    await laboratory.close();
    upstream.close();
  }
}

/** Stops a replica under clients of its own. A refused connection is not a failure: the port has closed. */
async function stopUnderLoad(replica: ReplicaProcess, tenant: Tenant): Promise<Seen> {
  const stop = new AbortController();
  const { read } = callsOf(replica.base, tenant);
  const { seen, ended } = startClients(directClients, stop.signal, read);
  await delay(1_000);
  await replica.stop();
  stop.abort();
  await ended;
  seen.failures.delete('ECONNREFUSED');
  return seen;
}

await runAsScript(import.meta.url, 'restarts', 20, async (databaseUrl, restarts) => {
  const program = findProgram(['haproxy'], ['/usr/sbin']);
  if (program !== undefined) return tryRestarts(databaseUrl, program, restarts);
  console.log('Skipped: HAProxy is not installed (apt-get install haproxy).');
  return true;
});
