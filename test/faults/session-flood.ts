/**
 * Floods one of three websites of a project with sessions, while visitors of all three go on with their conversations and
 * new ones come, also after the flood. Two replicas share the work, behind a proxy that adds the address of its client, as far as a flood says so.
 * Reports what was refused to whom: nothing to a visitor.
 *
 * Usage: node test/faults/session-flood.ts [--sessions 1000] [--visitors 20]
 */

import { setTimeout as delay } from 'node:timers/promises';
import { patientDesk } from '../designs/patient-desk.ts';
import { createChatAgent } from '../helpers/chat-visits.ts';
import { type Laboratory, openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { type ReplicaProcess, startReplica } from '../helpers/replica-process.ts';

const origin = 'https://shop.example';
const websites = 3;
/** Requests of the flooder at once. */
const hands = 20;
const turnsOfVisitor = 4;
/** Milliseconds between two turns of a visitor, who may send 60 in a minute. */
const pause = 1_500;

interface Flood {
  readonly name: string;
  /** What PARLEY_TRUSTED_PROXIES says; the proxy is on loopback. */
  readonly trusted: string;
  readonly replicas: 1 | 2;
  /** What the flooder writes into `X-Forwarded-For` itself. */
  readonly claims?: (index: number) => string;
  /** Its address, if it has many. */
  readonly address?: (index: number) => string;
  /** What it says in each session. */
  readonly words?: number;
  /** It floods all websites, and not one. */
  readonly everywhere?: true;
}

/** Sixteen bits that differ for each session, spread over their range. */
const sparse = (index: number) => ((40_503 * index) % 65_536).toString(16);

const floods: readonly Flood[] = [
  { name: 'one address', trusted: '127.0.0.1', replicas: 1 },
  { name: 'two replicas', trusted: '127.0.0.1', replicas: 2 },
  {
    name: 'a new X-Forwarded-For each time',
    trusted: '127.0.0.1',
    replicas: 2,
    claims: (index) => `8.${index % 250}.${Math.floor(index / 250)}.1`,
  },
  { name: 'a message in each session', trusted: '127.0.0.1', replicas: 2, words: 1 },
  {
    name: 'an address for each session',
    trusted: '127.0.0.1',
    replicas: 2,
    address: (index) => `8.${index % 250}.${Math.floor(index / 250)}.1`,
  },
  {
    name: 'one /56, a word in each session',
    trusted: '127.0.0.1',
    replicas: 2,
    address: (index) => `2001:db8:0:a${(index % 256).toString(16).padStart(2, '0')}::1`,
    words: 1,
    everywhere: true,
  },
  {
    name: '50 addresses, a word in each session',
    trusted: '127.0.0.1',
    replicas: 2,
    address: (index) => `8.8.${index % 50}.1`,
    words: 1,
    everywhere: true,
  },
  {
    name: 'five /48, a word in each session',
    trusted: '127.0.0.1',
    replicas: 2,
    address: (index) => `2001:db8:${index % 5}:${sparse(index)}::1`,
    words: 1,
    everywhere: true,
  },
  {
    name: 'five /32, a word in each session',
    trusted: '127.0.0.1',
    replicas: 2,
    address: (index) => `2a0${index % 5}:db8:${sparse(index)}::1`,
    words: 1,
    everywhere: true,
  },
  {
    name: 'an address and a word for each session',
    trusted: '127.0.0.1',
    replicas: 2,
    address: (index) => `8.${index % 250}.${Math.floor(index / 250)}.1`,
    words: 1,
    everywhere: true,
  },
  {
    name: 'an address and six words for each session',
    trusted: '127.0.0.1',
    replicas: 2,
    address: (index) => `8.${index % 250}.${Math.floor(index / 250)}.1`,
    words: 6,
    everywhere: true,
  },
  { name: 'the address of all visitors', trusted: '', replicas: 2 },
];

/** How many requests got each status. */
type Statuses = Map<number, number>;

/** One who starts sessions from an address. */
interface Client {
  readonly base: string;
  readonly key: string;
  readonly forwardedFor: string;
  readonly statuses: Statuses;
}

async function send(
  { base, forwardedFor, statuses }: Client,
  path: string,
  token: string,
  body: object,
): Promise<string | undefined> {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-forwarded-for': forwardedFor,
      origin,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const status = response.ok && text.includes('event: error') ? 500 : response.status;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return response.ok ? text : undefined;
}

/** Starts a session and reads its opening. Returns a function that says something in it; undefined if it was refused. */
async function begin(client: Client, webAgentId: string) {
  const created = await send(client, '/v1/web-sessions', client.key, { webAgentId });
  if (created === undefined) return undefined;
  const { roomUrl, token } = JSON.parse(created) as { roomUrl: string; token: string };
  const path = `${new URL(roomUrl).pathname}/messages`;
  if ((await send(client, path, token, { start: true })) === undefined) return undefined;
  return (messageId: string) => send(client, path, token, { text: 'A table', messageId });
}

async function tryFlood(
  databaseUrl: string,
  laboratory: Laboratory,
  flood: Flood,
  sessions: number,
  visitors: number,
): Promise<boolean> {
  const replicas: ReplicaProcess[] = [];
  for (let count = 0; count < flood.replicas; count++)
    replicas.push(await startReplica(databaseUrl, { PARLEY_TRUSTED_PROXIES: flood.trusted }));
  try {
    const baseOf = (index: number) => replicas[index % replicas.length]?.base ?? '';
    const tenant = await laboratory.tenant({ plan: 'enterprise' });
    const { key } = await laboratory.key(tenant.projectId, 'publishable');
    const agents: string[] = [];
    for (let count = 0; count < websites; count++)
      agents.push(
        await createChatAgent(laboratory, baseOf(0), tenant, patientDesk, { allowedOrigins: [origin] }),
      );
    const [flooded = ''] = agents;
    const ofFlood: Statuses = new Map();
    const ofVisitors: Statuses = new Map();
    const flooding = { begun: 0 };
    const visit = async (index: number) => {
      const client = {
        base: baseOf(index),
        key,
        forwardedFor: `203.0.113.${index + 1}`,
        statuses: ofVisitors,
      };
      const say = await begin(client, agents[index % websites] ?? '');
      if (!say) return;
      for (let turn = 1; turn <= turnsOfVisitor || flooding.begun < sessions; turn++) {
        await say(`m${turn}`);
        await delay(pause);
      }
    };
    const half = Math.ceil(visitors / 2);
    const early = Array.from({ length: half }, (_, index) => visit(index));
    await delay(pause);
    const began = performance.now();
    const hand = async () => {
      for (let index = flooding.begun++; index < sessions; index = flooding.begun++) {
        const own = flood.address?.(index) ?? '198.51.100.66';
        const forwardedFor = flood.claims ? `${flood.claims(index)}, ${own}` : own;
        const client = { base: baseOf(index), key, forwardedFor, statuses: ofFlood };
        const say = await begin(client, flood.everywhere ? (agents[index % websites] ?? '') : flooded);
        for (let word = 0; word < (flood.words ?? 0); word++) await say?.(`m${word}`);
      }
    };
    const late = Array.from({ length: visitors - half }, async (_, index) => {
      const start = (sessions * (index + 1)) / (visitors - half + 1);
      while (flooding.begun < start) await delay(5);
      await visit(half + index);
    });
    await Promise.all(Array.from({ length: hands }, hand));
    const seconds = (performance.now() - began) / 1_000;
    // Visitors who come once the flood is over, and only say one thing.
    const latest = Array.from({ length: half }, (_, index) => visit(visitors + index));
    await Promise.all([...early, ...late, ...latest]);
    const [{ open } = { open: 0 }] = await laboratory.rows<{ open: number }>(
      'select count(*) as open from sessions where project_id = :projectId and ended_at is null',
      { projectId: tenant.projectId },
    );
    const refused = [...ofVisitors].filter(([status]) => status >= 400);
    const said = (statuses: Statuses) =>
      [...statuses]
        .toSorted(([one], [other]) => one - other)
        .map(([status, count]) => `${count} × ${status}`)
        .join(', ');
    console.log(
      `| ${flood.name} | ${flood.replicas} | ${seconds.toFixed(0)} s | ${said(ofFlood)} | ${said(ofVisitors)} | ${refused.reduce((sum, [, count]) => sum + count, 0)} | ${open} |`,
    );
    return refused.length === 0;
  } finally {
    await Promise.all(replicas.map((replica) => replica.kill()));
  }
}

async function tryFloods(databaseUrl: string, sessions: number, visitors: number): Promise<boolean> {
  // Migrates the database, which the laboratory needs.
  await (await startReplica(databaseUrl)).stop();
  const laboratory = openLaboratory(databaseUrl);
  try {
    console.log(
      '| flood | replicas | took | responses to the flooder | responses to visitors | visitors refused | open afterwards |',
    );
    console.log('| --- | --- | --- | --- | --- | --- | --- |');
    let holds = true;
    for (const flood of floods)
      holds = (await tryFlood(databaseUrl, laboratory, flood, sessions, visitors)) && holds;
    return holds;
  } finally {
    await laboratory.close();
  }
}

await runAsScript(
  import.meta.url,
  'sessions',
  1_000,
  (databaseUrl, sessions, { visitors = 20 }) => tryFloods(databaseUrl, sessions, visitors),
  { visitors: 20 },
);
