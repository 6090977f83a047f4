import * as v from 'valibot';
import { found } from '../../operation/found.ts';
import { Cuid } from '../../operation/reference.ts';
import type { Stores } from '../../store/stores.ts';
import { Timestamp } from '../record/timestamp.ts';

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

/** What the operations that Parley adds show of a source, next to the record of the contract (`decisions#knowledge`). */
export const KnowledgeSourceDetails = v.strictObject({
  ...KnowledgeSource.entries,
  url: v.pipe(v.nullable(v.string()), v.description('Of a website.')),
  fileName: v.pipe(v.nullable(v.string()), v.description('Of a file.')),
  pages: v.pipe(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
    v.description('Pages of a website that queries search; null for a file.'),
  ),
  indexedAt: v.pipe(v.nullable(Timestamp), v.description('When indexing last completed.')),
});

/** Locks a knowledge base for this transaction, so that nobody deletes it; throws 404 if it does not exist. */
export async function lockKnowledgeBase(stores: Stores, id: string): Promise<void> {
  found((await stores.knowledgeBases.hold(id)) || undefined, 'knowledgeBase', id);
}
