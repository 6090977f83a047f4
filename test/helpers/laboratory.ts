import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { KeyType } from '../../src/operation/access.ts';
import { openEmbedded } from '../../src/postgres/embedded/embedded.ts';
import { openPool } from '../../src/postgres/pool.ts';
import { mintKey } from '../../src/resources/keys/key.ts';
import { storesIn } from '../../src/resources/project-stores.ts';
import {
  createOrganization,
  createProject,
  type NewProject,
} from '../../src/resources/projects/provisioning.ts';
import { databaseAt } from './global-setup.ts';
import { testHome } from './test-home.ts';
import type { Tenant } from './world.ts';

const say = (line: string) => console.error(line);

/** Creates tenants in the database of servers in other processes, and reads the rows that they write. */
export function openLaboratory(connectionString: string) {
  const knex = openPool({ connectionString, mode: 'write', max: 2, warn: say });
  const key = async (projectId: string, keyType: KeyType = 'secret') => {
    const { text, ...stored } = mintKey(keyType);
    const scope = keyType === 'secret' ? 'platform' : 'service_app';
    const record = { name: 'Key', keyType, scope } as const;
    const { id } = await storesIn(knex, projectId).keys.create({ ...record, ...stored });
    return { keyId: id, key: text };
  };
  return {
    key,
    async tenant(project: Partial<NewProject> = {}): Promise<Tenant> {
      const organizationId = await createOrganization(knex, 'Org');
      const projectId = await createProject(knex, { name: 'Project', ...project, organizationId });
      return { organizationId, projectId, ...(await key(projectId)) };
    },
    async rows<Row>(sql: string, values: pg.QueryResultRow): Promise<Row[]> {
      return (await knex.raw<{ rows: Row[] }>(sql, values)).rows;
    },
    close: () => knex.destroy(),
  };
}

export type Laboratory = ReturnType<typeof openLaboratory>;

/**
 * Calls `run` if its module is the script that Node.js was started with. Creates a database on the tests'
 * Postgres for the run, and drops it afterwards. `option` names the number that the command line may set;
 * `more` has further ones. Sets the exit status 1 if `run` returns false.
 */
export async function runAsScript(
  moduleUrl: string,
  option: string,
  preset: number,
  run: (databaseUrl: string, count: number, more: Readonly<Record<string, number>>) => Promise<boolean>,
  more: Readonly<Record<string, number>> = {},
): Promise<void> {
  if (process.argv[1] === undefined || path.resolve(process.argv[1]) !== fileURLToPath(moduleUrl)) return;
  const presets = Object.entries({ ...more, [option]: preset });
  const { values } = parseArgs({
    options: Object.fromEntries(
      presets.map(([name, value]) => [name, { type: 'string', default: String(value) }] as const),
    ),
  });
  const numbers = Object.fromEntries(presets.map(([name]) => [name, Number(values[name])]));
  const server = await openEmbedded(testHome, say);
  const name = `faults_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  try {
    await admin.query(`create database ${name}`);
    const count = numbers[option] ?? preset;
    if (!(await run(databaseAt(server.url, name), count, numbers))) process.exitCode = 1;
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
    await server.leave();
  }
}
