import { newId } from '../../platform/id.ts';
import { newestFirst, type Page, type PageRequest } from '../../store/page.ts';
import { only, timestamp } from '../../store/queries.ts';
import { type Referrer, referrersOf } from '../../store/referrers.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { moveToTrash } from '../../store/trashed-rows.ts';

export type IntegrationKind = 'crm' | 'calendar' | 'knowledge';
/** `unverified` until something has tried the credentials. */
export type IntegrationStatus = 'unverified' | 'connected' | 'disconnected' | 'error';

/** An integration without its credentials, which no operation reads (decisions#integrations). */
export interface Integration {
  id: string;
  projectId: string;
  kind: IntegrationKind;
  provider: string;
  name: string;
  status: IntegrationStatus;
  createdAt: string;
  updatedAt: string;
}

export interface NewIntegration {
  readonly kind: IntegrationKind;
  readonly provider: string;
  readonly name: string;
}

export interface IntegrationRow {
  project_id: string;
  id: string;
  kind: IntegrationKind;
  provider: string;
  name: string;
  status: IntegrationStatus;
  /** Null for integrations that were created before credentials were stored. */
  sealed_credentials: Buffer | null;
  created_at: Date;
  updated_at: Date;
}

const columns = [
  'id',
  'project_id',
  'kind',
  'provider',
  'name',
  'status',
  'created_at',
  'updated_at',
] as const;

/** The integrations of a project. */
export class IntegrationStore extends TenantStore {
  list(page: PageRequest): Promise<Page<Integration>> {
    return newestFirst(this.table('integrations').select(...columns), page, toIntegration);
  }

  /** Creates an integration; `seal` binds the credentials to the new id. */
  async create({ kind, provider, name }: NewIntegration, seal: (id: string) => Buffer): Promise<Integration> {
    const id = newId('integration');
    const rows = await this.unbound('integrations')
      .insert({ project_id: this.projectId, id, kind, provider, name, sealed_credentials: seal(id) })
      .returning([...columns]);
    return toIntegration(only(rows));
  }

  /** The provider of an integration with its encrypted credentials; null if it was created without. */
  async credentials(id: string): Promise<{ provider: string; sealed: Buffer | null } | undefined> {
    const row = await this.table('integrations').where({ id }).first('provider', 'sealed_credentials');
    return row && { provider: row.provider, sealed: row.sealed_credentials };
  }

  /** Locks an integration and returns the conversations whose active design names it, as `referrersOf` does. */
  referrers(id: string): Promise<Referrer[] | undefined> {
    return referrersOf(this.queries, this.projectId, 'integrations', id);
  }

  /** Moves an integration into the trash, its credentials sealed as they are. */
  trash(id: string): Promise<string | undefined> {
    return moveToTrash(this.queries, this.projectId, 'integration', { id });
  }
}

function toIntegration(row: Pick<IntegrationRow, (typeof columns)[number]>): Integration {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    provider: row.provider,
    name: row.name,
    status: row.status,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}
