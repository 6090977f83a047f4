import { changesBetween } from '../../design/changes.ts';
import type { Conflict } from '../../design/merge.ts';
import type { Design } from '../../design/schema/design.ts';
import { ToolError } from '../../errors.ts';
import type { Stores } from '../../store/stores.ts';
import { found } from '../../tool/found.ts';
import { designNotYetSupported } from '../conversations/schema.ts';

/** The newest version of a conversation that has designs. */
export interface Newest {
  readonly newestVersion: number;
  readonly base: Design;
}

/**
 * The newest version, held for this transaction: the next one is ours.
 * @throws ToolError `not_found`, and 501 `not_yet_supported` for a conversation of kind simple.
 */
export async function holdNewest(stores: Stores, conversationId: string): Promise<Newest> {
  const held = await stores.conversations.hold(conversationId);
  return newestOf(stores, found(held, 'conversation', conversationId));
}

/** The newest version as it is now; somebody may write another one at once. */
export async function newestNow(stores: Stores, conversationId: string): Promise<Newest> {
  const conversation = await stores.conversations.findNumbered(conversationId);
  return newestOf(stores, found(conversation, 'conversation', conversationId));
}

async function newestOf(
  stores: Stores,
  { id, kind, newestVersion }: { id: string; kind: string; newestVersion: number },
): Promise<Newest> {
  if (kind === 'simple') throw designNotYetSupported();
  // Its steps may be of kinds that the API does not expose; what follows it is compared with it and no more.
  const base = (await stores.conversationVersions.design(id, newestVersion)) as Design;
  return { newestVersion, base };
}

/**
 * Refuses a write that was made on another version than the newest, with what has changed since.
 * @throws ToolError `version_conflict`
 */
export async function refuseOldBase(
  stores: Stores,
  conversationId: string,
  baseVersion: number,
  newest: Newest,
): Promise<void> {
  const { newestVersion } = newest;
  if (baseVersion === newestVersion) return;
  const old = (await stores.conversationVersions.design(conversationId, baseVersion)) as Design | null;
  throw versionConflict(
    { baseVersion, old, newest },
    `Version ${newestVersion} is the newest, not ${baseVersion}.`,
    `read_design with n ${newestVersion} shows what was written since; apply your change to it and call again with baseVersion ${newestVersion}.`,
  );
}

/** 409 for a change of an older version, with what was written since. */
export function versionConflict(
  { baseVersion, old, newest }: { baseVersion: number; old: Design | null; newest: Newest },
  message: string,
  hint: string,
  more?: { readonly conflicts: readonly Conflict[] },
): ToolError {
  const { newestVersion, base } = newest;
  const changes = old ? changesBetween(old, base) : [];
  return new ToolError('version_conflict', message, {
    details: { baseVersion, newestVersion, changes, ...more },
    hint,
  });
}
