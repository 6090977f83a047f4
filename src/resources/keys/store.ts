import { newId } from '../../platform/id.ts';
import { statement } from '../../postgres/statement.ts';
import { newestFirst, type Page, type PageRequest } from '../../store/page.ts';
import { only, timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';

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

/** A key with what Parley adds to the contract's record. */
export interface RestrictableKey extends KeyRecord {
  /** What the key is narrowed to; null for all that its scope allows. */
  narrowedTo: readonly string[] | null;
  expiresAt: string | null;
  /** The client that signed in through OAuth with this key; null for any other key. */
  oauthClient: string | null;
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
  expires_at: Date | null;
  /** The key that made this one, if a key did. */
  minted_by: string | null;
  oauth_client: string | null;
}

const columns = [
  'id',
  'project_id',
  'name',
  'key_type',
  'scope',
  'access',
  'key_prefix',
  'last4',
  'status',
  'last_used_at',
  'expires_at',
  'oauth_client',
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

/** A key that another key makes. */
export interface RestrictedKey extends NewKey {
  readonly mintedBy: string;
  readonly expiresAt: Date | null;
  /** The client that signs in through OAuth with this key. */
  readonly oauthClient?: string | null;
}

/** `least` ignores nulls, which never expire. */
const restrictKey = `
  update api_keys as made
  set minted_by = maker.id, expires_at = least(cast(:expiresAt as timestamptz), maker.expires_at),
    oauth_client = :oauthClient
  from api_keys as maker
  where made.project_id = :projectId and made.id = :id
    and maker.project_id = :projectId and maker.id = :mintedBy
  returning ${columns.map((column) => `made.${column}`).join(', ')}`;

/** Revokes the keys that a query selects, and the keys that they have made. */
const revokeKeys = (selected: string) => `
  with recursive ended as (
    (${selected})
    union all
    select key.project_id, key.id from api_keys key
    join ended on key.project_id = ended.project_id and key.minted_by = ended.id
  )
  update api_keys as key set status = 'revoked' from ended
  where key.project_id = ended.project_id and key.id = ended.id
  returning ${columns.map((column) => `key.${column}`).join(', ')}`;

const revokeKey = revokeKeys(
  'select project_id, id from api_keys where project_id = :projectId and id = :id',
);

const revokeSignIns = revokeKeys(`
  select project_id, id from api_keys
  where project_id = :projectId and minted_by = :mintedBy and oauth_client = :oauthClient
    and status = 'active' and expires_at > now()
  order by coalesce(last_used_at, created_at) desc offset :kept`);

/**
 * Leaves out sign-ins through OAuth that have ended: clients sign in again and again, and nobody can use these keys. The
 * first condition is that of an index; the second is false for few of its rows, because the purge revokes expired sign-ins.
 */
export const isListedKey = `(oauth_client is null or status = 'active') and (oauth_client is null or expires_at > now())`;

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
    status: isExpired(row) ? 'revoked' : row.status,
    lastUsedAt: row.last_used_at && timestamp(row.last_used_at),
  };
}

function toRestrictable(row: Pick<KeyRow, (typeof columns)[number]>): RestrictableKey {
  const { access: narrowedTo, expires_at: expiry, oauth_client: oauthClient } = row;
  return { ...toKey(row), narrowedTo, expiresAt: expiry && timestamp(expiry), oauthClient };
}

/** The contract knows two states; a key that has expired is shown as what it is equal to. */
function isExpired({ expires_at: expiry }: Pick<KeyRow, 'expires_at'>): boolean {
  return expiry !== null && expiry.getTime() <= Date.now();
}

/** The keys of a project. */
export class KeyStore extends TenantStore {
  async find(id: string): Promise<RestrictableKey | undefined> {
    const row = await this.read(findKey, id);
    return row && toRestrictable(row);
  }

  /** Lists the keys, newest first, including revoked ones, but not the sign-ins through OAuth that have ended. */
  list(page: PageRequest): Promise<Page<RestrictableKey>> {
    const listed = this.table('api_keys').select(...columns);
    return newestFirst(listed.whereRaw(isListedKey), page, toRestrictable);
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

  /** Creates a key that ends with the key that makes it: it expires no later, and is revoked with it. */
  async createRestricted({
    mintedBy,
    expiresAt,
    oauthClient = null,
    ...key
  }: RestrictedKey): Promise<RestrictableKey> {
    const { id } = await this.create(key);
    const [row] = await this.sql<KeyRow>(restrictKey, { id, mintedBy, expiresAt, oauthClient });
    if (!row) throw new Error('the key that makes another one is gone');
    return toRestrictable(row);
  }

  /** Revokes a key, and the keys that it has made. A key that is revoked already stays as it is. */
  async revoke(id: string): Promise<KeyRecord | undefined> {
    const rows = await this.sql<KeyRow>(revokeKey, { id });
    const row = rows.find((one) => one.id === id);
    return row && toKey(row);
  }

  /**
   * Revokes those sign-ins of a client with a key that were not used for the longest time.
   * @param kept how many stay
   * @returns the sign-ins that have ended
   */
  async revokeSignIns(mintedBy: string, oauthClient: string, kept: number): Promise<KeyRecord[]> {
    const rows = await this.sql<KeyRow>(revokeSignIns, { mintedBy, oauthClient, kept });
    return rows.filter((row) => row.oauth_client !== null).map(toKey);
  }
}
