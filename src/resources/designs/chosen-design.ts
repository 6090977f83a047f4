import { outsideNames } from '../../design/facts.ts';
import type { Design } from '../../design/schema/design.ts';
import type { Stores } from '../../store/stores.ts';
import { numberOf, type VersionChoice } from '../conversations/schema.ts';
import { type Edit, editedDesign, mostBytesAfter, requireSize } from './edit.ts';
import { readNewestNumber } from './newest-version.ts';
import { withRecordIds } from './record-names.ts';
import { loadSized } from './stored-design.ts';

/** The design that a call is about: a version, that version with an edit, or a whole design that is not stored. */
export interface DesignChoice extends Edit {
  readonly version?: VersionChoice | undefined;
  readonly design?: Design | undefined;
}

/**
 * Returns the chosen design of a conversation, and the number of its version; null for a design that is not stored.
 * @throws ToolError `not_found`, `invalid_request` for an edit that fails, and 501 like `loadDesign`
 */
export async function chosenDesign(
  stores: Stores,
  conversationId: string,
  { version, design, ...edit }: DesignChoice,
): Promise<{ design: Design; version: number | null }> {
  if (design !== undefined) {
    await readNewestNumber(stores, conversationId);
    return { design: await withNamedRecords(stores, design), version: null };
  }
  const n = await numberOf(stores, conversationId, version);
  const { design: stored, bytes } = await loadSized(stores, conversationId, n);
  if (edit.patch === undefined && edit.merge === undefined && edit.texts === undefined)
    return { design: stored, version: n };
  const edited = editedDesign(stored, edit, { conversationId, version: n });
  requireSize(edited, mostBytesAfter(bytes, edit));
  return { design: await withNamedRecords(stores, edited), version: n };
}

/** A design that is not stored, with the ids of the records that it gives by name. */
export async function withNamedRecords(stores: Stores, design: Design): Promise<Design> {
  return withRecordIds(design, await stores.namedRecords.names(outsideNames(design)));
}
