import * as v from 'valibot';
import type { Stores } from '../../store/stores.ts';
import { found, notFound } from '../../tool/found.ts';
import { Cuid, looseRef } from '../../tool/reference.ts';
import { Timestamp } from '../timestamp.ts';
import { isBuiltInVoice } from '../voices/catalogue.ts';

/** Agent profile, `service-api` part 2. */
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

/** What a profile is made of; every member is required, as PUT wants it. */
export const AgentProfileInput = v.strictObject({
  name: text('Name.'),
  flowIds: list(looseRef('flow'), 'Flows that it speaks; one of another profile moves here.'),
  isDefault: v.pipe(v.boolean(), v.description("The project's default; another one ceases to be it.")),
  supportedInputLanguages: list(v.pipe(v.string(), v.maxLength(10_000)), 'Language codes, such as en.'),
  reasoningMode: text('fast, balanced or deep.'),
  outputVoiceId: v.pipe(looseRef('voice', isBuiltInVoice), v.description('Voice id, such as alloy.')),
});

/**
 * Holds the voice of a profile for this transaction. It comes after the project and before the profile: whoever deletes
 * a voice has it, and wants its profiles.
 * @throws ToolError `not_found`
 */
export async function holdVoice(stores: Stores, voiceId: string): Promise<void> {
  if (!isBuiltInVoice(voiceId) && !(await stores.voices.hold(voiceId))) throw notFound('voice', voiceId);
}

/**
 * Holds the flows of a profile for this transaction, and checks them.
 * @param current the flows that it has already. They are held too, in the same statement: of two profiles that
 * take each other's flows at once, neither then waits for what the other one holds.
 * @returns the flows in their order, each once.
 * @throws ToolError `not_found` for a flow that is not there.
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
 * Holds the profile that is to speak a flow for this transaction.
 * @throws ToolError `not_found` where there is none.
 */
export async function holdProfile(stores: Stores, agentProfileId: string): Promise<void> {
  found(await stores.agentProfiles.hold(agentProfileId), 'agentProfile', agentProfileId);
}
