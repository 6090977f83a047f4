import * as v from 'valibot';
import type { Stores } from '../../store/stores.ts';
import { found } from '../../tool/found.ts';
import { Cuid } from '../../tool/reference.ts';
import { Timestamp } from '../timestamp.ts';

export const KnowledgeBase = v.strictObject({
  id: Cuid,
  projectId: Cuid,
  name: v.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** `service-api#knowledge-source`, with the `error` of `decisions#members`. */
export const KnowledgeSource = v.strictObject({
  id: Cuid,
  name: v.string(),
  type: v.picklist(['website', 'file']),
  indexingStatus: v.picklist(['idle', 'completed', 'inProgress']),
  progress: v.pipe(v.number(), v.integer()),
  indexing: v.picklist(['deferred', 'triggered']),
  error: v.exactOptional(v.string()),
});

/** Locks a knowledge base for this transaction, so that nobody deletes it; throws 404 if it does not exist. */
export async function holdKnowledgeBase(stores: Stores, id: string): Promise<void> {
  found((await stores.knowledgeBases.hold(id)) || undefined, 'knowledgeBase', id);
}
