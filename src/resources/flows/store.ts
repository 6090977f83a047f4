import type { JsonDocument } from '../../operation/document.ts';
import { newId } from '../../platform/id.ts';
import { statement } from '../../postgres/statement.ts';
import { configurationText } from '../../store/json-document.ts';
import { newestFirst, type Page, type PageRequest } from '../../store/page.ts';
import { definedIn, now, only, raw, timestamp } from '../../store/queries.ts';
import { type Referrer, referrersOf } from '../../store/referrers.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { moveToTrash } from '../../store/trashed-rows.ts';
import { type AnyRejected, isAnyRejected } from '../versions/rejection-store.ts';

export type FlowType = 'simple' | 'graph';

/** A flow (service-api#flow). */
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
  /** The flow configuration, which becomes version 1. */
  readonly flowSchema: JsonDocument;
}

/** A change of a flow; members that are left out stay as they are. */
export interface FlowChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly agentProfileId?: string | null | undefined;
}

export interface FlowRow {
  project_id: string;
  id: string;
  name: string;
  type: FlowType;
  description: string | null;
  agent_profile_id: string | null;
  /** The flow's place among the flows of its profile. */
  agent_profile_position: number | null;
  newest_version: number;
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
type RecordRow = Pick<FlowRow, (typeof columns)[number]>;

const findFlow = statement('find_flow', (knex, $) =>
  knex('flows')
    .select(...columns)
    .where({ project_id: $(0), id: $(1) }),
);

/** A flow that moves to another profile comes after the profile's flows. */
const nextPosition = `(
  select coalesce(max(other.agent_profile_position), 0) + 1 from flows as other
  where other.project_id = :projectId and other.agent_profile_id = :agentProfileId)`;

/** One statement for the flow and its first version saves a round trip. It returns what its caller does not know. */
const createFlow = `
  with flow as (
    insert into flows
      (project_id, id, name, type, description, agent_profile_id, agent_profile_position, newest_version)
    select cast(:projectId as text), :id, :name, :type, :description, cast(:agentProfileId as text),
      ${nextPosition}, 1
    returning project_id, id, created_at
  ), first_version as (
    insert into flow_versions
      (project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active, author, live_at,
        live_periods, live_count, search_text)
    select project_id, :versionId, id, 1, 'v1', cast(:flowSchema as json), octet_length(:flowSchema), true,
      cast(:author as text), now(), tstzmultirange(tstzrange(cast(now() as timestamptz(3)), null)), 1, :searchText
    from flow
  )
  select created_at, ${isAnyRejected} from flow`;

/** A flow that has the profile already keeps its place. */
const position = `case
  when cast(:agentProfileId as text) is null then null
  when agent_profile_id = :agentProfileId then agent_profile_position
  else ${nextPosition} end`;

export function toFlow(row: RecordRow): Flow {
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
export class FlowStore extends TenantStore {
  async find(id: string): Promise<Flow | undefined> {
    const row = await this.read(findFlow, id);
    return row && toFlow(row);
  }

  /** Locks those of the flows that exist for this transaction, so that nobody deletes them. */
  async hold(ids: readonly string[]): Promise<Map<string, Flow>> {
    const rows = await this.table('flows')
      .select(...columns)
      .whereIn('id', ids)
      .orderBy('id')
      .forNoKeyUpdate();
    return new Map(rows.map((row) => [row.id, toFlow(row)]));
  }

  list(page: PageRequest): Promise<Page<Flow>> {
    return newestFirst(this.table('flows').select(...columns), page, toFlow);
  }

  /** Creates a flow with version 1, active. Returns the id of that version too, and whether the project has rejected versions. */
  async create({
    name,
    type,
    description,
    agentProfileId,
    flowSchema,
  }: NewFlow): Promise<Flow & { versionId: string } & AnyRejected> {
    const [id, versionId] = [newId('flow'), newId('flowVersion')];
    const bindings = {
      id,
      versionId,
      name,
      type,
      description,
      agentProfileId,
      flowSchema: flowSchema.json,
      searchText: configurationText(flowSchema.value),
      author: this.author,
    };
    const made = only(await this.sql<Pick<FlowRow, 'created_at'> & AnyRejected>(createFlow, bindings));
    const { projectId } = this;
    const createdAt = timestamp(made.created_at);
    const flow = { id, projectId, name, type, description, agentProfileId, createdAt, updatedAt: createdAt };
    return { ...flow, versionId, isAnyRejected: made.isAnyRejected };
  }

  /** Sets what the change names. A change that names nothing leaves `updatedAt` as it is. */
  async update(id: string, { name, description, agentProfileId }: FlowChange): Promise<Flow | undefined> {
    const set = {
      ...definedIn({ name, description, agent_profile_id: agentProfileId }),
      ...(agentProfileId !== undefined && {
        agent_profile_position: raw(position, {
          projectId: this.projectId,
          agentProfileId,
        }) as unknown as number,
      }),
    };
    if (Object.keys(set).length === 0) return this.find(id);
    const [row] = await this.table('flows')
      .where({ id })
      .update({ ...set, updated_at: now() })
      .returning([...columns]);
    return row && toFlow(row);
  }

  /** Locks a flow and returns what keeps it from being deleted, as `referrersOf` does. */
  referrers(id: string): Promise<Referrer[] | undefined> {
    return referrersOf(this.queries, this.projectId, 'flows', id);
  }

  /** Moves a flow and its versions into the trash; the flow must be locked, so that it gets no further version. */
  trash(id: string): Promise<string | undefined> {
    return moveToTrash(this.queries, this.projectId, 'flow', { id });
  }
}
