/**
 * Lets visitors chat at once with two replicas behind a proxy, and kills one replica in the middle. Every visitor sends a
 * message until it is stored. Then compares what was sent with what is stored.
 *
 * Usage: node test/faults/chat-sessions.ts [--visitors 200] [--turns 20] [--pause 1000]
 * --pause: milliseconds between a visitor's turns, on average.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { patientDesk } from '../designs/patient-desk.ts';
import { createChatAgent, openProxy, openVisitor } from '../helpers/chat-visits.ts';
import { type Laboratory, openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { startReplica } from '../helpers/replica-process.ts';
import { watchMemory } from './resident-memory.ts';

/** Further sessions that are opened and left open, to see the memory that they take. */
const silentVisitors = 700;

interface StoredTurn {
  readonly session_id: string;
  readonly number: number;
  readonly message_id: string | null;
  readonly caller_text: string | null;
}

/** What went wrong: nothing, if every list is empty. */
interface Report {
  readonly lost: number;
  readonly doubled: number;
  readonly misplaced: number;
}

function compare(sent: ReadonlyMap<string, readonly string[]>, stored: readonly StoredTurn[]): Report {
  const report = { lost: 0, doubled: 0, misplaced: 0 };
  for (const [sessionId, texts] of sent) {
    const turns = stored.filter((turn) => turn.session_id === sessionId && turn.caller_text !== null);
    const found = turns.map(({ caller_text: text }) => text);
    report.lost += texts.filter((text) => !found.includes(text)).length;
    report.doubled += found.length - new Set(found).size;
    report.misplaced += turns.filter(({ number, caller_text: text }) => texts[number - 1] !== text).length;
  }
  return report;
}

/** A word of its own for each message. A digit would choose an option. */
function wordOf(number: number): string {
  return String(number).replaceAll(/\d/g, (digit) => 'qzxjvkwypu'.charAt(Number(digit)));
}

async function memoryOfSessions(
  base: string,
  laboratory: Laboratory,
  pid: number,
): Promise<{ before: number; after: number }> {
  const tenant = await laboratory.tenant({ plan: 'enterprise' });
  const webAgentId = await createChatAgent(laboratory, base, tenant, patientDesk);
  const memory = watchMemory(pid);
  const open = async () => {
    const visitor = await openVisitor(base, tenant, webAgentId);
    await visitor.send({ start: true });
  };
  try {
    // The first ones fill caches and pools.
    for (let begun = 0; begun < 200; begun += 20) await Promise.all(Array.from({ length: 20 }, open));
    await delay(5_000);
    const before = memory.now();
    for (let begun = 0; begun < silentVisitors; begun += 20)
      await Promise.all(Array.from({ length: 20 }, open));
    await delay(5_000);
    return { before, after: memory.now() };
  } finally {
    memory.stop();
  }
}

async function tryChats(
  databaseUrl: string,
  visitors: number,
  turns: number,
  pause: number,
): Promise<boolean> {
  const settings = { PARLEY_RATE_LIMIT_SESSION: 'off' };
  const replicas = [
    await startReplica(databaseUrl, settings),
    await startReplica(databaseUrl, settings),
  ] as const;
  const laboratory = openLaboratory(databaseUrl);
  const proxy = await openProxy(replicas.map(({ port }) => port));
  try {
    const tenant = await laboratory.tenant({ plan: 'enterprise' });
    const webAgentId = await createChatAgent(laboratory, proxy.base, tenant, patientDesk);
    const sent = new Map<string, string[]>();
    const usual: number[] = [];
    const repeated: number[] = [];
    let finished = 0;
    const chat = async (index: number) => {
      const visitor = await openVisitor(proxy.base, tenant, webAgentId);
      const texts: string[] = [];
      sent.set(visitor.sessionId, texts);
      await visitor.send({ start: true });
      for (let turn = 1; turn <= turns; turn++) {
        await delay(pause * 2 * Math.random());
        const text = wordOf(index * turns + turn);
        texts.push(text);
        const { milliseconds, attempts } = await visitor.send({ text, messageId: `m${turn}` });
        (attempts === 1 ? usual : repeated).push(milliseconds);
      }
      finished += 1;
    };
    const began = performance.now();
    const chats = Promise.all(Array.from({ length: visitors }, (_, index) => chat(index)));
    while (usual.length < (visitors * turns) / 2) await delay(5);
    const open = visitors - finished;
    await replicas[1].kill();
    await chats;
    const seconds = (performance.now() - began) / 1_000;
    const stored = await laboratory.rows<StoredTurn>(
      'select session_id, number, message_id, caller_text from session_turns where project_id = :projectId',
      { projectId: tenant.projectId },
    );
    const report = compare(sent, stored);
    const memory = await memoryOfSessions(proxy.base, laboratory, replicas[0].pid);
    const at = (times: readonly number[], share: number) =>
      (times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? 0).toFixed(0);
    console.log(
      `Visitors: ${visitors}, turns: ${usual.length + repeated.length}, in ${seconds.toFixed(1)} s.`,
    );
    console.log(`Chats in progress at the kill: ${open}. Messages sent again: ${repeated.length}.\n`);
    console.log('| turns lost | doubled | out of order |\n| --- | --- | --- |');
    console.log(`| ${report.lost} | ${report.doubled} | ${report.misplaced} |\n`);
    console.log('| messages | p50 ms | p95 ms | most ms |\n| --- | --- | --- | --- |');
    console.log(`| sent once | ${at(usual, 0.5)} | ${at(usual, 0.95)} | ${at(usual, 0.99999)} |`);
    console.log(`| sent again | ${at(repeated, 0.5)} | ${at(repeated, 0.95)} | ${at(repeated, 0.99999)} |\n`);
    const perSession = ((memory.after - memory.before) * 1024) / silentVisitors;
    console.log(
      `Memory of the replica with 200 open sessions: ${memory.before.toFixed(0)} MiB; with ${silentVisitors} more: ${memory.after.toFixed(0)} MiB (${perSession.toFixed(1)} KiB each).`,
    );
    return report.lost === 0 && report.doubled === 0 && report.misplaced === 0;
  } finally {
    proxy.close();
    await Promise.all(replicas.map((replica) => replica.kill()));
    await laboratory.close();
  }
}

await runAsScript(
  import.meta.url,
  'visitors',
  200,
  (databaseUrl, visitors, { turns = 0, pause = 0 }) => tryChats(databaseUrl, visitors, turns, pause),
  { turns: 20, pause: 1_000 },
);
