import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Knex } from 'knex';
import { outsideNames } from '../src/design/facts.ts';
import type { Design } from '../src/design/schema/design.ts';
import { openEmbedded } from '../src/postgres/embedded/embedded.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { openPool } from '../src/postgres/pool.ts';
import { mintKey } from '../src/resources/keys/key.ts';
import { storesIn } from '../src/resources/project-stores.ts';
import { createOrganization, createProject } from '../src/resources/projects/provisioning.ts';
import { jsonDocument } from '../src/store/json-document.ts';
import { only } from '../src/store/queries.ts';
import { realDesign } from '../test/designs/real-designs.ts';

/** The database of a run, with a project. */
export interface World {
  readonly databaseUrl: string;
  readonly postgres: string;
  /** The process id of the Postgres server. */
  readonly postmaster: number;
  /** The value of `PARLEY_SECRET_KEY`. */
  readonly secretKey: string;
  readonly projectId: string;
  /** A secret key of the project. */
  readonly key: string;
  /** Returns the project of a connection, for rows in which each connection has its own. */
  projectOf(connection: number): ProjectWithKey;
  /** One of many flows. */
  readonly flowId: string;
  readonly conversationId: string;
  /** The design of the conversation, with 200 steps. */
  readonly design: Design;
  /** A design with 20 steps. */
  readonly smallDesign: Design;
  close(): Promise<void>;
}

export interface ProjectWithKey {
  readonly projectId: string;
  readonly key: string;
}

/** What a run may choose. */
export interface WorldChoices {
  /** The URL of another Postgres server, on this machine, as a superuser; by default, the bench starts its own. */
  readonly postgres?: string | undefined;
  /** The URL of a PgBouncer in front of it, through which both programs connect to any database. */
  readonly pooler?: string | undefined;
  /** Flows of the project. */
  readonly flows?: number | undefined;
}

/** The bench has its own Postgres server, so that tests do not load it. */
const home = path.resolve(import.meta.dirname, '../.parley-test/bench');
const projectsOfConnections = 32;
const log = (line: string) => console.error(line);

/** Starts Postgres if it does not run, and creates a migrated database with records. */
export async function openWorld({
  postgres: given,
  pooler,
  flows = 1000,
}: WorldChoices = {}): Promise<World> {
  const server =
    given === undefined ? await openEmbedded(home, log) : { url: given, leave: () => Promise.resolve() };
  const admin = openPool({ connectionString: server.url, mode: 'write', max: 1, warn: log });
  const database = `bench_${randomBytes(6).toString('hex')}`;
  const close = async () => {
    await admin.raw(`drop database if exists ${database} with (force)`);
    await admin.destroy();
    await server.leave();
  };
  try {
    await admin.raw(`create database ${database}`);
    const { rows } = await admin.raw<{ rows: { version: string; postmaster: number }[] }>(
      `select current_setting('server_version') as version,
        cast(split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as integer) as postmaster`,
    );
    const [running] = rows;
    if (!running) throw new Error('Postgres does not return its version');
    const urlAt = (url: string) => Object.assign(new URL(url), { pathname: database }).href;
    const seeded = await seed(urlAt(server.url), flows);
    const databaseUrl = urlAt(pooler ?? server.url);
    const secretKey = randomBytes(32).toString('base64');
    const { version: postgres, postmaster } = running;
    return { databaseUrl, postgres, postmaster, secretKey, ...seeded, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function seed(connectionString: string, flows: number) {
  const db = openPool({ connectionString, mode: 'write', max: 2, warn: log });
  try {
    await migrate(db, connectionString, log);
    const made = await db.transaction(async (trx) => {
      const project = await makeProject(trx, 'Bench');
      const projects: ProjectWithKey[] = [];
      for (let count = 1; count <= projectsOfConnections; count++)
        projects.push(await makeProject(trx, `Bench ${count}`));
      const projectOf = (connection: number) => only(projects.slice(connection, connection + 1));
      return { ...project, projectOf, flowId: await makeFlows(trx, project.projectId, flows) };
    });
    const seeded = { ...made, ...(await makeConversation(db, made.projectId)) };
    await db.raw('vacuum analyze');
    return seeded;
  } finally {
    await db.destroy();
  }
}

async function makeProject(trx: Knex, name: string): Promise<ProjectWithKey> {
  const organizationId = await createOrganization(trx, name);
  const projectId = await createProject(trx, { name, organizationId, plan: 'enterprise' });
  const { text: key, ...stored } = mintKey('secret');
  const platform = { name: 'Bench', keyType: 'secret', scope: 'platform', access: null } as const;
  await storesIn(trx, projectId).keys.create({ ...platform, ...stored });
  return { projectId, key };
}

/** Returns the id of one of the flows. */
async function makeFlows(trx: Knex, projectId: string, flows: number): Promise<string> {
  const stores = storesIn(trx, projectId);
  const flowSchema = jsonDocument({ greeting: 'Hello', language: 'en' });
  const ids: string[] = [];
  for (let count = 0; count < flows; count++) {
    const flow = {
      name: `Flow ${count}`,
      type: 'simple',
      description: 'Seeded',
      agentProfileId: null,
    } as const;
    ids.push((await stores.flows.create({ ...flow, flowSchema })).id);
  }
  return ids[flows >> 1] ?? '';
}

async function makeConversation(db: Knex, projectId: string) {
  const rows = async (sql: string, values: unknown[] = []) => {
    // Knex uses question marks for parameters; pg uses numbers.
    const { rows: found } = await db.raw<{ rows: Record<string, unknown>[] }>(
      sql.replaceAll(/\$\d/g, '?'),
      values as string[],
    );
    return found;
  };
  const design = await realDesign({ rows }, { projectId }, 'large-insurance');
  const smallDesign = await realDesign({ rows }, { projectId }, 'utility-outage');
  const conversation = { name: 'Insurance', description: null, kind: 'advanced', agentId: null } as const;
  const { id } = await storesIn(db, projectId).conversations.create({
    ...conversation,
    design: jsonDocument(design),
    references: outsideNames(design),
    isApproved: true,
  });
  return { conversationId: id, design, smallDesign };
}
