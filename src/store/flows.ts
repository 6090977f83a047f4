import { statement } from '../db/pipelined.ts';
import { newId } from '../id.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';
import { now, only, type Queries, timestamp } from './queries.ts';
import { type Referrer, referrersOf } from './referrers.ts';
import { trashDays } from './trash.ts';

export type FlowType = 'simple' | 'graph';

/** Flow, `service-api` part 2. */
export interface Flow {
  id: string;
  projectId: string;
  name: string;
  type: FlowType;
  description: string | null;
  agentProfileId: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface NewFlow {
  readonly name: string;
  readonly type: FlowType;
  readonly description: string | null;
  readonly agentProfileId: string | null;
  /** The flow configuration as JSON text, which becomes version 1. */
  readonly flowSchema: string;
}

/** What a change of a flow may set; what is left out stays. */
export interface FlowChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly agentProfileId?: string | null | undefined;
}

interface FlowRow {
  id: string;
  project_id: string;
  name: string;
  type: FlowType;
  description: string | null;
  agent_profile_id: string | null;
  created_at: Date;
  updated_at: Date;
}

const columns = [
  'id',
  'project_id',
  'name',
  'type',
  'description',
  'agent_profile_id',
  'created_at',
  'updated_at',
] as const;

const findFlow = statement('find_flow', (knex, $) =>
  knex('flows')
    .select(...columns)
    .where({ project_id: $(0), id: $(1) }),
);

/** One statement: the flow and its first version, without a round trip between them. */
const createFlow = `
  with flow as (
    insert into flows
      (project_id, id, name, type, description, agent_profile_id, agent_profile_position, newest_version)
    select cast(:projectId as text), :id, :name, :type, :description, cast(:agentProfileId as text),
      (select coalesce(max(agent_profile_position), 0) + 1 from flows
       where project_id = :projectId and agent_profile_id = :agentProfileId), 1
    returning ${columns.join(', ')}
  ), first_version as (
    insert into flow_versions
      (project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active)
    select project_id, :versionId, id, 1, 'v1', cast(:flowSchema as json), octet_length(:flowSchema), true from flow
  )
  select * from flow`;

/** The flow and its versions move into the trash as they stand. */
const trashFlow = `
  with flow as (
    delete from flows where project_id = :projectId and id = :id returning *
  ), versions as (
    delete from flow_versions where project_id = :projectId and flow_id = :id returning *
  )
  insert into trash (project_id, id, kind, resource_id, name, rows, expires_at)
  select flow.project_id, :trashId, 'flow', flow.id, flow.name,
    json_build_object(
      'flows', json_build_array(row_to_json(flow)),
      'flow_versions', (select coalesce(json_agg(row_to_json(versions)), '[]') from versions)),
    now() + make_interval(days => :days)
  from flow`;

function toFlow(row: FlowRow): Flow {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    type: row.type,
    description: row.description,
    agentProfileId: row.agent_profile_id,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}

/** The flows of a project. */
export class FlowStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  async find(id: string): Promise<Flow | undefined> {
    const [row] = await this.#queries.point.query(findFlow, [this.#projectId, id]);
    return row && toFlow(row as unknown as FlowRow);
  }

  /** The flows of these that there are, held for this transaction: nobody deletes them meanwhile. */
  async hold(ids: readonly string[]): Promise<Map<string, Flow>> {
    const rows = await this.#queries
      .knex<FlowRow>('flows')
      .select(...columns)
      .where({ project_id: this.#projectId })
      .whereRaw('id = any (?)', [[...ids]])
      .orderBy('id')
      .forNoKeyUpdate();
    return new Map(rows.map((row) => [row.id, toFlow(row)]));
  }

  /** Newest first. */
  async list(page: PageRequest): Promise<Page<Flow>> {
    const query = this.#queries
      .knex<FlowRow>('flows')
      .select(...columns)
      .where({ project_id: this.#projectId })
      .orderBy('id', 'desc')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('id', '<', page.cursor);
    return pageOf((await query).map(toFlow), page, ({ id }) => id);
  }

  /** Creates a flow with version 1, active. */
  async create(flow: NewFlow): Promise<Flow> {
    const { rows } = await this.#queries.knex.raw<{ rows: FlowRow[] }>(createFlow, {
      ...flow,
      projectId: this.#projectId,
      id: newId('flow'),
      versionId: newId('flowVersion'),
    });
    return toFlow(only(rows));
  }

  /** Sets what the change names. A change that names nothing leaves `updatedAt` alone. */
  async update(id: string, change: FlowChange): Promise<Flow | undefined> {
    const { name, description, agentProfileId } = change;
    const set = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(agentProfileId !== undefined && {
        agent_profile_id: agentProfileId,
        // Given to the profile that has it already, it keeps its place.
        agent_profile_position: this.#queries.knex.raw(
          'case when agent_profile_id = ? then agent_profile_position else (?) end',
          [agentProfileId, this.#lastPosition(agentProfileId)],
        ),
      }),
    };
    if (Object.keys(set).length === 0) return this.find(id);
    const { knex } = this.#queries;
    const rows = await knex<FlowRow>('flows')
      .where({ project_id: this.#projectId, id })
      .update({ ...set, updated_at: now(knex) })
      .returning([...columns]);
    return rows[0] && toFlow(rows[0]);
  }

  /** What keeps a flow from being deleted, at most a hundred; locks it for this transaction. */
  async referrers(id: string): Promise<Referrer[] | undefined> {
    const place = { project_id: this.#projectId, id };
    if (!(await this.#queries.knex('flows').where(place).forUpdate().first('id'))) return undefined;
    return referrersOf(this.#queries, this.#projectId, 'flow', id);
  }

  /** Moves a flow and its versions into the trash; locked already, it gets no more of them meanwhile. */
  async trash(id: string): Promise<void> {
    const binding = { projectId: this.#projectId, id, trashId: newId('trash'), days: trashDays };
    await this.#queries.knex.raw(trashFlow, binding);
  }

  /** After the flows that the profile has already. */
  #lastPosition(agentProfileId: string | null) {
    if (agentProfileId === null) return null;
    return this.#queries
      .knex('flows as other')
      .where({ 'other.project_id': this.#projectId, 'other.agent_profile_id': agentProfileId })
      .select(this.#queries.knex.raw('coalesce(max(other.agent_profile_position), 0) + 1'));
  }
}
