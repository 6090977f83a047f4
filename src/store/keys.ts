import { statement } from '../db/statement.ts';
import { newId } from '../id.ts';
import { newestFirst, type Page, type PageRequest } from './page.ts';
import { only, timestamp } from './queries.ts';
import { TenantStore } from './tenant-store.ts';

export type KeyTypeName = 'publishable' | 'secret';
export type KeyScopeName = 'service_app' | 'service_platform' | 'platform';

/** An API key without its text (service-api#api-key). */
export interface KeyRecord {
  id: string;
  projectId: string;
  name: string;
  keyType: KeyTypeName;
  scope: KeyScopeName;
  keyPrefix: string;
  last4: string;
  status: 'active' | 'revoked';
  lastUsedAt: string | null;
}

export interface KeyRow {
  project_id: string;
  id: string;
  name: string;
  key_type: KeyTypeName;
  scope: KeyScopeName;
  /** Null if the key has all that its scope allows. */
  access: readonly string[] | null;
  hash: Buffer;
  key_prefix: string;
  last4: string;
  status: 'active' | 'revoked';
  last_used_at: Date | null;
  created_at: Date;
}

const columns = [
  'id',
  'project_id',
  'name',
  'key_type',
  'scope',
  'key_prefix',
  'last4',
  'status',
  'last_used_at',
] as const;

/** A key as it is stored: its hash and the parts of its text that may be shown. */
export interface NewKey {
  readonly name: string;
  readonly keyType: KeyTypeName;
  readonly scope: KeyScopeName;
  /** What the key is narrowed to; all that its scope allows if left out. */
  readonly access?: readonly string[] | null;
  readonly hash: Buffer;
  readonly keyPrefix: string;
  readonly last4: string;
}

const findKey = statement('find_key', (knex, $) =>
  knex('api_keys')
    .select(...columns)
    .where({ project_id: $(0), id: $(1) }),
);

function toKey(row: Pick<KeyRow, (typeof columns)[number]>): KeyRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    keyType: row.key_type,
    scope: row.scope,
    keyPrefix: row.key_prefix,
    last4: row.last4,
    status: row.status,
    lastUsedAt: row.last_used_at && timestamp(row.last_used_at),
  };
}

/** The keys of a project. */
export class KeyStore extends TenantStore {
  async find(id: string): Promise<KeyRecord | undefined> {
    const row = await this.read(findKey, id);
    return row && toKey(row);
  }

  /** Lists the keys, newest first, including revoked ones. */
  list(page: PageRequest): Promise<Page<KeyRecord>> {
    return newestFirst(this.table('api_keys').select(...columns), page, toKey);
  }

  async create(key: NewKey): Promise<KeyRecord> {
    const rows = await this.unbound('api_keys')
      .insert({
        project_id: this.projectId,
        id: newId('key'),
        name: key.name,
        key_type: key.keyType,
        scope: key.scope,
        access: key.access ?? null,
        hash: key.hash,
        key_prefix: key.keyPrefix,
        last4: key.last4,
      })
      .returning([...columns]);
    return toKey(only(rows));
  }

  /** Locks keys for this transaction, always in the same order, and returns them as they are after the lock. */
  async lock(ids: readonly string[]): Promise<Map<string, KeyRecord>> {
    const rows = await this.table('api_keys')
      .select(...columns)
      .whereIn('id', ids)
      .orderBy('id')
      .forUpdate();
    return new Map(rows.map((row) => [row.id, toKey(row)]));
  }

  /** Revokes a key; a key that is revoked already stays as it is. */
  async revoke(id: string): Promise<KeyRecord | undefined> {
    const [row] = await this.table('api_keys')
      .where({ id })
      .update({ status: 'revoked' })
      .returning([...columns]);
    return row && toKey(row);
  }
}
