import { newId } from '../id.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';
import { only, type Queries, timestamp } from './queries.ts';
import { conversationsNaming, type Referrer } from './referrers.ts';
import { trashDays } from './trash.ts';

/** What answers of a conversation are looked up in; its sources hold the texts. */
export interface KnowledgeBase {
  id: string;
  projectId: string;
  name: string;
  createdAt: string;
  updatedAt: string;
}

interface KnowledgeBaseRow {
  project_id: string;
  id: string;
  name: string;
  created_at: Date;
  updated_at: Date;
}

/** It moves into the trash with its sources; pages, chunks and words, which are made of those, are removed in the background. */
const trashKnowledgeBase = `
  with base as (
    delete from knowledge_bases where project_id = :projectId and id = :id returning *
  ), sources as (
    delete from knowledge_sources where project_id = :projectId and knowledge_base_id = :id returning *
  ), removals as (
    insert into knowledge_removals (project_id, knowledge_base_id, source_id)
    select project_id, knowledge_base_id, id from sources
    union all select project_id, id, '' from base
    on conflict do nothing
  ), entry as (
    insert into trash (project_id, id, kind, resource_id, name, rows, expires_at)
    select base.project_id, :trashId, 'knowledgeBase', base.id, base.name,
      json_build_object(
        'knowledge_bases', json_build_array(row_to_json(base)),
        'knowledge_sources', (select coalesce(json_agg(row_to_json(sources)), '[]') from sources)),
      now() + make_interval(days => :days)
    from base
  )
  select id from sources where indexing_status = 'inProgress'`;

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
export class KnowledgeBaseStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  async find(id: string): Promise<KnowledgeBase | undefined> {
    const row = await this.#rows().where({ id }).first();
    return row && toKnowledgeBase(row);
  }

  /** Newest first. */
  async list(page: PageRequest): Promise<Page<KnowledgeBase>> {
    const query = this.#rows()
      .orderBy('id', 'desc')
      .limit(page.limit + 1);
    if (page.cursor !== undefined) query.andWhere('id', '<', page.cursor);
    return pageOf((await query).map(toKnowledgeBase), page, ({ id }) => id);
  }

  /** How many the project has. */
  async count(): Promise<number> {
    const { count } = only(await this.#rows().count<{ count: number }[]>('* as count'));
    return count;
  }

  async create(name: string): Promise<KnowledgeBase> {
    const rows = await this.#queries
      .knex<KnowledgeBaseRow>('knowledge_bases')
      .insert({ project_id: this.#projectId, id: newId('knowledgeBase'), name })
      .returning('*');
    return toKnowledgeBase(only(rows));
  }

  /** Whether there is such a base, held for this transaction: nobody deletes it meanwhile. */
  async hold(id: string): Promise<boolean> {
    return (await this.#rows().where({ id }).forKeyShare().first('id')) !== undefined;
  }

  /** The conversations whose active design names it, at most a hundred; locks the base for this transaction. */
  async referrers(id: string): Promise<Referrer[] | undefined> {
    if (!(await this.#rows().where({ id }).forUpdate().first('id'))) return undefined;
    return conversationsNaming(this.#queries, this.#projectId, 'knowledgeBase', id);
  }

  /** Moves a base with its sources into the trash, and takes back what is queued for them. */
  async trash(id: string): Promise<void> {
    const { knex, indexing } = this.#queries;
    const binding = { projectId: this.#projectId, id, trashId: newId('trash'), days: trashDays };
    const { rows } = await knex.raw<{ rows: { id: string }[] }>(trashKnowledgeBase, binding);
    await indexing?.cancel(
      knex,
      rows.map((source) => source.id),
    );
  }

  #rows() {
    return this.#queries.knex<KnowledgeBaseRow>('knowledge_bases').where({ project_id: this.#projectId });
  }
}
