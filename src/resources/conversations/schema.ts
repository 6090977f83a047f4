import * as v from 'valibot';
import { found } from '../../operation/found.ts';
import { numberOrWord, numbersOrWords } from '../../operation/number-or-word.ts';
import { Cuid, ref } from '../../operation/reference.ts';
import { callText, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import { Timestamp } from '../record/timestamp.ts';
import { VersionHistory } from '../versions/version-history.ts';

/** A conversation's record (`decisions#conversations`). */
export const Conversation = v.strictObject({
  id: Cuid,
  projectId: Cuid,
  name: v.string(),
  description: v.nullable(v.string()),
  kind: v.picklist(['simple', 'advanced']),
  agentId: v.nullable(Cuid),
  activeVersion: v.pipe(v.number(), v.integer()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** `service-api#conversation-version-summary` */
export const VersionSummary = v.strictObject({
  n: v.pipe(v.number(), v.integer()),
  tag: v.string(),
  isActive: v.boolean(),
  createdAt: Timestamp,
});

/** A version in a list, with its history on request. */
export const ListedVersion = v.strictObject({ ...VersionSummary.entries, ...VersionHistory });

export const ConversationName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxCodePoints(200),
  v.description('For people, such as Front desk.'),
);

export const ConversationDescription = v.pipe(v.string(), v.maxCodePoints(5000));

export const AgentReference = v.pipe(
  v.nullable(ref('agentProfile')),
  v.description('Profile whose voice speaks; null for none.'),
);

/** The number of a version (`service-api#limits`). */
export const VersionNumber = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(Number.MAX_SAFE_INTEGER),
  v.description('Number of the version.'),
);

/** A version on MCP: its number, or which one it is. */
export type VersionChoice = number | 'newest' | 'active';

/** The schema of a version. */
export function versionChoice(description: string, describedWithWords?: string) {
  return numberOrWord(VersionNumber, ['newest', 'active'], description, describedWithWords);
}

/** The schema of a version, or of a list of at most `most` versions. */
export function versionChoices(options: {
  readonly most: number;
  readonly description: string;
  readonly describedWithWords: string;
}) {
  return numbersOrWords(VersionNumber, ['newest', 'active'], options);
}

/** The version of a conversation or flow; on MCP also `newest` or `active`. */
export const Version = versionChoice('Number of the version.', 'Number, newest or active.');

/** The version to read, which is the newest unless the call says otherwise. */
export const VersionToRead = v.exactOptional(versionChoice('The newest if left out.'));

/**
 * Returns the number of a version of a conversation.
 * @throws ToolError `not_found` if the version is a word and the conversation does not exist
 */
export async function numberOf(
  stores: Stores,
  conversationId: string,
  version: VersionChoice = 'newest',
): Promise<number> {
  if (typeof version === 'number') return version;
  const conversation = await stores.conversations.findNumbered(conversationId);
  return chosenNumber(found(conversation, 'conversation', conversationId), version);
}

/** The number of a version of a conversation that has been read. */
export function chosenNumber(
  { newestVersion, activeVersion }: { readonly newestVersion: number; readonly activeVersion: number },
  version: VersionChoice,
): number {
  if (typeof version === 'number') return version;
  return version === 'newest' ? newestVersion : activeVersion;
}

/**
 * Locks the agent profile of a conversation until the end of the transaction.
 * @throws ToolError `not_found`
 */
export async function lockAgent(stores: Stores, agentId: string | null | undefined): Promise<void> {
  if (agentId) found(await stores.agentProfiles.hold(agentId), 'agentProfile', agentId);
}

/** 404 for a version that does not exist. */
export function versionNotFound(conversationId: string, n: number): ToolError {
  return new ToolError('not_found', `The conversation ${conversationId} has no version ${n}.`, {
    hint: `${callText('list_conversation_versions', { conversationId })} shows the numbers.`,
  });
}

/** 501 for the design of a conversation of kind simple (`service-api#errors`). */
export function designNotYetSupported(): ToolError {
  return new ToolError('not_yet_supported', 'A conversation of kind simple has no design.', {
    hint: 'Only conversations of kind advanced have designs. list_conversations shows the kinds.',
  });
}
