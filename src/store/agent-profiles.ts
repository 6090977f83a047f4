import { newId } from '../id.ts';
import type { FlowType } from './flows.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';
import { now, only, type Queries, timestamp } from './queries.ts';
import { type Referrer, referrersOf } from './referrers.ts';
import { trashDays } from './trash.ts';

/** Agent profile, `service-api` part 2. */
export interface AgentProfile {
  id: string;
  projectId: string;
  name: string;
  isDefault: boolean;
  supportedInputLanguages: string[];
  reasoningMode: string;
  outputVoiceId: string;
  flowIds: string[];
  createdAt: string;
  updatedAt: string;
}

/** What a profile is made of, besides its flows. */
export interface AgentProfileContent {
  readonly name: string;
  readonly isDefault: boolean;
  readonly supportedInputLanguages: readonly string[];
  readonly reasoningMode: string;
  readonly outputVoiceId: string;
}

interface AgentProfileRow {
  id: string;
  project_id: string;
  name: string;
  is_default: boolean;
  supported_input_languages: string[];
  reasoning_mode: string;
  output_voice_id: string;
  flow_ids: string[];
  created_at: Date;
  updated_at: Date;
}

/** A flow that a profile speaks, with the configuration of its active version. */
export interface SpokenFlow {
  id: string;
  type: FlowType;
  configuration: unknown;
}

/** The relation is stored with the flow; the profile's order of flows is the flows' position. */
const select = `
  select id, project_id, name, is_default, supported_input_languages, reasoning_mode, output_voice_id,
    created_at, updated_at,
    array(
      select flow.id from flows as flow
      where flow.project_id = profile.project_id and flow.agent_profile_id = profile.id
      order by flow.agent_profile_position, flow.id
    ) as flow_ids
  from agent_profiles as profile`;

const findSpoken = `
  select flow.id, flow.type, version.flow_schema as configuration
  from flows as flow
  join flow_versions as version
    on version.project_id = flow.project_id and version.flow_id = flow.id and version.is_active
  where flow.project_id = :projectId and flow.agent_profile_id = :id
  order by flow.agent_profile_position, flow.id limit :limit`;

const setFlows = `
  update flows set
    agent_profile_id = case when wanted.position is null then null else cast(:profileId as text) end,
    agent_profile_position = wanted.position,
    updated_at = now()
  from (
    select flow.id, given.position
    from flows as flow
    left join unnest(cast(:flowIds as text[])) with ordinality as given (id, position) on given.id = flow.id
    where flow.project_id = :projectId
      and (flow.id = any (cast(:flowIds as text[])) or flow.agent_profile_id = :profileId)
    order by flow.id for no key update of flow
  ) as wanted
  where flows.project_id = :projectId and flows.id = wanted.id
    and (flows.agent_profile_id, flows.agent_profile_position) is distinct from
      (case when wanted.position is null then null else cast(:profileId as text) end, wanted.position)`;

const trashProfile = `
  with profile as (
    delete from agent_profiles where project_id = :projectId and id = :id returning *
  )
  insert into trash (project_id, id, kind, resource_id, name, rows, expires_at)
  select project_id, :trashId, 'agentProfile', id, name,
    json_build_object('agent_profiles', json_build_array(to_jsonb(profile) || '{"is_default": false}')),
    now() + make_interval(days => :days)
  from profile`;

function toAgentProfile(row: AgentProfileRow): AgentProfile {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    isDefault: row.is_default,
    supportedInputLanguages: row.supported_input_languages,
    reasoningMode: row.reasoning_mode,
    outputVoiceId: row.output_voice_id,
    flowIds: row.flow_ids,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}

/** The agent profiles of a project. */
export class AgentProfileStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  async find(id: string): Promise<AgentProfile | undefined> {
    const { rows } = await this.#queries.knex.raw<{ rows: AgentProfileRow[] }>(
      `${select} where project_id = :projectId and id = :id`,
      { projectId: this.#projectId, id },
    );
    return rows[0] && toAgentProfile(rows[0]);
  }

  /** Newest first. */
  async list(page: PageRequest): Promise<Page<AgentProfile>> {
    const { rows } = await this.#queries.knex.raw<{ rows: AgentProfileRow[] }>(
      `${select} where project_id = :projectId and (cast(:cursor as text) is null or id < cast(:cursor as text))
       order by id desc limit :limit`,
      { projectId: this.#projectId, cursor: page.cursor ?? null, limit: page.limit + 1 },
    );
    return pageOf(rows.map(toAgentProfile), page, ({ id }) => id);
  }

  /** A profile, held for this transaction: nobody deletes it or changes its flows meanwhile. */
  async hold(id: string): Promise<AgentProfile | undefined> {
    const held = await this.#profiles().where({ id }).forNoKeyUpdate().first('id');
    return held && this.find(id);
  }

  /** The first flows that a profile speaks, in its order. */
  async spoken(id: string, limit: number): Promise<SpokenFlow[]> {
    const binding = { projectId: this.#projectId, id, limit };
    const { rows } = await this.#queries.knex.raw<{ rows: SpokenFlow[] }>(findSpoken, binding);
    return rows;
  }

  /**
   * Makes the project's default, unless it is `except`, cease to be it. The project's row is the lock of whoever
   * sets the default; it comes before any profile and flow, or two of them could wait for each other.
   */
  async yieldDefault(except = ''): Promise<void> {
    const { knex } = this.#queries;
    await knex('projects').where({ id: this.#projectId }).forNoKeyUpdate().first('id');
    await this.#profiles()
      .where({ is_default: true })
      .whereNot({ id: except })
      .update({ is_default: false, updated_at: now(knex) });
  }

  /** Creates a profile; the flows must be held already, and the default yielded where it is to be it. */
  async create(content: AgentProfileContent, flowIds: readonly string[]): Promise<AgentProfile> {
    const id = newId('agentProfile');
    await this.#queries
      .knex('agent_profiles')
      .insert({ project_id: this.#projectId, id, ...columnsOf(content) });
    await this.#setFlows(id, flowIds);
    return only([await this.find(id)].filter((profile) => profile !== undefined));
  }

  /** Replaces all that a profile is made of, under the conditions of `create`. */
  async replace(
    id: string,
    content: AgentProfileContent,
    flowIds: readonly string[],
  ): Promise<AgentProfile | undefined> {
    const { knex } = this.#queries;
    const changed = await this.#profiles()
      .where({ id })
      .update({ ...columnsOf(content), updated_at: now(knex) });
    if (changed === 0) return undefined;
    await this.#setFlows(id, flowIds);
    return this.find(id);
  }

  /** Gives every profile that speaks with a voice another one; the project must be held, as for `yieldDefault`. */
  async replaceVoice(voiceId: string, by: string): Promise<void> {
    const { knex } = this.#queries;
    await this.#profiles()
      .where({ output_voice_id: voiceId })
      .update({ output_voice_id: by, updated_at: now(knex) });
  }

  /** What keeps a profile from being deleted, at most a hundred; locks the profile for this transaction. */
  async referrers(id: string): Promise<Referrer[] | undefined> {
    if (!(await this.#profiles().where({ id }).forUpdate().first('id'))) return undefined;
    return referrersOf(this.#queries, this.#projectId, 'agentProfile', id);
  }

  /** Moves a profile into the trash, no longer the default. */
  async trash(id: string): Promise<void> {
    const binding = { projectId: this.#projectId, id, trashId: newId('trash'), days: trashDays };
    await this.#queries.knex.raw(trashProfile, binding);
  }

  async #setFlows(profileId: string, flowIds: readonly string[]): Promise<void> {
    await this.#queries.knex.raw(setFlows, { projectId: this.#projectId, profileId, flowIds: [...flowIds] });
  }

  #profiles() {
    return this.#queries
      .knex<Omit<AgentProfileRow, 'flow_ids'>>('agent_profiles')
      .where({ project_id: this.#projectId });
  }
}

function columnsOf(content: AgentProfileContent) {
  return {
    name: content.name,
    is_default: content.isDefault,
    supported_input_languages: [...content.supportedInputLanguages],
    reasoning_mode: content.reasoningMode,
    output_voice_id: content.outputVoiceId,
  };
}
