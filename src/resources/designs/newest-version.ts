import { changesBetween, type DesignChange } from '../../design/changes.ts';
import type { Conflict } from '../../design/merge.ts';
import type { Design } from '../../design/schema/design.ts';
import { found } from '../../operation/found.ts';
import { callText, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import { designNotYetSupported } from '../conversations/schema.ts';
import type { NumberedConversation } from '../conversations/store.ts';

/** The newest version of a conversation of kind advanced. */
export interface NewestVersion {
  readonly newestVersion: number;
  readonly design: Design;
}

/**
 * Locks the conversation, so that this transaction may write its next version, and returns the number of the newest.
 * @throws ToolError `not_found`, and 501 `not_yet_supported` for a conversation of kind simple.
 */
export async function lockNewestNumber(stores: Stores, conversationId: string): Promise<number> {
  return numberOf(conversationId, await stores.conversations.hold(conversationId));
}

/** Does the same without a lock, so another version may follow at any time. */
export async function readNewestNumber(stores: Stores, conversationId: string): Promise<number> {
  return numberOf(conversationId, await stores.conversations.findNumbered(conversationId));
}

/** Reads the newest version and locks the conversation. Throws like {@link lockNewestNumber}. */
export async function lockNewest(stores: Stores, conversationId: string): Promise<NewestVersion> {
  return versionOf(stores, conversationId, await lockNewestNumber(stores, conversationId));
}

/** Reads the newest version without a lock. Throws like {@link lockNewestNumber}. */
export async function readNewest(stores: Stores, conversationId: string): Promise<NewestVersion> {
  return versionOf(stores, conversationId, await readNewestNumber(stores, conversationId));
}

function numberOf(conversationId: string, conversation: NumberedConversation | undefined): number {
  const { kind, newestVersion } = found(conversation, 'conversation', conversationId);
  if (kind === 'simple') throw designNotYetSupported();
  return newestVersion;
}

/** Reads a version that is known to exist. */
export async function versionOf(
  stores: Stores,
  conversationId: string,
  newestVersion: number,
): Promise<NewestVersion> {
  // An imported design may have steps of other kinds. This is safe because it is only compared, never returned.
  const design = (await stores.conversationVersions.design(conversationId, newestVersion)) as Design;
  return { newestVersion, design };
}

/**
 * Rejects a write that was based on an older version, and lists what has changed since.
 * @throws ToolError `version_conflict`
 */
export async function refuseOldBase(
  stores: Stores,
  conversationId: string,
  version: number,
  newest: NewestVersion,
): Promise<void> {
  const { newestVersion } = newest;
  if (version === newestVersion) return;
  const base = (await stores.conversationVersions.design(conversationId, version)) as Design | null;
  throw versionConflict(
    conflictFacts(version, base, newest),
    `The newest version is ${newestVersion}, not ${version}.`,
    `details.changes lists what was written since. Apply your change to what ${callText('read_design', { conversationId, version: newestVersion })} returns, and call again with version ${newestVersion}.`,
  );
}

/** 409 `version_conflict`, with what has changed since the base. */
export function versionConflict(
  facts: { version: number; newestVersion: number; changes: readonly DesignChange[] },
  message: string,
  hint: string,
  more?: { readonly conflicts: readonly Conflict[] },
): ToolError {
  return new ToolError('version_conflict', message, { details: { ...facts, ...more }, hint });
}

/** What a conflict of two versions of a design says of them. */
export function conflictFacts(version: number, base: Design | null, newest: NewestVersion) {
  const { newestVersion, design } = newest;
  return { version, newestVersion, changes: base ? changesBetween(base, design) : [] };
}
