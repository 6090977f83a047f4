// Runs Schemathesis (https://schemathesis.io) with its checks against a server on an empty database.
//
// Usage: node test/peers/schemathesis.ts [--examples 200] [--seed 1]
//        TRIAL_OPERATIONS=get_flow,create_flow limits the run to these operations.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { jobsSchema } from '../../src/jobs/jobs-schema.ts';
import { kindOfId } from '../../src/platform/id.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { openPool } from '../../src/postgres/pool.ts';
import { arrangeIn } from '../contract/arrange.ts';
import { exampleOf } from '../contract/examples.ts';
import { tools } from '../contract/registry.ts';
import { type Input, partsOf } from '../contract/rest-request.ts';
import { findProgram } from '../helpers/find-program.ts';
import { runAsScript } from '../helpers/laboratory.ts';
import { desk, openSessionProject } from '../helpers/session-project.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

/** Schemathesis runs on one core; the server needs less than it. */
const processes = 2;
/** Operations that one process tests. */
const groupSize = 3;
const hooks = path.join(import.meta.dirname, 'schemathesis-hooks.py');
const config = path.join(import.meta.dirname, 'schemathesis.toml');

/** Tests all operations in groups. Returns whether Schemathesis found nothing. */
async function runSchemathesis(databaseUrl: string, examples: number, seed: number): Promise<boolean> {
  const schemathesis = findProgram(['schemathesis'], []);
  if (schemathesis === undefined) {
    console.log('not run: Schemathesis is not in PATH (pip install schemathesis)');
    return true;
  }
  await prepare(databaseUrl);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-schemathesis-'));
  const world = await openWorld({ database: { url: databaseUrl, drop: async () => undefined } });
  try {
    const tenant = await world.tenant();
    const records = path.join(folder, 'records.json');
    const known = { ...(await recordsOfEachOperation(world, tenant)), ...(await recordsOfSessions(world)) };
    writeFileSync(records, JSON.stringify(known));
    const operations = process.env['TRIAL_OPERATIONS']?.split(',') ?? Object.keys(known);
    const failed: string[] = [];
    let cases = 0;
    const testNext = async (): Promise<void> => {
      const group = operations.splice(0, groupSize);
      if (group.length === 0) return;
      const args = ['--config-file', config, 'run', `${world.base}/openapi.json`];
      args.push('--header', `Authorization: Bearer ${tenant.key}`, '--continue-on-failure', '--no-color');
      args.push('--max-examples', String(examples), '--seed', String(seed));
      for (const operation of group) args.push('--include-operation-id', operation);
      const child = spawn(schemathesis, args, {
        cwd: folder,
        env: { ...process.env, SCHEMATHESIS_HOOKS: hooks, TRIAL_RECORDS: records },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [report, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      const generated = Number(/(\d+) generated/.exec(report)?.[1] ?? 0);
      cases += generated;
      console.log(`${code === 0 ? 'passed' : 'failed'}  ${generated} cases of ${group.join(', ')}`);
      if (code !== 0) {
        failed.push(...group);
        console.log(report.slice(Math.max(0, report.search(/^=+ (?:FAILURES|ERRORS)/m))));
      }
      await testNext();
    };
    await Promise.all(Array.from({ length: processes }, testNext));
    console.log(
      `${cases} cases; ${failed.length === 0 ? 'no failures' : `failures of ${failed.join(', ')}`}`,
    );
    return failed.length === 0;
  } finally {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function prepare(databaseUrl: string): Promise<void> {
  const say = (line: string) => console.error(line);
  const knex = openPool({ connectionString: databaseUrl, mode: 'write', max: 1, warn: say });
  await migrate(knex, databaseUrl, say, jobsSchema);
  await knex.destroy();
}

/** The inputs that name records, by their place in a request. */
interface KnownRecords {
  readonly path: Input;
  readonly body: Input;
  /** The token of a session, in place of the key. */
  readonly token?: string;
}

/** What a visitor's page sends to a session. */
const sessionOperations = [
  'read_web_session',
  'send_web_session_message',
  'send_web_session_recording',
  'end_web_session',
];

/** Begins a session for each operation of visitors, so that none ends that of another. */
async function recordsOfSessions(world: World): Promise<Record<string, KnownRecords>> {
  const project = await openSessionProject(world);
  const webAgentId = await project.agentOf(desk);
  const records: Record<string, KnownRecords> = {};
  for (const operation of sessionOperations) {
    const visit = await project.visit(webAgentId);
    await visit.start();
    records[operation] = { path: { sessionId: visit.id }, body: {}, token: visit.token };
  }
  return records;
}

/** Makes what the example of each operation needs, and returns the inputs that name it, by operation. */
async function recordsOfEachOperation(world: World, tenant: Tenant): Promise<Record<string, KnownRecords>> {
  const records: Record<string, KnownRecords> = {};
  for (const tool of tools) {
    const { params, body } = partsOf(tool, await exampleOf(tool).input(arrangeIn(world, tenant)));
    const references = Object.entries(body).filter(([, value]) => [value].flat().every(isId));
    records[tool.name] = { path: params, body: Object.fromEntries(references) };
  }
  return records;
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && kindOfId(value) !== undefined;
}

await runAsScript(
  import.meta.url,
  'examples',
  200,
  (databaseUrl, examples, { seed = 1 }) => runSchemathesis(databaseUrl, examples, seed),
  { seed: 1 },
);
