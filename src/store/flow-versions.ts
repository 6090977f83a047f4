import { statement } from '../db/pipelined.ts';
import { newId } from '../id.ts';
import { type Page, type PageRequest, pageBytes, pageOf } from './page.ts';
import { now, only, type Queries, timestamp } from './queries.ts';

/** Flow version, `service-api` part 2. */
export interface FlowVersion {
  id: string;
  flowId: string;
  version: number;
  tag: string;
  flowSchema: unknown;
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
}

interface FlowVersionRow {
  id: string;
  flow_id: string;
  version: number;
  tag: string;
  flow_schema: unknown;
  is_active: boolean;
  created_at: Date;
  updated_at: Date;
}

const columns = [
  'id',
  'flow_id',
  'version',
  'tag',
  'flow_schema',
  'is_active',
  'created_at',
  'updated_at',
] as const;

const findVersion = statement('find_flow_version', (knex, $) =>
  knex('flow_versions')
    .select(...columns)
    .where({ project_id: $(0), id: $(1) }),
);

/** The counter stands in the flow's row, so its lock gives every writer the next number. */
const createVersion = `
  with flow as (
    update flows set newest_version = newest_version + 1
    where project_id = :projectId and id = :flowId
    returning project_id, id, newest_version
  )
  insert into flow_versions
    (project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active)
  select project_id, :id, id, newest_version, 'v' || newest_version, cast(:flowSchema as json),
    octet_length(:flowSchema), false
  from flow
  returning ${columns.join(', ')}`;

/** Sizes are summed before the configurations are read: what the page cannot hold never leaves Postgres. */
const listVersions = `
  select ${columns.join(', ')} from flow_versions
  where project_id = :projectId and id in (
    select id from (
      select id, sum(flow_schema_bytes) over (order by version desc) - flow_schema_bytes as bytes_before
      from (
        select id, version, flow_schema_bytes from flow_versions
        where project_id = :projectId and flow_id = :flowId
          and (cast(:before as bigint) is null or version < cast(:before as bigint))
        order by version desc limit :limit
      ) newest
    ) measured
    where bytes_before < :bytes
  )
  order by version desc`;

function toFlowVersion(row: FlowVersionRow): FlowVersion {
  return {
    id: row.id,
    flowId: row.flow_id,
    version: row.version,
    tag: row.tag,
    flowSchema: row.flow_schema,
    isActive: row.is_active,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}

/** The versions of a project's flows. */
export class FlowVersionStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  async find(id: string): Promise<FlowVersion | undefined> {
    const [row] = await this.#queries.point.query(findVersion, [this.#projectId, id]);
    return row && toFlowVersion(row as unknown as FlowVersionRow);
  }

  /** Highest number first; the cursor is a version number. */
  async list(flowId: string, page: PageRequest): Promise<Page<FlowVersion>> {
    const { rows } = await this.#queries.knex.raw<{ rows: FlowVersionRow[] }>(listVersions, {
      projectId: this.#projectId,
      flowId,
      before: page.cursor ?? null,
      limit: page.limit + 1,
      bytes: pageBytes,
    });
    return pageOf(rows.map(toFlowVersion), page, ({ version }) => String(version));
  }

  /** Stores the next version, inactive; undefined where the flow is gone. `flowSchema` is JSON text. */
  async create(flowId: string, flowSchema: string): Promise<FlowVersion | undefined> {
    const { rows } = await this.#queries.knex.raw<{ rows: FlowVersionRow[] }>(createVersion, {
      projectId: this.#projectId,
      id: newId('flowVersion'),
      flowId,
      flowSchema,
    });
    return rows[0] && toFlowVersion(rows[0]);
  }

  /** Makes a version the only active one of its flow; active already, it stays as it is. */
  async activate(id: string): Promise<FlowVersion | undefined> {
    const { knex } = this.#queries;
    const project = { project_id: this.#projectId };
    // The flow's row is the lock, so of two activations at once the second sees what the first did.
    const locked = await knex('flows')
      .where({ ...project })
      .whereIn(
        'id',
        knex('flow_versions')
          .select('flow_id')
          .where({ ...project, id }),
      )
      .forNoKeyUpdate()
      .first<{ id: string } | undefined>('id');
    if (!locked) return undefined;
    const versions = () => knex<FlowVersionRow>('flow_versions').where({ ...project, flow_id: locked.id });
    const moved = { updated_at: now(knex) };
    await versions()
      .andWhere({ is_active: true })
      .andWhereNot({ id })
      .update({ is_active: false, ...moved });
    const rows = await versions()
      .andWhere({ id, is_active: false })
      .update({ is_active: true, ...moved })
      .returning([...columns]);
    return rows.length ? toFlowVersion(only(rows)) : this.find(id);
  }
}
