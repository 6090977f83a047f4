import type { Prepared, PreparedReader } from '../../postgres/prepared.ts';
import type { KeyRow, KeyScopeName, KeyTypeName } from './store.ts';

/** What never changes about a key, so that it may be cached. */
export interface Identity {
  readonly keyId: string;
  readonly projectId: string;
  readonly keyType: KeyTypeName;
  readonly scope: KeyScopeName;
  /** Null if the key has all the access of its scope. */
  readonly access: readonly string[] | null;
}

type IdentityRow = Pick<KeyRow, 'id' | 'project_id' | 'key_type' | 'scope' | 'access'>;

/** Written by hand, because a process that only lists tools needs nothing else of the database. */
const identityOf: Prepared<IdentityRow> = {
  name: 'identity',
  text: 'select id, project_id, key_type, scope, access from api_keys where hash = $1',
  order: [0],
};

/** The identity of the key with this SHA-256. */
export async function findIdentity(reader: PreparedReader, hash: Buffer): Promise<Identity | undefined> {
  const [row] = await reader.query(identityOf, [hash]);
  if (!row) return undefined;
  return {
    keyId: row.id,
    projectId: row.project_id,
    keyType: row.key_type,
    scope: row.scope,
    access: row.access,
  };
}
