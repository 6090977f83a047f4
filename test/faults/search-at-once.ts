/**
 * Writers create flows without a pause, while one client creates flows and conversations, and searches for each at once. Fails if a
 * search does not find what was just written.
 *
 * Usage: node test/faults/search-at-once.ts [--seconds 20] [--writers 32]
 */
import { randomUUID } from 'node:crypto';
import { openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { startReplica } from '../helpers/replica-process.ts';
import { design } from './small-design.ts';

interface Searched {
  readonly writes: number;
  readonly searches: number;
  readonly missed: number;
  /** Milliseconds of each search. */
  readonly times: readonly number[];
}

async function searchUnderLoad(databaseUrl: string, seconds: number, writers: number): Promise<Searched> {
  const laboratory = openLaboratory(databaseUrl);
  const replica = await startReplica(databaseUrl);
  try {
    const { projectId, key } = await laboratory.tenant({ plan: 'enterprise' });
    const call = async (method: string, path: string, body?: object) => {
      const reply = await fetch(`${replica.base}/v1/projects/${projectId}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!reply.ok) throw new Error(`${method} ${path} returned ${reply.status} ${await reply.text()}`);
      return reply.json();
    };
    const flow = (greeting: string) => ({ name: 'Flow', type: 'simple', flowSchema: { greeting } });
    const end = performance.now() + seconds * 1000;
    let writes = 0;
    const write = async () => {
      for (; performance.now() < end; writes++) await call('POST', '/flows', flow('Hello'));
    };
    const times: number[] = [];
    let missed = 0;
    const search = async () => {
      while (performance.now() < end) {
        const word = `word${randomUUID().replaceAll('-', '')}`;
        const isFlow = times.length % 2 === 0;
        const steps = { ...design.steps, bye: { ...design.steps.bye, line: word } };
        const { id } = (await (isFlow
          ? call('POST', '/flows', flow(word))
          : call('POST', '/conversations', { name: 'Conversation', design: { ...design, steps } }))) as {
          id: string;
        };
        const began = performance.now();
        const found = (await call('GET', `/search?text=${word}`)) as { results: { id: string }[] };
        times.push(performance.now() - began);
        if (!found.results.some((item) => item.id === id)) missed += 1;
      }
    };
    await Promise.all([search(), ...Array.from({ length: writers }, write)]);
    return { writes, searches: times.length, missed, times };
  } finally {
    await replica.stop();
    await laboratory.close();
  }
}

await runAsScript(
  import.meta.url,
  'seconds',
  20,
  async (databaseUrl, seconds, { writers = 32 }) => {
    const { writes, searches, missed, times } = await searchUnderLoad(databaseUrl, seconds, writers);
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    console.log(`${Math.round(writes / seconds)} flows a second were created beside ${searches} searches.`);
    console.log(`A search took ${at(0.5)} ms (median), ${at(0.99)} ms (99th percentile).`);
    console.log(`${missed} did not find what was written before.`);
    return searches > 0 && missed === 0;
  },
  { writers: 32 },
);
