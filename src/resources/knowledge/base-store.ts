import { newId } from '../../platform/id.ts';
import { newestFirst, type Page, type PageRequest } from '../../store/page.ts';
import { only, timestamp } from '../../store/queries.ts';
import { type Referrer, referrersOf } from '../../store/referrers.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { moveToTrash } from '../../store/trashed-rows.ts';

/** A knowledge base: its sources hold the texts that a conversation searches for answers. */
export interface KnowledgeBase {
  id: string;
  projectId: string;
  name: string;
  createdAt: string;
  updatedAt: string;
}

export interface KnowledgeBaseRow {
  project_id: string;
  id: string;
  name: string;
  created_at: Date;
  updated_at: Date;
}

const columns = ['id', 'project_id', 'name', 'created_at', 'updated_at'] as const;

function toKnowledgeBase(row: KnowledgeBaseRow): KnowledgeBase {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}

/** The knowledge bases of a project. */
export class KnowledgeBaseStore extends TenantStore {
  async find(id: string): Promise<KnowledgeBase | undefined> {
    const row = await this.table('knowledge_bases')
      .where({ id })
      .first(...columns);
    return row && toKnowledgeBase(row);
  }

  list(page: PageRequest): Promise<Page<KnowledgeBase>> {
    return newestFirst(this.table('knowledge_bases').select(...columns), page, toKnowledgeBase);
  }

  count(): Promise<number> {
    return this.countRows('knowledge_bases');
  }

  async create(name: string): Promise<KnowledgeBase> {
    const rows = await this.unbound('knowledge_bases')
      .insert({ project_id: this.projectId, id: newId('knowledgeBase'), name })
      .returning([...columns]);
    return toKnowledgeBase(only(rows));
  }

  /** Locks a base for this transaction, so that nobody deletes it; returns false if it does not exist. */
  async hold(id: string): Promise<boolean> {
    return (await this.table('knowledge_bases').where({ id }).forKeyShare().first('id')) !== undefined;
  }

  /** Locks a base and returns the conversations whose active design names it, as `referrersOf` does. */
  referrers(id: string): Promise<Referrer[] | undefined> {
    return referrersOf(this.queries, this.projectId, 'knowledge_bases', id);
  }

  /** Moves a base with its sources into the trash and cancels their indexing. */
  trash(id: string): Promise<string | undefined> {
    return moveToTrash(this.queries, this.projectId, 'knowledgeBase', { id });
  }
}
