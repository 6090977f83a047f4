import { codeOf, ToolError } from '../../platform/errors.ts';
import { newestFirst, type Page, type PageRequest } from '../../store/page.ts';
import { now, timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { restoreRows, type TrashKind } from '../../store/trashed-rows.ts';
import { reindexRestored } from '../knowledge/restored.ts';

/** A deleted resource that can be restored. */
export interface TrashEntry {
  id: string;
  kind: TrashKind;
  resourceId: string;
  name: string;
  deletedAt: string;
  expiresAt: string;
}

/** An entry, with the name of the key that deleted it; null for a change of an earlier release. */
export interface ListedEntry extends TrashEntry {
  deletedBy: string | null;
}

export interface TrashRow {
  project_id: string;
  id: string;
  kind: TrashKind;
  resource_id: string;
  name: string;
  rows: unknown;
  sealed_content: Buffer | null;
  deleted_at: Date;
  expires_at: Date;
}

const columns = ['id', 'kind', 'resource_id', 'name', 'deleted_at', 'expires_at'] as const;

/** Of each of some records, who deleted it last. */
const findDeleters = `
  select deleted.id, keys.name from unnest(cast(:ids as text[])) as deleted (id)
  cross join lateral (
    select key_id from audit_log
    where project_id = :projectId and resource_id = deleted.id and starts_with(operation, 'delete_')
    order by audit_log.id desc limit 1
  ) change
  join api_keys keys on keys.project_id = :projectId and keys.id = key_id`;

const findSameNumber = `
  select phone_numbers.id, phone_numbers.name from phone_numbers join trash using (project_id)
  where trash.project_id = :projectId and trash.id = :id and number = rows->'phone_numbers'->0->>'number'`;

const foreignKeyViolation = '23503';

function toEntry(row: Pick<TrashRow, (typeof columns)[number]>): TrashEntry {
  return {
    id: row.id,
    kind: row.kind,
    resourceId: row.resource_id,
    name: row.name,
    deletedAt: timestamp(row.deleted_at),
    expiresAt: timestamp(row.expires_at),
  };
}

/** What a project has deleted in the last 30 days. */
export class TrashStore extends TenantStore {
  /** Lists the entries, those deleted last first. */
  async list(page: PageRequest): Promise<Page<ListedEntry>> {
    const { items, ...more } = await newestFirst(this.#unexpired().select(...columns), page, toEntry);
    const ids = items.map(({ resourceId }) => resourceId);
    const deleters = await this.sql<{ id: string; name: string }>(findDeleters, { ids });
    const names = new Map(deleters.map(({ id, name }) => [id, name]));
    return {
      ...more,
      items: items.map((entry) => ({ ...entry, deletedBy: names.get(entry.resourceId) ?? null })),
    };
  }

  /**
   * Restores a resource and removes its entry.
   * @throws ToolError `not_found` if a record that the resource refers to is gone; `in_use` if the number of a phone
   * number was added again, or if another scenario of the conversation has the name
   */
  async restore(id: string): Promise<{ id: string; kind: TrashKind } | undefined> {
    const entry = await this.#unexpired().andWhere({ id }).forUpdate().first('kind', 'resource_id');
    if (!entry) return undefined;
    const { kind, resource_id: resourceId } = entry;
    try {
      const isRestored = await restoreRows(this.queries, this.projectId, kind, id);
      if (kind === 'scenario' && !isRestored)
        throw new ToolError('in_use', 'Another scenario of the conversation has the name of this one.');
      // Of all other columns outside a primary key, only a number is unique.
      if (kind === 'phoneNumber' && !isRestored) throw await this.#numberInUse(id);
      if (kind === 'knowledgeBase' || kind === 'knowledgeSource')
        await reindexRestored(this.queries, this.projectId, resourceId);
    } catch (error) {
      if (codeOf(error) !== foreignKeyViolation) throw error;
      throw new ToolError('not_found', `A record that this ${kind} refers to no longer exists.`, {
        cause: error,
      });
    }
    await this.table('trash').andWhere({ id }).delete();
    return { id: resourceId, kind };
  }

  #unexpired() {
    return this.table('trash').andWhere('expires_at', '>', now());
  }

  /** Names the phone number only if it belongs to this project: a native number may belong to another one by now. */
  async #numberInUse(id: string): Promise<ToolError> {
    const rows = await this.sql<{ id: string; name: string }>(findSameNumber, { id });
    const references = rows.map((row) => ({ kind: 'phoneNumber', ...row }));
    return new ToolError('in_use', 'The number of this phone number is in use again.', {
      details: { references },
    });
  }
}
