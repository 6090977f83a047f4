import { newId } from '../id.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';
import { only, type Queries, timestamp } from './queries.ts';
import { conversationsNaming, type Referrer } from './referrers.ts';
import { trashDays } from './trash.ts';

export type IntegrationKind = 'crm' | 'calendar' | 'knowledge';
export type IntegrationStatus = 'connected' | 'disconnected' | 'error';

/** An integration without its credentials, which no operation reads (`decisions` 10). */
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

interface IntegrationRow extends NewIntegration {
  id: string;
  project_id: string;
  status: IntegrationStatus;
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

/** The integration moves into the trash as it stands, its credentials sealed as they are. */
const trashIntegration = `
  with integration as (
    delete from integrations where project_id = :projectId and id = :id returning *
  )
  insert into trash (project_id, id, kind, resource_id, name, rows, expires_at)
  select project_id, :trashId, 'integration', id, name,
    json_build_object('integrations', json_build_array(row_to_json(integration))),
    now() + make_interval(days => :days)
  from integration`;

/** The integrations of a project. */
export class IntegrationStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  /** Newest first. */
  async list(page: PageRequest): Promise<Page<Integration>> {
    const query = this.#rows()
      .select(...columns)
      .orderBy('id', 'desc')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('id', '<', page.cursor);
    return pageOf((await query).map(toIntegration), page, ({ id }) => id);
  }

  /** `seal` is given the new id, to which the sealed credentials are bound. */
  async create({ kind, provider, name }: NewIntegration, seal: (id: string) => Buffer): Promise<Integration> {
    const id = newId('integration');
    const rows = await this.#queries
      .knex<IntegrationRow>('integrations')
      .insert({ project_id: this.#projectId, id, kind, provider, name, sealed_credentials: seal(id) })
      .returning([...columns]);
    return toIntegration(only(rows));
  }

  /** The conversations whose active design names it, at most a hundred; locks the integration for this transaction. */
  async referrers(id: string): Promise<Referrer[] | undefined> {
    if (!(await this.#rows().where({ id }).forUpdate().first('id'))) return undefined;
    return conversationsNaming(this.#queries, this.#projectId, 'integration', id);
  }

  /** Moves an integration into the trash. */
  async trash(id: string): Promise<void> {
    const binding = { projectId: this.#projectId, id, trashId: newId('trash'), days: trashDays };
    await this.#queries.knex.raw(trashIntegration, binding);
  }

  #rows() {
    return this.#queries.knex<IntegrationRow>('integrations').where({ project_id: this.#projectId });
  }
}

function toIntegration(row: Omit<IntegrationRow, 'sealed_credentials'>): Integration {
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
