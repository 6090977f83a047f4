import * as v from 'valibot';
import type { InputProblem } from '../../operation/define.ts';
import { found, notFound } from '../../operation/found.ts';
import { Cuid, looseRef, ofKind } from '../../operation/reference.ts';
import type { Stores } from '../../store/stores.ts';
import { Timestamp } from '../record/timestamp.ts';
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

const text = (description: string) => v.pipe(v.string(), v.maxCodePoints(10_000), v.description(description));
const list = (item: v.GenericSchema<string>, description: string) =>
  v.pipe(v.array(item), v.maxLength(1000), v.description(description));

/** The content of a profile; PUT requires every member. The contract lets it take any texts. */
export const AgentProfileInput = v.strictObject({
  name: text('For people, such as Anna.'),
  flowIds: list(looseRef('flow'), 'All flows that it speaks; they leave their other profile.'),
  isDefault: v.pipe(v.boolean(), v.description("The project's default profile.")),
  supportedInputLanguages: list(
    v.pipe(v.string(), v.maxCodePoints(10_000)),
    'Of callers (BCP 47), such as pt-BR.',
  ),
  reasoningMode: text('fast, balanced or deep.'),
  outputVoiceId: v.pipe(looseRef('voice', isBuiltInVoice), ofKind('voice')),
});

/** Creating is not in the contract, so it refuses an empty name, and what `languageProblems` finds. */
export const NewName = v.pipe(AgentProfileInput.entries.name, v.minLength(1));

/** A problem for each language that is not a well-formed tag of BCP 47, such as `german` or `de_DE`. */
export function languageProblems(tags: readonly string[]): InputProblem[] {
  return tags.flatMap((tag, index) => {
    if (isLanguageTag(tag)) return [];
    const message = 'Expected a language tag of BCP 47, such as en or pt-BR.';
    return [{ path: ['supportedInputLanguages', index], message }];
  });
}

/** True for a well-formed tag that begins with a language of two or three letters. */
export function isLanguageTag(text: string): boolean {
  try {
    return /^[a-z]{2,3}(?:-|$)/i.test(text) && Intl.getCanonicalLocales(text).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Locks the voice of a profile for this transaction. Lock it after the project and before the profile, because the
 * deletion of a voice locks them in that order.
 * @throws ToolError `not_found`
 */
export async function lockVoice(stores: Stores, voiceId: string): Promise<void> {
  if (!isBuiltInVoice(voiceId) && !(await stores.voices.hold(voiceId))) throw notFound('voice', voiceId);
}

/**
 * Locks the flows that a profile is to have for this transaction.
 * @param current the flows that it has already. The same statement locks them too, so that two profiles that take each
 * other's flows at once do not wait for each other.
 * @returns the flows in their order, each once
 * @throws ToolError `not_found` for a flow that does not exist
 */
export async function lockFlows(
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
export async function lockAgentProfile(stores: Stores, agentProfileId: string): Promise<void> {
  found(await stores.agentProfiles.hold(agentProfileId), 'agentProfile', agentProfileId);
}
