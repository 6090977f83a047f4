import type { Queries } from './queries.ts';

/** The agent profiles of a project. */
export class AgentProfileStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  /** The profile's id where it is one of this project, held for this transaction: nobody deletes it meanwhile. */
  async hold(id: string): Promise<{ id: string } | undefined> {
    return this.#queries
      .knex<{ id: string; project_id: string }>('agent_profiles')
      .where({ project_id: this.#projectId, id })
      .forKeyShare()
      .first('id');
  }
}
