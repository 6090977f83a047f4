import { type Page, type PageRequest, pageOf } from '../../store/page.ts';
import { now, only, timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';

/** A secret of a project without its value, which no operation reads (decisions#secrets). */
export interface Secret {
  name: string;
  /** The hosts to which requests may send it; null: nobody has bound it since before secrets were bound. */
  hosts: string[] | null;
  /** The headers that may hold it. */
  headers: string[];
  /** True if the path and the query of a URL may hold it. */
  inUrl: boolean;
  createdAt: string;
  updatedAt: string;
}

/** Where a secret may be sent. */
export interface StoredBinding {
  readonly hosts: readonly string[];
  readonly headers: readonly string[];
  readonly inUrl: boolean;
}

/** An encrypted secret; `binding` is null if nobody has bound it. */
interface SealedSecret {
  readonly name: string;
  readonly value: Buffer;
  readonly binding: StoredBinding | null;
}

export interface SecretRow {
  project_id: string;
  name: string;
  sealed_value: Buffer;
  hosts: string[] | null;
  headers: string[];
  in_url: boolean;
  created_at: Date;
  updated_at: Date;
}

const bindingColumns = ['hosts', 'headers', 'in_url'] as const;
const columns = ['name', ...bindingColumns, 'created_at', 'updated_at'] as const;

/** Tells a cursor from any other word. */
const cursorPrefix = 'name:';

/** The secrets of a project. */
export class SecretStore extends TenantStore {
  /** Lists the secrets by name; the cursor is `name:` and a name. */
  async list(page: PageRequest): Promise<Page<Secret>> {
    const query = this.table('secrets')
      .select(...columns)
      .orderBy('name')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('name', '>', page.cursor.slice(cursorPrefix.length));
    return pageOf((await query).map(toSecret), page, ({ name }) => `${cursorPrefix}${name}`);
  }

  /** The encrypted values of these names; a name without a secret is left out. */
  async sealed(names: readonly string[]): Promise<SealedSecret[]> {
    const rows = await this.table('secrets')
      .select('name', 'sealed_value', ...bindingColumns)
      .whereIn('name', [...names]);
    return rows.map(({ name, sealed_value, hosts, headers, in_url }) => ({
      name,
      value: sealed_value,
      binding: hosts && { hosts, headers, inUrl: in_url },
    }));
  }

  /** Those of the names for which the project has a secret. */
  async existing(names: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.table('secrets')
      .select('name')
      .whereIn('name', [...names]);
    return new Set(rows.map(({ name }) => name));
  }

  /** Creates a secret or replaces its value. Without a binding, that of the present one stays, and a new one goes nowhere. */
  async set(name: string, sealed: Buffer, binding: StoredBinding | undefined): Promise<Secret> {
    const bound = binding && rowOf(binding);
    const rows = await this.unbound('secrets')
      .insert({
        project_id: this.projectId,
        name,
        sealed_value: sealed,
        ...rowOf(binding ?? { hosts: [], headers: [], inUrl: false }),
      })
      .onConflict(['project_id', 'name'])
      .merge({ sealed_value: sealed, ...bound, updated_at: now() })
      .returning([...columns]);
    return toSecret(only(rows));
  }

  /** Binds a secret, and keeps its value; undefined if the project has no such secret. */
  async bind(name: string, binding: StoredBinding): Promise<Secret | undefined> {
    const [row] = await this.table('secrets')
      .where({ name })
      .update({ ...rowOf(binding), updated_at: now() })
      .returning([...columns]);
    return row && toSecret(row);
  }

  /** Returns false if the project has no such secret. */
  async remove(name: string): Promise<boolean> {
    return (await this.table('secrets').where({ name }).delete()) > 0;
  }
}

function rowOf({ hosts, headers, inUrl }: StoredBinding) {
  return { hosts: [...hosts], headers: [...headers], in_url: inUrl };
}

function toSecret(row: Pick<SecretRow, (typeof columns)[number]>): Secret {
  const { name, hosts, headers, in_url: inUrl } = row;
  return {
    name,
    hosts,
    headers,
    inUrl,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}
