import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Laboratory, openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { startReplica } from '../helpers/replica-process.ts';
import { openWithholdingProxy } from '../helpers/withholding-proxy.ts';
import type { Tenant } from '../helpers/world.ts';

const writers = 8;
/** The longest time from a start to its kill, in milliseconds. */
const longestLife = 400;
const patience = 30_000;

/** The created record: a flow with its version, or a key, which only the first response shows. */
type Kind = 'flow' | 'key';

/** A write that must run once, however often it is sent. */
interface Write {
  readonly kind: Kind;
  readonly name: string;
}

interface Answered extends Write {
  readonly id: string;
  readonly key?: string;
}

interface StoredRow {
  readonly kind: Kind;
  readonly name: string;
  readonly id: string;
  readonly hash: string | null;
}

/** The results of a run. */
interface Report {
  readonly acknowledged: number;
  /** Writes that were sent more than once. */
  readonly repeated: number;
  /** Repeated writes that were stored before the kill, so that the retry found the first result. */
  readonly replayed: number;
  readonly rows: number;
  readonly auditRows: number;
  readonly duplicates: number;
  readonly lost: number;
  /** Retries that returned another result than the first write. */
  readonly otherResults: number;
}

/**
 * Repeatedly kills the server between commit and response, while eight writers retry each write with its idempotency
 * key until they get a response.
 */
export async function tryKills(databaseUrl: string, kills: number): Promise<Report> {
  const proxy = await openWithholdingProxy();
  // The server migrates the database, so it starts before the tenant is created.
  let replica = await startReplica(databaseUrl);
  const laboratory = openLaboratory(databaseUrl);
  try {
    const tenant = await laboratory.tenant();
    const run = startWriters(proxy.base, tenant);
    const unanswered: StoredRow[] = [];
    for (let kill = 0; kill < kills; kill++) {
      proxy.forwardTo(replica.port);
      await Promise.race([delay(Math.random() * longestLife), run.failed]);
      proxy.withhold();
      unanswered.push(...(await committed(laboratory, tenant, run.pending)));
      await replica.kill();
      replica = await startReplica(databaseUrl);
    }
    proxy.forwardTo(replica.port);
    const answered = await run.finish();
    return await judge(laboratory, tenant, { answered, unanswered, repeated: run.repeated });
  } finally {
    proxy.close();
    await laboratory.close();
    await replica.kill();
  }
}

/** Starts writers that run until `finish` is called, each with one write at a time. */
function startWriters(base: string, { projectId, key }: Tenant) {
  const pending = new Map<string, Write>();
  const repeated = new Set<string>();
  const answered: Answered[] = [];
  const finishing = new AbortController();
  const untilAnswered = async (write: Write): Promise<Answered> => {
    for (const deadline = performance.now() + patience; ; repeated.add(write.name)) {
      const reply = await send(base, projectId, key, write);
      if (reply) return { ...write, ...reply };
      if (performance.now() > deadline) throw new Error(`${write.name} never got a response`);
      await delay(10);
    }
  };
  const writer = async (number: number) => {
    for (let count = 0; !finishing.signal.aborted; count++) {
      const write = { kind: count % 2 ? 'key' : 'flow', name: `write ${number}.${count}` } as const;
      pending.set(write.name, write);
      answered.push(await untilAnswered(write));
      pending.delete(write.name);
    }
  };
  const working = Promise.all(Array.from({ length: writers }, (_, number) => writer(number)));
  const failed = working.then(() => undefined);
  return {
    pending,
    repeated,
    failed,
    async finish(): Promise<Answered[]> {
      finishing.abort();
      await working;
      return answered;
    },
  };
}

/** Sends a write. Returns undefined if no response arrives. */
async function send(base: string, projectId: string, key: string, { kind, name }: Write) {
  const content = kind === 'flow' ? { flowSchema: {} } : { keyType: 'publishable' };
  let reply: { status: number; text: string };
  try {
    const response = await fetch(`${base}/v1/projects/${projectId}/${kind}s`, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'content-type': 'application/json',
        'idempotency-key': name.replace(' ', '-'),
      },
      body: JSON.stringify({ name, ...content }),
      signal: AbortSignal.timeout(patience),
    });
    reply = { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
  const body = JSON.parse(reply.text);
  // The lost response had the key.
  if (reply.status === 409 && body.error.code === 'secret_shown_once')
    return body.error.details.result as { id: string };
  if (reply.status !== 201) throw new Error(`${name} returned ${reply.status}: ${reply.text}`);
  return body as { id: string; key?: string };
}

const storedWrites = `
  select 'flow' as kind, name, id, null as hash from flows where project_id = :projectId
  union all
  select 'key', name, id, encode(hash, 'hex') from api_keys where project_id = :projectId and key_type = 'publishable'`;

/** Waits until the database has at least one write whose response is withheld. Returns all such writes. */
async function committed(
  laboratory: Laboratory,
  { projectId }: Tenant,
  pending: ReadonlyMap<string, Write>,
): Promise<StoredRow[]> {
  for (const deadline = performance.now() + patience; performance.now() < deadline; ) {
    const sql = `select * from (${storedWrites}) as stored where name = any (:names)`;
    const rows = await laboratory.rows<StoredRow>(sql, { projectId, names: [...pending.keys()] });
    if (rows.length > 0) return rows;
  }
  throw new Error('no write was committed while its response was withheld');
}

async function judge(
  laboratory: Laboratory,
  { projectId }: Tenant,
  seen: {
    answered: readonly Answered[];
    unanswered: readonly StoredRow[];
    repeated: ReadonlySet<string>;
  },
): Promise<Report> {
  const rows = await laboratory.rows<StoredRow>(storedWrites, { projectId });
  const [counts] = await laboratory.rows<{ audits: number; versions: number }>(
    `select (select count(*)::int from audit_log where project_id = :projectId) as audits,
       (select count(*)::int from flow_versions where project_id = :projectId) as versions`,
    { projectId },
  );
  const flows = rows.filter(({ kind }) => kind === 'flow').length;
  if (counts?.versions !== flows) throw new Error(`${flows} flows have ${counts?.versions} versions`);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const answers = new Map(seen.answered.map((answer) => [answer.name, answer]));
  const isOther = ({ name, id, key }: Answered) => {
    const row = byName.get(name);
    const hash = key && createHash('sha256').update(key).digest('hex');
    return row !== undefined && (row.id !== id || (hash !== undefined && row.hash !== hash));
  };
  return {
    acknowledged: seen.answered.length,
    repeated: seen.repeated.size,
    replayed: seen.unanswered.filter(({ name }) => seen.repeated.has(name)).length,
    rows: rows.length,
    auditRows: counts.audits,
    duplicates: rows.length - byName.size,
    lost: seen.answered.filter(({ name }) => !byName.has(name)).length,
    otherResults:
      seen.answered.filter(isOther).length +
      seen.unanswered.filter(({ name, id }) => answers.get(name)?.id !== id).length,
  };
}

await runAsScript(import.meta.url, 'kills', 20, async (databaseUrl, kills) => {
  const began = performance.now();
  const report = await tryKills(databaseUrl, kills);
  console.log(`kills                                      ${kills}`);
  console.log(`writes acknowledged                        ${report.acknowledged}`);
  console.log(`writes sent again after a kill             ${report.repeated}`);
  console.log(`stored before the kill, answered after it  ${report.replayed}`);
  console.log(`rows                                       ${report.rows}`);
  console.log(`audit rows                                 ${report.auditRows}`);
  console.log(`duplicates                                 ${report.duplicates}`);
  console.log(`acknowledged and lost                      ${report.lost}`);
  console.log(`retries with another result than the first ${report.otherResults}`);
  console.log(`seconds                                    ${Math.round((performance.now() - began) / 1000)}`);
  const { acknowledged, rows, auditRows, duplicates, lost, otherResults } = report;
  return acknowledged === rows && rows === auditRows && duplicates + lost + otherResults === 0;
});
