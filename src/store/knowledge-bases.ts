import type { Queries } from './queries.ts';

/** The knowledge bases of a project. */
export class KnowledgeBaseStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  /** Those of these ids that the project has. */
  async known(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = this.#queries.knex<{ id: string; project_id: string }>('knowledge_bases');
    const known = rows.where({ project_id: this.#projectId }).whereRaw('id = any (?)', [[...ids]]);
    return new Set(await known.pluck('id'));
  }
}
