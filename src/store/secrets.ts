import { type Page, type PageRequest, pageOf } from './page.ts';
import { now, only, timestamp } from './queries.ts';
import { TenantStore } from './tenant-store.ts';

/** A secret of a project without its value, which no operation reads (decisions#secrets). */
export interface Secret {
  name: string;
  createdAt: string;
  updatedAt: string;
}

export interface SecretRow {
  project_id: string;
  name: string;
  sealed_value: Buffer;
  created_at: Date;
  updated_at: Date;
}

const columns = ['name', 'created_at', 'updated_at'] as const;

/** The secrets of a project. */
export class SecretStore extends TenantStore {
  /** Lists the secrets by name; the cursor is a name. */
  async list(page: PageRequest): Promise<Page<Secret>> {
    const query = this.table('secrets')
      .select(...columns)
      .orderBy('name')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('name', '>', page.cursor);
    return pageOf((await query).map(toSecret), page, ({ name }) => name);
  }

  /** The encrypted values of these names; a name without a secret is left out. */
  async sealed(names: readonly string[]): Promise<{ name: string; value: Buffer }[]> {
    const rows = await this.table('secrets')
      .select('name', 'sealed_value')
      .whereIn('name', [...names]);
    return rows.map(({ name, sealed_value }) => ({ name, value: sealed_value }));
  }

  /** Creates a secret or replaces its value. */
  async set(name: string, sealed: Buffer): Promise<Secret> {
    const rows = await this.unbound('secrets')
      .insert({ project_id: this.projectId, name, sealed_value: sealed })
      .onConflict(['project_id', 'name'])
      .merge({ sealed_value: sealed, updated_at: now() })
      .returning([...columns]);
    return toSecret(only(rows));
  }

  /** Returns false if the project has no such secret. */
  async remove(name: string): Promise<boolean> {
    return (await this.table('secrets').where({ name }).delete()) > 0;
  }
}

function toSecret(row: Pick<SecretRow, (typeof columns)[number]>): Secret {
  return { name: row.name, createdAt: timestamp(row.created_at), updatedAt: timestamp(row.updated_at) };
}
