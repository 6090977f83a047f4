import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type EmbeddedPostgres, openEmbedded } from '../../src/postgres/embedded/embedded.ts';
import { tableSums } from '../archive/rows.ts';
import { openSecondServer } from '../helpers/second-server.ts';

/**
 * Moves many rows from the embedded Postgres to a server and back, and then through backup and restore. Fails if the
 * checksum of a table changes, or if a command of Parley exceeds its memory limit.
 *
 * Usage: node test/faults/archive.ts [--rows 1000000]
 */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rowCount = Number(values.rows);
const memoryLimit = 200;
const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-archive-run-'));
// If root runs this, the server's user must be able to enter the folder.
chmodSync(folder, 0o755);

/** Rows of each table per thousand rows. */
const shares = {
  organizations: 1,
  projects: 2,
  api_keys: 5,
  agent_profiles: 10,
  flows: 50,
  flow_versions: 200,
  trash: 20,
  idempotency_keys: 50,
  conversations: 20,
  conversation_versions: 60,
  knowledge_bases: 5,
  integrations: 5,
};

/** A flow of about 1,800 bytes, a quarter of which are unique. */
const flow = `json_build_object('greeting', 'Hello, I am the AI assistant of ' || md5(i::text), 'language', 'en',
  'instructions', repeat('Answer questions about ' || md5(i::text || 'a') || ' and take requests. ', 8),
  'faq', (select json_agg(json_build_object('question', 'What is ' || md5(i || ':' || q) || '?', 'answer', 'Ask for it.'))
    from generate_series(1, 8) q))`;

/** Returns SQL statements that generate realistic rows of many tenants. */
function fill(rows: number): string[] {
  const count = Object.fromEntries(
    Object.entries(shares).map(([table, share]) => [table, Math.ceil((rows * share) / 1000)]),
  ) as Record<keyof typeof shares, number>;
  const rest = rows - Object.values(count).reduce((sum, more) => sum + more);
  const id = (kind: string, number: string) => `'c${kind}' || lpad((${number})::text, 26, '0')`;
  const project = id('pr', `i % ${count.projects}`);
  const from = (many: number) => `from generate_series(0, ${many - 1}) i`;
  return [
    `insert into organizations select ${id('og', 'i')}, 'Organization ' || i ${from(count.organizations)}`,
    `insert into projects (id, organization_id, name)
      select ${id('pr', 'i')}, ${id('og', `i % ${count.organizations}`)}, 'Project ' || i ${from(count.projects)}`,
    `insert into api_keys (project_id, id, name, key_type, scope, hash, key_prefix, last4)
      select ${project}, ${id('ak', 'i')}, 'Key', 'secret', 'platform', sha256(i::text::bytea), 'parley_sk_abcd', 'wxyz'
      ${from(count.api_keys)}`,
    `insert into agent_profiles (project_id, id, name, supported_input_languages, reasoning_mode, output_voice_id)
      select ${project}, ${id('ap', 'i')}, 'Agent ' || i, '{en,de}', 'balanced', 'alloy' ${from(count.agent_profiles)}`,
    `insert into flows (project_id, id, name, type, newest_version)
      select ${project}, ${id('fl', 'i')}, 'Flow ' || i, 'simple', 4 ${from(count.flows)}`,
    `insert into flow_versions (project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active)
      select ${id('pr', `i % ${count.flows} % ${count.projects}`)}, ${id('fv', 'i')}, ${id('fl', `i % ${count.flows}`)},
        i / ${count.flows} + 1, 'v', ${flow}, 1800, i < ${count.flows} ${from(count.flow_versions)}`,
    `insert into trash (project_id, id, kind, resource_id, name, rows, expires_at)
      select ${project}, ${id('tr', 'i')}, 'flow', '', 'Flow', json_build_object('flows', ${flow}), now() ${from(count.trash)}`,
    `insert into idempotency_keys (project_id, operation, key, input_hash, answer)
      select ${project}, 'create_flow', 'key ' || i, md5(i::text), ${flow} ${from(count.idempotency_keys)}`,
    `insert into conversations (project_id, id, name, kind, newest_version, active_version)
      select ${project}, ${id('cv', 'i')}, 'Conversation ' || i, 'advanced', 3, 1 ${from(count.conversations)}`,
    `insert into conversation_versions (project_id, conversation_id, n, tag, design, design_bytes)
      select ${id('pr', `i % ${count.conversations} % ${count.projects}`)}, ${id('cv', `i % ${count.conversations}`)},
        i / ${count.conversations} + 1, 'v', ${flow}, 1800 ${from(count.conversation_versions)}`,
    `insert into knowledge_bases (project_id, id, name)
      select ${project}, ${id('kb', 'i')}, 'Knowledge ' || i ${from(count.knowledge_bases)}`,
    `insert into integrations (project_id, id, kind, provider, name)
      select ${project}, ${id('in', 'i')}, 'crm', 'hubspot', 'CRM' ${from(count.integrations)}`,
    `insert into audit_log (project_id, id, key_id, operation, request_id, input_hash, output_hash)
      select ${project}, ${id('au', 'i')}, ${id('ak', 'i')}, 'update_flow', gen_random_uuid()::text,
        encode(sha256(i::text::bytea), 'hex'), encode(sha256((i || 'o')::bytea), 'hex') ${from(rest)}`,
  ];
}

interface Step {
  readonly name: string;
  readonly seconds: number;
  readonly megabytes: number;
}

const steps: Step[] = [];

/** Runs a command of Parley, and records its duration and peak memory. */
async function parley(name: string, args: readonly string[], env: Record<string, string>): Promise<void> {
  const began = performance.now();
  const child = spawn(process.execPath, [path.join(root, 'bin/parley.js'), ...args], {
    env: { ...env, PARLEY_BACKUP_PASSPHRASE: 'a passphrase of the long run' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const [megabytes] = await Promise.all([peakMemory(child), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(`${name}: ${complaint}`);
  steps.push({ name, seconds: (performance.now() - began) / 1000, megabytes });
}

/** Returns the kernel's high-water mark of a process's resident memory, in MB. */
async function peakMemory(child: ChildProcess): Promise<number> {
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1000);
    } catch {
      // The process has just ended.
    }
    await sleep(5);
  }
  return peak;
}

async function query(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}

const embedded: EmbeddedPostgres[] = [];

async function embeddedHome(name: string): Promise<{ home: string; url: string }> {
  const home = path.join(folder, name);
  const server = await openEmbedded(home, (line) => console.error(line));
  embedded.push(server);
  return { home, url: server.url };
}

async function serverVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return rows[0]?.server_version ?? '';
}

const second = await openSecondServer();
try {
  const source = await embeddedHome('source');
  await parley('migrate', ['migrate'], { PARLEY_HOME: source.home });
  steps.length = 0;
  await query(source.url, fill(rowCount));
  const before = await tableSums(source.url);

  const file = (name: string) => path.join(folder, name);
  const server = { DATABASE_URL: second.url, PARLEY_HOME: file('server') };
  await parley('export from the embedded Postgres', ['export', file('there.gz')], {
    PARLEY_HOME: source.home,
  });
  await parley('import into the server', ['import', file('there.gz')], server);
  const there = await tableSums(second.url);
  await parley('export from the server', ['export', file('back.gz')], server);
  const back = await embeddedHome('back');
  await parley('import into another embedded Postgres', ['import', file('back.gz')], {
    PARLEY_HOME: back.home,
  });
  const here = await tableSums(back.url);
  await parley('backup', ['backup', file('backup')], { PARLEY_HOME: back.home });
  const restored = await embeddedHome('restored');
  await parley('restore', ['restore', file('backup')], { PARLEY_HOME: restored.home });
  const again = await tableSums(restored.url);

  const user = os.userInfo();
  console.log(
    `As ${user.username} (uid ${user.uid}): Postgres ${await serverVersion(source.url)} to ${await serverVersion(second.url)} and back, ${rowCount} rows.`,
  );
  console.log('\n| step | seconds | peak MB |\n|---|---|---|');
  for (const { name, seconds, megabytes } of steps)
    console.log(`| ${name} | ${seconds.toFixed(1)} | ${megabytes.toFixed(0)} |`);
  const megabytes = (name: string) => (statSync(file(name)).size / 1e6).toFixed(1);
  console.log(`\nThe export is ${megabytes('there.gz')} MB, the backup ${megabytes('backup')} MB.`);
  console.log('\n| table | rows and checksum, on all four servers |\n|---|---|');
  let equal = true;
  for (const [table, sum] of Object.entries(before)) {
    const same = [there, here, again].every((sums) => sums[table] === sum);
    equal &&= same;
    console.log(
      `| ${table} | ${same ? sum : `${sum}, ${there[table]}, ${here[table]}, ${again[table]}: DIFFERENT`} |`,
    );
  }
  const small = steps.every(({ megabytes }) => megabytes > 0 && megabytes < memoryLimit);
  console.log(
    `\nChecksums ${equal ? 'equal' : 'DIFFERENT'}; memory ${small ? 'under' : 'OVER'} ${memoryLimit} MB.`,
  );
  if (!equal || !small) process.exitCode = 1;
} finally {
  await Promise.all([second.close(), ...embedded.map((server) => server.leave())]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
