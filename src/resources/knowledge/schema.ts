import * as v from 'valibot';
import type { Stores } from '../../store/stores.ts';
import { found } from '../../tool/found.ts';
import { Cuid } from '../../tool/reference.ts';
import { Timestamp } from '../timestamp.ts';

/** Knowledge base. */
export const KnowledgeBase = v.strictObject({
  id: Cuid,
  projectId: Cuid,
  name: v.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** Knowledge source, `service-api` part 2, with what `decisions` 1 adds to one whose last indexing failed. */
export const KnowledgeSource = v.strictObject({
  id: Cuid,
  name: v.string(),
  type: v.picklist(['website', 'file']),
  indexingStatus: v.picklist(['idle', 'completed', 'inProgress']),
  progress: v.pipe(v.number(), v.integer()),
  indexing: v.picklist(['deferred', 'triggered']),
  error: v.exactOptional(v.string()),
});

/** Holds a knowledge base for this transaction; 404 where there is none. */
export async function holdKnowledgeBase(stores: Stores, id: string): Promise<void> {
  found((await stores.knowledgeBases.hold(id)) || undefined, 'knowledgeBase', id);
}
