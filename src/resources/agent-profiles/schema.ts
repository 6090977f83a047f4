import * as v from 'valibot';
import type { Stores } from '../../store/stores.ts';
import { found, notFound } from '../../tool/found.ts';
import { Cuid, looseRef } from '../../tool/reference.ts';
import { Timestamp } from '../timestamp.ts';
import { isBuiltInVoice } from '../voices/catalogue.ts';

/** An agent profile (service-api#agent-profile). */
export const AgentProfile = v.strictObject({
  id: Cuid,
  projectId: Cuid,
  name: v.string(),
  isDefault: v.boolean(),
  supportedInputLanguages: v.array(v.string()),
  reasoningMode: v.string(),
  outputVoiceId: v.string(),
  flowIds: v.array(v.string()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const text = (description: string) => v.pipe(v.string(), v.maxLength(10_000), v.description(description));
const list = (item: v.GenericSchema<string>, description: string) =>
  v.pipe(v.array(item), v.maxLength(1000), v.description(description));

/** The content of a profile; PUT requires every member. */
export const AgentProfileInput = v.strictObject({
  name: text('Name.'),
  flowIds: list(looseRef('flow'), 'Flows that it speaks; one of another profile moves here.'),
  isDefault: v.pipe(v.boolean(), v.description("The project's default, in place of another profile.")),
  supportedInputLanguages: list(v.pipe(v.string(), v.maxLength(10_000)), 'Language codes, such as en.'),
  reasoningMode: text('fast, balanced or deep.'),
  outputVoiceId: v.pipe(looseRef('voice', isBuiltInVoice), v.description('Voice id, such as alloy.')),
});

/**
 * Locks the voice of a profile for this transaction. Lock it after the project and before the profile, because the
 * deletion of a voice locks them in that order.
 * @throws ToolError `not_found`
 */
export async function holdVoice(stores: Stores, voiceId: string): Promise<void> {
  if (!isBuiltInVoice(voiceId) && !(await stores.voices.hold(voiceId))) throw notFound('voice', voiceId);
}

/**
 * Locks the flows that a profile is to have for this transaction.
 * @param current the flows that it has already. The same statement locks them too, so that two profiles that take each
 * other's flows at once do not wait for each other.
 * @returns the flows in their order, each once
 * @throws ToolError `not_found` for a flow that does not exist
 */
export async function holdFlows(
  stores: Stores,
  flowIds: readonly string[],
  current: readonly string[] = [],
): Promise<string[]> {
  const wanted = [...new Set(flowIds)];
  const flows = await stores.flows.hold([...wanted, ...current]);
  for (const id of wanted) found(flows.get(id), 'flow', id);
  return wanted;
}

/**
 * Locks the profile that a flow is to have for this transaction.
 * @throws ToolError `not_found`
 */
export async function holdProfile(stores: Stores, agentProfileId: string): Promise<void> {
  found(await stores.agentProfiles.hold(agentProfileId), 'agentProfile', agentProfileId);
}
