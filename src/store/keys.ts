import { statement } from '../db/pipelined.ts';
import { type Queries, timestamp } from './queries.ts';

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

const findKey = statement('find_key', (knex, $) =>
  knex('api_keys')
    .select('id', 'project_id', 'name', 'key_type', 'scope', 'key_prefix', 'last4', 'status', 'last_used_at')
    .where({ project_id: $(0), id: $(1) }),
);

/** The keys of a project. */
export class KeyStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  async find(id: string): Promise<KeyRecord | undefined> {
    const rows = await this.#queries.point.query(findKey, [this.#projectId, id]);
    const row = rows[0] as KeyRow | undefined;
    return (
      row && {
        id: row.id,
        projectId: row.project_id,
        name: row.name,
        keyType: row.key_type,
        scope: row.scope,
        keyPrefix: row.key_prefix,
        last4: row.last4,
        status: row.status,
        lastUsedAt: row.last_used_at && timestamp(row.last_used_at),
      }
    );
  }
}
