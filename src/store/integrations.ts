import type { Queries } from './queries.ts';

interface IntegrationRow {
  id: string;
  project_id: string;
  kind: string;
}

/** The integrations of a project. */
export class IntegrationStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  /** The kind of each of these ids that the project has. */
  async kinds(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#queries
      .knex<IntegrationRow>('integrations')
      .where({ project_id: this.#projectId })
      .whereRaw('id = any (?)', [[...ids]])
      .select('id', 'kind');
    return new Map(rows.map(({ id, kind }) => [id, kind]));
  }
}
