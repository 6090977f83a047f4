/**
 * Attacks a new server through its sockets, one attack after another, while a client of another project reads a flow 50
 * times a second. Prints the memory that each attack takes and the delay that it causes.
 *
 * Usage: node test/faults/hostile-sockets.ts [--attack 1] [--hold 45] [--memory 0]
 * `--attack` selects one attack by its number. `--hold` sets the seconds for which clients that never read stay. `--memory`
 * sets the MiB of V8's old generation.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { startReplica } from '../helpers/replica-process.ts';
import { startBystander } from './bystander.ts';
import { watchMemory } from './resident-memory.ts';

const root = path.resolve(import.meta.dirname, '../..');
const mebibyte = 1_048_576;
/** Requests of the bystander each second. */
const rate = 50;
/** Milliseconds after an attack, before the memory is read again. */
const rest = 3_000;

/** What an attacker knows. */
interface Target {
  readonly base: string;
  readonly port: number;
  readonly projectId: string;
  readonly key: string;
  /** Seconds for which clients that never read stay. */
  readonly hold: number;
}

interface Attack {
  readonly name: string;
  /** Returns the attack, ready to run. The attack returns what its clients saw. */
  prepare(target: Target): Promise<() => Promise<string>>;
}

const attacks: readonly Attack[] = [
  {
    name: '60 clients that never read a response of 7.7 MiB',
    async prepare(target) {
      const flow = await post(target, `/v1/projects/${target.projectId}/flows`, largeFlow(0));
      for (let version = 1; version < 33; version++)
        await post(target, `/v1/flows/${flow}/versions`, { flowSchema: largeFlow(version).flowSchema });
      return () => holdUnread(target, 60, head('GET', `/v1/flows/${flow}/versions`, target.key, ''));
    },
  },
  {
    name: '16 uploads of 32 MiB at once',
    async prepare(target) {
      const path = `/v1/projects/${target.projectId}/knowledge-bases`;
      const base = await post(target, path, { name: 'Files' });
      const contentBase64 = Buffer.alloc(24 * mebibyte - 300, 'word ').toString('base64');
      const file = {
        type: 'file',
        name: 'File',
        fileName: 'file.txt',
        mimeType: 'text/plain',
        contentBase64,
      };
      const body = Buffer.from(JSON.stringify({ ...file, indexing: 'deferred' }));
      return () => uploadAtOnce(target, 16, `/v1/knowledge/${base}/sources`, body);
    },
  },
  {
    name: '100 connections, each with 200 requests for /openapi.json at once, without a key',
    prepare: async (target) => () => pipeline(target, 100, get('/openapi.json'), 200),
  },
  {
    name: '100 connections, each with 64 KiB of the shortest requests at once, without a key',
    prepare: async (target) => () => pipeline(target, 100, 'GET / HTTP/1.1\r\n\r\n', 3_640),
  },
];

/** A flow of 240 KB. */
function largeFlow(version: number) {
  return {
    name: 'Flow',
    type: 'graph',
    flowSchema: { nodes: [{ id: 'n', text: 'x'.repeat(244_000), version }] },
  };
}

function head(method: string, target: string, key: string, more: string): string {
  return `${method} ${target} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
}

function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`;
}

async function post({ base, key }: Target, target: string, body: object): Promise<string> {
  const reply = await fetch(base + target, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await reply.json()) as { id: string };
  if (reply.status !== 201) throw new Error(JSON.stringify(answer));
  return answer.id;
}

async function openSocket({ port }: Target): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function openSockets(target: Target, count: number): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, () => openSocket(target)));
}

/** Sends a request on each connection, and never reads. */
async function holdUnread(target: Target, count: number, request: string): Promise<string> {
  const sockets = await openSockets(target, count);
  for (const socket of sockets) socket.pause().write(request);
  await pause(target.hold * 1000);
  // The kernel still holds what arrived. A socket that the server has closed then ends or is reset.
  const closed = await Promise.all(sockets.map((socket) => drainsToEnd(socket)));
  for (const socket of sockets) socket.destroy();
  return `${closed.filter(Boolean).length} of ${count} closed by the server`;
}

/** Reads what has arrived. Returns whether the connection then ends before the next second is over. */
async function drainsToEnd(socket: Socket): Promise<boolean> {
  const ended = Promise.withResolvers<boolean>();
  for (const event of ['end', 'close'] as const) socket.once(event, () => ended.resolve(true));
  let bytes = 0;
  // A server that still sends has not closed.
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > 7 * mebibyte) ended.resolve(false);
  });
  socket.resume();
  return Promise.race([ended.promise, pause(1000, false)]);
}

async function uploadAtOnce(target: Target, count: number, at: string, body: Buffer): Promise<string> {
  const more = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const statuses = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = await openSocket(target);
      const answered = firstStatus(socket);
      socket.write(head('POST', at, target.key, more));
      socket.write(body);
      return answered.finally(() => socket.destroy());
    }),
  );
  return tally(statuses);
}

async function firstStatus(socket: Socket): Promise<string> {
  const answered = Promise.withResolvers<string>();
  let text = '';
  socket.on('data', (piece: Buffer) => {
    text += piece.toString('latin1');
    if (!text.includes('\r\n\r\n')) return;
    const retry = /\r\nretry-after: (\d+)/i.exec(text)?.[1];
    answered.resolve(text.slice(9, 12) + (retry === undefined ? '' : ` with Retry-After: ${retry}`));
  });
  socket.once('close', () => answered.resolve('closed'));
  return answered.promise;
}

/** Sends a request many times at once on each connection, and reads the responses, which have one length, for 20 s at most. */
async function pipeline(target: Target, count: number, request: string, times: number): Promise<string> {
  const length = await responseLength(target, request);
  const sockets = await openSockets(target, count);
  const began = performance.now();
  const over = pause(20_000, undefined, { ref: false });
  const received = await Promise.all(
    sockets.map(async (socket) => {
      const done = once(socket, 'close');
      socket.on('data', () => {
        if (socket.bytesRead >= length * times) socket.destroy();
      });
      socket.write(request.repeat(times));
      await Promise.race([done, over]);
      socket.destroy();
      return Math.round(socket.bytesRead / length);
    }),
  );
  const total = received.reduce((sum, responses) => sum + responses, 0);
  const seconds = (performance.now() - began) / 1000;
  return `${total} of ${count * times} responses in ${seconds.toFixed(1)} s`;
}

/** Bytes of the response to a request, with its headers. */
async function responseLength(target: Target, request: string): Promise<number> {
  const socket = await openSocket(target);
  socket.write(request);
  socket.resume();
  await pause(500);
  socket.destroy();
  return socket.bytesRead;
}

function tally(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => `${count} × ${text}`).join(', ');
}

/** Runs one attack against a new server. Returns a row of the table. */
async function runAttack(
  databaseUrl: string,
  attack: Attack,
  { hold = 0, memory = 0 }: Readonly<Record<string, number>>,
): Promise<string> {
  const replica = await startReplica(databaseUrl, {
    PARLEY_WORKERS: '0',
    ...(memory > 0 && { NODE_OPTIONS: `--max-old-space-size=${memory}` }),
  });
  const laboratory = openLaboratory(databaseUrl);
  const { base, port } = replica;
  try {
    const victim = await laboratory.tenant({ plan: 'enterprise' });
    const attacker = await laboratory.tenant({ plan: 'enterprise' });
    const target = { base, port, hold, ...attacker };
    const flow = await post({ ...target, ...victim }, `/v1/projects/${victim.projectId}/flows`, {
      name: 'Flow',
      flowSchema: {},
    });
    const run = await attack.prepare(target);
    await pause(rest);
    const watch = watchMemory(replica.pid);
    const before = watch.now();
    const bystander = startBystander({ urls: [`${base}/v1/flows/${flow}`], key: victim.key, rate });
    const seen = await run();
    await pause(rest);
    const { times, failures } = await bystander.seen();
    await bystander.close();
    watch.stop();
    const sorted = times.toSorted((one, other) => one - other);
    const quantile = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(0);
    const mebibytes = [before, watch.most() - before, watch.now() - before].map((value) => value.toFixed(0));
    const reads = [quantile(0.5), quantile(0.99), (sorted.at(-1) ?? Number.NaN).toFixed(0), failures.length];
    return `| ${[attack.name, ...mebibytes, ...reads, seen].join(' | ')} |`;
  } finally {
    await laboratory.close();
    await replica.kill();
  }
}

function commit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
}

await runAsScript(
  import.meta.url,
  'attack',
  0,
  async (databaseUrl, number, more) => {
    console.log(`# Attacks through sockets

${new Date().toISOString()}, commit ${commit()}, ${os.cpus().length} cores

MiB of resident memory: before the attack, at most above that, and ${rest / 1000} s after the attack above that. Milliseconds of a
bystander's reads, ${rate} a second: median, 99th percentile, longest; and how many failed.

| Attack | before | at most | after | p50 | p99 | longest | failed | what the attacker saw |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |`);
    const chosen = number > 0 ? attacks.slice(number - 1, number) : attacks;
    for (const attack of chosen) console.log(await runAttack(databaseUrl, attack, more));
    return true;
  },
  { hold: 45, memory: 0 },
);
