import { hash } from 'node:crypto';
import pg from 'pg';

/** A pool of the default size, as in pg's documentation. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });

/** The project of each known key, by the key's SHA-256 hash. */
const projects = new Map<string, string>();

/** Returns the project of a key, cached; undefined for an unknown key. */
export function projectOf(
  authorization: string | undefined,
): string | undefined | Promise<string | undefined> {
  if (!authorization?.startsWith('Bearer ')) return undefined;
  const digest = hash('sha256', authorization.slice('Bearer '.length));
  return projects.get(digest) ?? findProject(digest);
}

async function findProject(digest: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ project_id: string }>(
    `select project_id from api_keys where hash = decode($1, 'hex') and status = 'active'`,
    [digest],
  );
  if (rows[0]) projects.set(digest, rows[0].project_id);
  return rows[0]?.project_id;
}

/** A flow in a response. */
function flowOf(row: Record<string, unknown>) {
  return {
    id: row['id'],
    projectId: row['project_id'],
    name: row['name'],
    type: row['type'],
    description: row['description'],
    agentProfileId: row['agent_profile_id'],
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
  };
}

const columns = 'id, project_id, name, type, description, agent_profile_id, created_at, updated_at';

const selectFlow = {
  name: 'find_flow',
  text: `select ${columns} from flows where project_id = $1 and id = $2`,
};

/** Returns a flow of a project, with a named statement. */
export async function findFlow(projectId: string, id: string) {
  const { rows } = await pool.query({ ...selectFlow, values: [projectId, id] });
  return rows[0] && flowOf(rows[0]);
}

const insertFlow = {
  name: 'insert_flow',
  text: `insert into flows (project_id, id, name, type, description, newest_version)
    values ($1, $2, $3, $4, $5, 1) returning ${columns}`,
};

const insertVersion = {
  name: 'insert_version',
  text: `insert into flow_versions
    (project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active)
    values ($1, $2, $3, 1, 'v1', $4, $5, true)`,
};

/** The input of a new flow. */
export interface NewFlow {
  readonly id: string;
  readonly versionId: string;
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
  readonly flowSchema: unknown;
}

/** Creates a flow and its first version: BEGIN, two inserts by named statements, COMMIT. */
export async function createFlow(projectId: string, made: NewFlow) {
  const schema = JSON.stringify(made.flowSchema);
  const client = await pool.connect();
  try {
    await client.query('begin');
    const values = [projectId, made.id, made.name, made.type, made.description];
    const { rows } = await client.query({ ...insertFlow, values });
    const version = [projectId, made.versionId, made.id, schema, Buffer.byteLength(schema)];
    await client.query({ ...insertVersion, values: version });
    await client.query('commit');
    return rows[0] && flowOf(rows[0]);
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const insertDesign = {
  name: 'insert_design',
  text: `insert into conversation_versions (project_id, conversation_id, n, tag, design, design_bytes)
    values ($1, $2, $3, $4, $5, $6) returning n, tag, created_at`,
};

/** Version numbers start here, above those that Parley uses in the same database. */
let newest = 1_000_000_000;

/** Stores a design as a version, with one insert. */
export async function writeVersion(projectId: string, conversationId: string, design: unknown) {
  const text = JSON.stringify(design);
  newest += 1;
  const values = [projectId, conversationId, newest, `v${newest}`, text, Buffer.byteLength(text)];
  const { rows } = await pool.query({ ...insertDesign, values });
  const { n, tag, created_at } = (rows as Record<string, unknown>[])[0] ?? {};
  return { n: Number(n), tag, isActive: false, createdAt: created_at, design };
}
