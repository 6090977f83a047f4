import { hash, randomBytes } from 'node:crypto';
import { newId, type Transact } from './database.ts';

const insertKey = {
  name: 'insert_key',
  text: `insert into api_keys (project_id, id, name, key_type, scope, hash, key_prefix, last4)
    values ($1, $2, $3, $4, $5, $6, $7, $8) returning status, last_used_at`,
};

/** The input of a new key. */
export interface NewKey {
  readonly keyType: string;
  readonly name: string;
  readonly scope: string;
}

/** Creates a key with one insert. Only the hash is stored. */
export function mintKey(transact: Transact, projectId: string, { keyType, name, scope }: NewKey) {
  const id = newId('cak');
  const key = `parley_pk_${randomBytes(24).toString('hex')}x`;
  const [keyPrefix, last4] = [key.slice(0, 14), key.slice(-4)];
  const digest = hash('sha256', key, 'buffer');
  return transact(async (client) => {
    const values = [projectId, id, name, keyType, scope, digest, keyPrefix, last4];
    const { rows } = await client.query<Record<string, unknown>>({ ...insertKey, values });
    const { status, last_used_at: lastUsedAt } = rows[0] ?? {};
    return { id, projectId, name, keyType, scope, keyPrefix, last4, status, lastUsedAt, key };
  });
}
