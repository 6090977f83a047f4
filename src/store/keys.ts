import { statement } from '../db/pipelined.ts';
import { newId } from '../id.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';
import { only, type Queries, timestamp } from './queries.ts';

export type KeyTypeName = 'publishable' | 'secret';
export type KeyScopeName = 'service_app' | 'service_platform' | 'platform';

/** API key, `service-api` part 2: never the key itself. */
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

interface KeyRow {
  id: string;
  project_id: string;
  name: string;
  key_type: KeyTypeName;
  scope: KeyScopeName;
  key_prefix: string;
  last4: string;
  status: 'active' | 'revoked';
  last_used_at: Date | null;
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

/** A key as it is stored: its hash, and what may be shown of it. */
export interface NewKey {
  readonly name: string;
  readonly keyType: KeyTypeName;
  readonly scope: KeyScopeName;
  /** What the key is narrowed to; all that its scope allows where it is left out. */
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

function toKey(row: KeyRow): KeyRecord {
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
export class KeyStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  async find(id: string): Promise<KeyRecord | undefined> {
    const [row] = await this.#queries.point.query(findKey, [this.#projectId, id]);
    return row && toKey(row as unknown as KeyRow);
  }

  /** Newest first, revoked ones included. */
  async list(page: PageRequest): Promise<Page<KeyRecord>> {
    const query = this.#keys()
      .select(...columns)
      .orderBy('id', 'desc')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('id', '<', page.cursor);
    return pageOf((await query).map(toKey), page, ({ id }) => id);
  }

  /** Stores a key under a new id. */
  async create(key: NewKey): Promise<KeyRecord> {
    const rows = await this.#queries
      .knex<KeyRow>('api_keys')
      .insert({
        project_id: this.#projectId,
        id: newId('key'),
        name: key.name,
        key_type: key.keyType,
        scope: key.scope,
        access: key.access ?? null,
        hash: key.hash,
        key_prefix: key.keyPrefix,
        last4: key.last4,
      } as Partial<KeyRow>)
      .returning([...columns]);
    return toKey(only(rows));
  }

  /** Locks keys for this transaction, always in the same order, and reads them as they now are. */
  async lock(ids: readonly string[]): Promise<Map<string, KeyRecord>> {
    const rows = await this.#keys()
      .select(...columns)
      .whereIn('id', ids)
      .orderBy('id')
      .forUpdate();
    return new Map(rows.map((row) => [row.id, toKey(row)]));
  }

  /** Revokes a key; revoked already, it stays as it is. */
  async revoke(id: string): Promise<KeyRecord | undefined> {
    const rows = await this.#keys()
      .where({ id })
      .update({ status: 'revoked' })
      .returning([...columns]);
    return rows[0] && toKey(rows[0]);
  }

  #keys() {
    return this.#queries.knex<KeyRow>('api_keys').where({ project_id: this.#projectId });
  }
}
