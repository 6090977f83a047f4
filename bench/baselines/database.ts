import { hash, randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';

/** A pool of the default size, as in pg's documentation. */
export const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });

/** Who calls: a key and its project. */
export interface Caller {
  readonly projectId: string;
  readonly keyId: string;
}

/** The caller behind each known key, by the key's SHA-256 hash. */
const callers = new Map<string, Caller>();

/** Returns the caller behind a key, cached; undefined for an unknown key. */
export function callerOf(
  authorization: string | undefined,
): Caller | undefined | Promise<Caller | undefined> {
  if (!authorization?.startsWith('Bearer ')) return undefined;
  const digest = hash('sha256', authorization.slice('Bearer '.length));
  return callers.get(digest) ?? findCaller(digest);
}

async function findCaller(digest: string): Promise<Caller | undefined> {
  const { rows } = await pool.query<Caller>(
    `select project_id as "projectId", id as "keyId" from api_keys
      where hash = decode($1, 'hex') and status = 'active'`,
    [digest],
  );
  if (rows[0]) callers.set(digest, rows[0]);
  return rows[0];
}

/** Runs statements between BEGIN and COMMIT. */
export type Transact = <Result>(work: (client: pg.PoolClient) => Promise<Result>) => Promise<Result>;

export const inTransaction: Transact = async (work) => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
};

const selectStatus = {
  name: 'select_status',
  text: `select key.status, project.status as project_status
    from api_keys as key join projects as project on project.id = key.project_id
    where key.project_id = $1 and key.id = $2`,
};

const insertAuditRow = {
  name: 'insert_audit_row',
  text: `insert into audit_log (project_id, id, key_id, operation, request_id, input_hash, output_hash)
    values ($1, $2, $3, $4, $5, $6, $7)`,
};

/**
 * Returns transactions with the statements of every write of Parley: they begin with the status of the key, and end with
 * an audit row. Both hashes of the row are the request's.
 */
export function auditedTransaction({ projectId, keyId }: Caller, operation: string, body: string): Transact {
  return (work) =>
    inTransaction(async (client) => {
      const { rows } = await client.query({ ...selectStatus, values: [projectId, keyId] });
      if (rows[0]?.status !== 'active') throw new Error('the key is revoked');
      const result = await work(client);
      const digest = hash('sha256', body);
      const values = [projectId, newId('aud'), keyId, operation, randomUUID(), digest, digest];
      await client.query({ ...insertAuditRow, values });
      return result;
    });
}

/** Returns an id as long as Parley's that also sorts by time, so that the index costs the same. */
export function newId(prefix: string): string {
  return prefix + Date.now().toString(32).padStart(10, '0') + randomBytes(8).toString('hex');
}
