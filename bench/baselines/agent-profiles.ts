import type { Transact } from './database.ts';

type Row = Record<string, unknown>;

const lockProfile = {
  name: 'lock_profile',
  text: 'select id from agent_profiles where project_id = $1 and id = $2 for no key update',
};

const lockFlows = {
  name: 'lock_flows',
  text: `select id from flows where project_id = $1 and (id = any ($2) or agent_profile_id = $3)
    order by id for no key update`,
};

const updateProfile = {
  name: 'update_profile',
  text: `update agent_profiles set name = $3, is_default = $4, supported_input_languages = $5,
    reasoning_mode = $6, output_voice_id = $7, updated_at = now()
    where project_id = $1 and id = $2 returning created_at, updated_at`,
};

/** Writes only the flows that come, go or change their place. */
const setFlows = {
  name: 'set_flows',
  text: `update flows set
    agent_profile_id = case when wanted.position is null then null else $3 end,
    agent_profile_position = wanted.position,
    updated_at = now()
  from (
    select flow.id, given.position from flows as flow
    left join unnest($2::text[]) with ordinality as given (id, position) on given.id = flow.id
    where flow.project_id = $1 and (flow.id = any ($2) or flow.agent_profile_id = $3)
  ) as wanted
  where flows.project_id = $1 and flows.id = wanted.id
    and (flows.agent_profile_id, flows.agent_profile_position) is distinct from
      (case when wanted.position is null then null else $3 end, wanted.position)`,
};

/** The content of a profile. */
export interface Profile {
  readonly name: string;
  readonly flowIds: readonly string[];
  readonly isDefault: boolean;
  readonly supportedInputLanguages: readonly string[];
  readonly reasoningMode: string;
  readonly outputVoiceId: string;
}

/** Replaces a profile: locks of the profile and its flows, and an update of each table. */
export function replaceProfile(transact: Transact, projectId: string, id: string, profile: Profile) {
  const { name, isDefault, supportedInputLanguages, reasoningMode, outputVoiceId, flowIds } = profile;
  return transact(async (client) => {
    await client.query({ ...lockProfile, values: [projectId, id] });
    await client.query({ ...lockFlows, values: [projectId, flowIds, id] });
    const content = [name, isDefault, supportedInputLanguages, reasoningMode, outputVoiceId];
    const { rows } = await client.query<Row>({ ...updateProfile, values: [projectId, id, ...content] });
    await client.query({ ...setFlows, values: [projectId, flowIds, id] });
    const { created_at: createdAt, updated_at: updatedAt } = rows[0] ?? {};
    return { ...profile, id, projectId, createdAt, updatedAt };
  });
}
