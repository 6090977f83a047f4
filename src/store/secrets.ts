import { type Page, type PageRequest, pageOf } from './page.ts';
import { now, only, type Queries, timestamp } from './queries.ts';

/** A secret of a project without its value, which no operation reads (`decisions` 10). */
export interface Secret {
  name: string;
  createdAt: string;
  updatedAt: string;
}

interface SecretRow {
  project_id: string;
  name: string;
  sealed_value: Buffer;
  created_at: Date;
  updated_at: Date;
}

/** The secrets of a project. */
export class SecretStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  /** By name; the cursor is one. */
  async list(page: PageRequest): Promise<Page<Secret>> {
    const query = this.#rows()
      .select('name', 'created_at', 'updated_at')
      .orderBy('name')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('name', '>', page.cursor);
    return pageOf((await query).map(toSecret), page, ({ name }) => name);
  }

  /** Makes a secret, or gives it another value. */
  async set(name: string, sealed: Buffer): Promise<Secret> {
    const rows = await this.#queries
      .knex<SecretRow>('secrets')
      .insert({ project_id: this.#projectId, name, sealed_value: sealed })
      .onConflict(['project_id', 'name'])
      .merge({ sealed_value: sealed, updated_at: now(this.#queries.knex) })
      .returning(['name', 'created_at', 'updated_at']);
    return toSecret(only(rows));
  }

  /** False where there is none of this name. */
  async remove(name: string): Promise<boolean> {
    return (await this.#rows().where({ name }).delete()) > 0;
  }

  #rows() {
    return this.#queries.knex<SecretRow>('secrets').where({ project_id: this.#projectId });
  }
}

function toSecret({
  name,
  created_at,
  updated_at,
}: Pick<SecretRow, 'name' | 'created_at' | 'updated_at'>): Secret {
  return { name, createdAt: timestamp(created_at), updatedAt: timestamp(updated_at) };
}
