// Opens many slow streams at once, and lets half of the clients leave. Measures what each stream costs, how
// soon its upstream call ends, and whether usage counts every produced token.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { chats, words } from '../helpers/openai-wire.ts';
import { startReplica } from '../helpers/replica-process.ts';
import { openUpstream } from '../helpers/upstream.ts';

/** Milliseconds between two tokens of a stream. */
const pace = 500;
/** Streams that are opened together. */
const atOnce = 25;
/** Further tokens of the streams whose clients stay. */
const afterwards = 20;
/**
 * The pieces of a warm-up stream, and the milliseconds between two pieces. The warm-up opens as many streams
 * as the run, so that the memory which any busy server needs does not count as the cost of a stream.
 */
const warmUp = { pieces: 100, pace: 20 };
const root = path.resolve(import.meta.dirname, '../..');

/** The results of a run. */
interface SlowStreamsReport {
  readonly streams: number;
  readonly left: number;
  /** KB of the server's resident memory for each open stream. */
  readonly kilobytesEach: number;
  /** MB of resident memory at the start, after the warm-up, and at most while the streams were open. */
  readonly megabytes: readonly number[];
  /** The longest time from a client's leaving to the end of its upstream call, in milliseconds. */
  readonly slowestClose: number;
  /** Upstream calls that ended within 500 ms. */
  readonly closedInTime: number;
  readonly produced: number;
  readonly metered: number;
  readonly requests: number;
}

interface OpenStream {
  readonly id: string;
  readonly incoming: IncomingMessage;
  /** Closes the connection after the next token. Resolves with the time of that. */
  leave(): Promise<number>;
}

/** Runs the streams for `seconds` seconds against a new server. */
async function runSlowStreams(
  databaseUrl: string,
  streams: number,
  seconds: number,
): Promise<SlowStreamsReport> {
  const upstream = await openUpstream();
  const replica = await startReplica(databaseUrl, { OPENAI_BASE_URL: upstream.baseUrl });
  const laboratory = openLaboratory(databaseUrl);
  const agent = new Agent({ keepAlive: true });
  try {
    const { key, projectId } = await laboratory.tenant();
    const open = (id: string) => openStream(replica.base, key, agent, id);
    const started = residentKilobytes(replica.pid);
    upstream.reacts(chats({ pieces: words(warmUp.pieces), pace: warmUp.pace }));
    const first = await Promise.all(Array.from({ length: streams }, (_, index) => open(`warm ${index}`)));
    await Promise.all(first.map(({ incoming }) => ended(incoming)));
    await pause(5_000);
    const before = residentKilobytes(replica.pid);

    upstream.reacts(chats({ pieces: words((seconds * 1000) / pace + afterwards), pace }));
    const all: OpenStream[] = [];
    // Opens the streams in groups, so that their tokens do not all come at the same time.
    while (all.length < streams) {
      const ids = Array.from(
        { length: Math.min(atOnce, streams - all.length) },
        (_, n) => `${all.length + n}`,
      );
      all.push(...(await Promise.all(ids.map(open))));
    }
    const stays = Promise.all(
      all.filter((_, index) => index % 2 === 1).map(({ incoming }) => ended(incoming)),
    );
    let most = 0;
    for (let second = 0; second < seconds; second++) {
      await pause(1000);
      most = Math.max(most, residentKilobytes(replica.pid));
    }
    const leaving = all.filter((_, index) => index % 2 === 0);
    const moments = await Promise.all(leaving.map(async ({ id, leave }) => [id, await leave()] as const));
    await stays;
    await pause(2_500);
    const closing = moments.map(([id, moment]) => {
      const call = upstream.received.find(({ body }) => body.messages[0].content === id);
      return (call?.closed ?? Infinity) - moment;
    });
    const metered = await laboratory.rows<{ metric: string; quantity: number }>(
      `select metric, sum(quantity)::float8 as quantity from usage_events where project_id = ? group by metric`,
      [projectId],
    );
    const quantityOf = (metric: string) => metered.find((row) => row.metric === metric)?.quantity ?? 0;
    return {
      streams,
      left: leaving.length,
      kilobytesEach: Math.round((most - before) / streams),
      megabytes: [started, before, most].map((kilobytes) => Math.round(kilobytes / 1024)),
      slowestClose: Math.round(Math.max(...closing)),
      closedInTime: closing.filter((time) => time <= 500).length,
      produced: upstream.received.reduce((sum, { produced }) => sum + produced, 0),
      metered: quantityOf('tokens_out'),
      requests: quantityOf('requests') - streams,
    };
  } finally {
    agent.destroy();
    await laboratory.close();
    await replica.kill();
    upstream.close();
  }
}

async function openStream(base: string, key: string, agent: Agent, id: string): Promise<OpenStream> {
  const outgoing = httpRequest(`${base}/v1/chat/completions`, {
    method: 'POST',
    agent,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  outgoing.on('error', () => undefined);
  const messages = [{ role: 'user', content: id }];
  outgoing.end(JSON.stringify({ model: 'auto', stream: true, messages }));
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  if (incoming.statusCode !== 200) throw new Error(`a stream returned ${incoming.statusCode}`);
  incoming.on('error', () => undefined).resume();
  const leave = async () => {
    if (incoming.readableEnded) throw new Error('a stream ended before its client could leave');
    await once(incoming, 'data');
    outgoing.destroy();
    return performance.now();
  };
  return { id, incoming, leave };
}

async function ended(incoming: IncomingMessage): Promise<void> {
  if (!incoming.readableEnded) await once(incoming, 'end');
}

function residentKilobytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

function commit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
}

/** Returns whether a run met its limits. The memory limit needs many streams, because it is an average. */
function isAsPromised(report: SlowStreamsReport): boolean {
  const { streams, left, closedInTime, produced, metered, requests, kilobytesEach } = report;
  const counted = produced === metered && requests === streams;
  return counted && closedInTime === left && (streams < 500 || kilobytesEach <= 120);
}

await runAsScript(
  import.meta.url,
  'streams',
  500,
  async (databaseUrl, streams, { seconds = 0 }) => {
    const report = await runSlowStreams(databaseUrl, streams, seconds);
    const { left, kilobytesEach, megabytes, closedInTime, slowestClose, produced, metered } = report;
    const text = `# ${streams} slow streams for ${seconds} s, then half of the clients leave

${new Date().toISOString()}, commit ${commit()}

- memory: ${kilobytesEach} KB a stream (reach 90, floor 120); resident ${megabytes.join(', ')} MB: at the start, after a
  warm-up with as many streams of ${warmUp.pieces} pieces in ${(warmUp.pieces * warmUp.pace) / 1000} s, and at most during the run
- upstream calls that closed within 0.5 s after their client left: ${closedInTime} of ${left}, the slowest after ${slowestClose} ms
- output tokens: ${produced} produced, ${metered} metered
`;
    console.log(text);
    if (streams >= 500) writeFileSync(path.join(root, 'docs/measurements/slow-streams.md'), text);
    return isAsPromised(report);
  },
  { seconds: 60 },
);
