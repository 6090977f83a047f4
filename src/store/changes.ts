import { newestFirst, type Page, type PageRequest } from './page.ts';
import { timestamp } from './queries.ts';
import { TenantStore } from './tenant-store.ts';

export interface AuditRow {
  project_id: string;
  id: string;
  key_id: string;
  operation: string;
  request_id: string;
  input_hash: string;
  output_hash: string;
  created_at: Date;
  /** Null in rows of earlier releases, and if the change is of no one resource. */
  resource_id: string | null;
  summary: string | null;
}

/** A change as the audit log has it. */
export interface Change {
  readonly id: string;
  readonly at: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly operation: string;
  readonly resourceId: string | null;
  readonly summary: string | null;
}

export interface ChangeFilter {
  readonly keyId?: string | undefined;
  readonly operation?: string | undefined;
  readonly resource?: string | undefined;
  /** Included. */
  readonly from?: Date | undefined;
  /** Not included. */
  readonly to?: Date | undefined;
}

/** The audit log of a project. */
export class ChangeStore extends TenantStore {
  /** Lists changes, newest first. */
  async list(filter: ChangeFilter, page: PageRequest): Promise<Page<Change>> {
    const query = this.table('audit_log').select(
      'id',
      'created_at',
      'key_id',
      'operation',
      'resource_id',
      'summary',
    );
    if (filter.keyId !== undefined) query.andWhere('key_id', filter.keyId);
    if (filter.operation !== undefined) query.andWhere('operation', filter.operation);
    if (filter.resource !== undefined) query.andWhere('resource_id', filter.resource);
    if (filter.from !== undefined) query.andWhere('created_at', '>=', filter.from);
    if (filter.to !== undefined) query.andWhere('created_at', '<', filter.to);
    const { items, ...more } = await newestFirst(query, page, (row) => row);
    const keyIds = [...new Set(items.map(({ key_id: keyId }) => keyId))];
    const keys = keyIds.length ? await this.table('api_keys').select('id', 'name').whereIn('id', keyIds) : [];
    const names = new Map(keys.map(({ id, name }) => [id, name]));
    return {
      ...more,
      items: items.map((row) => ({
        id: row.id,
        at: timestamp(row.created_at),
        keyId: row.key_id,
        keyName: names.get(row.key_id) ?? '',
        operation: row.operation,
        resourceId: row.resource_id,
        summary: row.summary,
      })),
    };
  }
}
