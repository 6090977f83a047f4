import { changesBetween } from '../../design/changes.ts';
import type { Conflict } from '../../design/merge.ts';
import type { Design } from '../../design/schema/design.ts';
import { ToolError } from '../../errors.ts';
import type { Stores } from '../../store/stores.ts';
import { found } from '../../tool/found.ts';
import { designNotYetSupported } from '../conversations/schema.ts';

/** The newest version of a conversation of kind advanced. */
export interface NewestVersion {
  readonly newestVersion: number;
  readonly design: Design;
}

/**
 * Reads the newest version and locks the conversation, so that this transaction may write the next one.
 * @throws ToolError `not_found`, and 501 `not_yet_supported` for a conversation of kind simple.
 */
export async function holdNewest(stores: Stores, conversationId: string): Promise<NewestVersion> {
  const conversation = await stores.conversations.hold(conversationId);
  return newestOf(stores, found(conversation, 'conversation', conversationId));
}

/** Reads the newest version without a lock, so another one may follow at any time. Throws like {@link holdNewest}. */
export async function readNewest(stores: Stores, conversationId: string): Promise<NewestVersion> {
  const conversation = await stores.conversations.findNumbered(conversationId);
  return newestOf(stores, found(conversation, 'conversation', conversationId));
}

async function newestOf(
  stores: Stores,
  { id, kind, newestVersion }: { id: string; kind: string; newestVersion: number },
): Promise<NewestVersion> {
  if (kind === 'simple') throw designNotYetSupported();
  // An imported design may have steps of other kinds. This is safe because it is only compared, never returned.
  const design = (await stores.conversationVersions.design(id, newestVersion)) as Design;
  return { newestVersion, design };
}

/**
 * Rejects a write that was based on an older version, and lists what has changed since.
 * @throws ToolError `version_conflict`
 */
export async function refuseOldBase(
  stores: Stores,
  conversationId: string,
  baseVersion: number,
  newest: NewestVersion,
): Promise<void> {
  const { newestVersion } = newest;
  if (baseVersion === newestVersion) return;
  const base = (await stores.conversationVersions.design(conversationId, baseVersion)) as Design | null;
  throw versionConflict(
    { baseVersion, base, newest },
    `The newest version is ${newestVersion}, not ${baseVersion}.`,
    `Call read_design with n ${newestVersion} to see what was written since, apply your change to it, and call again with baseVersion ${newestVersion}.`,
  );
}

/** 409 `version_conflict`, with what has changed since the base. */
export function versionConflict(
  { baseVersion, base, newest }: { baseVersion: number; base: Design | null; newest: NewestVersion },
  message: string,
  hint: string,
  more?: { readonly conflicts: readonly Conflict[] },
): ToolError {
  const { newestVersion, design } = newest;
  const changes = base ? changesBetween(base, design) : [];
  return new ToolError('version_conflict', message, {
    details: { baseVersion, newestVersion, changes, ...more },
    hint,
  });
}
