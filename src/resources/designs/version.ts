import type { Design } from '../../design/schema/design.ts';
import type { Stores } from '../../store/stores.ts';
import { found } from '../../tool/found.ts';
import { designNotYetSupported, versionNotFound } from '../conversations/schema.ts';
import { readableDesign } from './exposed.ts';

/**
 * The design of a version, which never changes.
 * @throws ToolError `not_found`, and 501 where the API does not show it.
 */
export async function designOf(stores: Stores, conversationId: string, n: number): Promise<Design> {
  const version = found(
    await stores.conversationVersions.find(conversationId, n),
    'conversation',
    conversationId,
  );
  if (version.kind === 'simple') throw designNotYetSupported();
  if (version.n === null) throw versionNotFound(conversationId, n);
  return readableDesign(version.design);
}
