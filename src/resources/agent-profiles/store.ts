import type { Tables } from 'knex/types/tables.js';
import { newId } from '../../platform/id.ts';
import { type Page, type PageRequest, pageOf } from '../../store/page.ts';
import { definedIn, now, only, timestamp } from '../../store/queries.ts';
import { type Referrer, referrersOf } from '../../store/referrers.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { moveToTrash } from '../../store/trashed-rows.ts';

/** An agent profile (service-api#agent-profile). */
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

/** The content of a profile without its flows. */
export interface AgentProfileContent {
  readonly name: string;
  readonly isDefault: boolean;
  readonly supportedInputLanguages: readonly string[];
  readonly reasoningMode: string;
  readonly outputVoiceId: string;
}

export interface AgentProfileRow {
  project_id: string;
  id: string;
  name: string;
  is_default: boolean;
  supported_input_languages: string[];
  reasoning_mode: string;
  output_voice_id: string;
  created_at: Date;
  updated_at: Date;
}

type ProfileRow = AgentProfileRow & { flow_ids: string[] };

/** A flow of a profile, with the configuration of its active version. */
export interface SpokenFlow {
  id: string;
  type: Tables['flows']['type'];
  configuration: unknown;
}

/** Each flow stores its profile and its position among the profile's flows. */
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

const lockProfile = `select id from agent_profiles where project_id = :projectId and id = :id for no key update`;

const replaceProfile = `
  update agent_profiles set name = :name, is_default = :isDefault,
    supported_input_languages = cast(:supportedInputLanguages as text[]), reasoning_mode = :reasoningMode,
    output_voice_id = :outputVoiceId, updated_at = now()
  where project_id = :projectId and id = :id`;

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

function toAgentProfile(row: ProfileRow): AgentProfile {
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
export class AgentProfileStore extends TenantStore {
  async find(id: string): Promise<AgentProfile | undefined> {
    const [row] = await this.sql<ProfileRow>(`${select} where project_id = :projectId and id = :id`, { id });
    return row && toAgentProfile(row);
  }

  /** Newest first. */
  async list(page: PageRequest): Promise<Page<AgentProfile>> {
    const rows = await this.sql<ProfileRow>(
      `${select} where project_id = :projectId and (cast(:cursor as text) is null or id < cast(:cursor as text))
       order by id desc limit :limit`,
      { cursor: page.cursor ?? null, limit: page.limit + 1 },
    );
    return pageOf(rows.map(toAgentProfile), page, ({ id }) => id);
  }

  /**
   * Locks a profile for this transaction, so that nobody deletes it or changes its flows. Returns only its id: a profile
   * lists all of its flows, so that reading it costs more with each of them.
   */
  async hold(id: string): Promise<{ id: string } | undefined> {
    const [row] = await this.sql<{ id: string }>(lockProfile, { id });
    return row;
  }

  /** The first flows of a profile, in its order. */
  spoken(id: string, limit: number): Promise<SpokenFlow[]> {
    return this.sql<SpokenFlow>(findSpoken, { id, limit });
  }

  /**
   * Takes the default away from the project's default profile, unless that is `except`. Locks the project's row first:
   * everybody who sets the default does so before locking a profile or a flow, or two of them could wait for each
   * other.
   */
  async yieldDefault(except = ''): Promise<void> {
    await this.unbound('projects').where({ id: this.projectId }).forNoKeyUpdate().first('id');
    await this.table('agent_profiles')
      .where({ is_default: true })
      .whereNot({ id: except })
      .update({ is_default: false, updated_at: now() });
  }

  /** Creates a profile. The caller holds its flows, and has called `yieldDefault` if it becomes the default. */
  async create(content: AgentProfileContent, flowIds: readonly string[]): Promise<AgentProfile> {
    const id = newId('agentProfile');
    await this.unbound('agent_profiles').insert({ project_id: this.projectId, id, ...columnsOf(content) });
    await this.#setFlows(id, flowIds);
    return only([await this.find(id)].filter((profile) => profile !== undefined));
  }

  /** Replaces the content of a profile, and its flows if they are given, under the conditions of `create`. */
  async replace(
    id: string,
    content: AgentProfileContent,
    flowIds: readonly string[] | undefined,
  ): Promise<AgentProfile | undefined> {
    const [, , profile] = await Promise.all([
      this.sql(replaceProfile, { id, ...content }),
      flowIds && this.#setFlows(id, flowIds),
      this.find(id),
    ]);
    return profile;
  }

  /**
   * Sets what the change names, under the conditions of `create`. A change that names nothing leaves `updatedAt` as it is.
   * @param current the profile, which is locked
   */
  async update(
    current: AgentProfile,
    change: { readonly [Member in keyof AgentProfileContent]?: AgentProfileContent[Member] | undefined },
    flowIds: readonly string[] | undefined,
  ): Promise<AgentProfile> {
    const given = definedIn(change);
    if (Object.keys(given).length === 0 && flowIds === undefined) return current;
    const { name, isDefault, supportedInputLanguages, reasoningMode, outputVoiceId } = {
      ...current,
      ...given,
    };
    const content = { name, isDefault, supportedInputLanguages, reasoningMode, outputVoiceId };
    const replaced = await this.replace(current.id, content, flowIds);
    return only([replaced].filter((profile) => profile !== undefined));
  }

  /** Gives every profile with a voice another one; the project must be locked, as in `yieldDefault`. */
  async replaceVoice(voiceId: string, by: string): Promise<void> {
    await this.table('agent_profiles')
      .where({ output_voice_id: voiceId })
      .update({ output_voice_id: by, updated_at: now() });
  }

  /** Locks a profile and returns what keeps it from being deleted, as `referrersOf` does. */
  referrers(id: string): Promise<Referrer[] | undefined> {
    return referrersOf(this.queries, this.projectId, 'agent_profiles', id);
  }

  /** Moves a profile into the trash, no longer the default. */
  trash(id: string): Promise<string | undefined> {
    return moveToTrash(this.queries, this.projectId, 'agentProfile', { id });
  }

  async #setFlows(profileId: string, flowIds: readonly string[]): Promise<void> {
    await this.sql(setFlows, { profileId, flowIds });
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
