import type { Plan } from './projects.ts';
import { only, type Queries } from './queries.ts';

/** Records that a document names: ids, and names of secrets. */
export interface Names {
  readonly integrationIds: readonly string[];
  readonly knowledgeBaseIds: readonly string[];
  readonly conversationIds: readonly string[];
  readonly secretNames: readonly string[];
}

/** Those of them that the project has, and its plan. */
export interface NamedRecords {
  readonly plan: Plan;
  readonly integrationKinds: ReadonlyMap<string, string>;
  readonly knowledgeBaseIds: ReadonlySet<string>;
  readonly conversationIds: ReadonlySet<string>;
  readonly secretNames: ReadonlySet<string>;
}

interface NamedRow {
  plan: Plan;
  integrations: [id: string, kind: string][];
  knowledge_bases: string[];
  conversations: string[];
  secrets: string[];
}

/** `lock` holds what a design that is stored or activated keeps: nobody deletes it meanwhile. */
const findNamed = (lock: '' | 'for key share') => `
  select plan,
    array(select array[id, kind] from integrations
      where project_id = projects.id and id = any (:integrationIds) ${lock}) as integrations,
    array(select id from knowledge_bases
      where project_id = projects.id and id = any (:knowledgeBaseIds) ${lock}) as knowledge_bases,
    array(select id from conversations
      where project_id = projects.id and id = any (:conversationIds)) as conversations,
    array(select name from secrets
      where project_id = projects.id and name = any (:secretNames)) as secrets
  from projects where id = :projectId`;

/** The records of a project that a document names, by one statement. */
export class NamedRecordStore {
  readonly #queries: Queries;
  readonly #projectId: string;

  constructor(queries: Queries, projectId: string) {
    this.#queries = queries;
    this.#projectId = projectId;
  }

  find(names: Names): Promise<NamedRecords> {
    return this.#find(names, '');
  }

  /** The same, where integrations and knowledge bases stay until this transaction has ended. */
  hold(names: Names): Promise<NamedRecords> {
    return this.#find(names, 'for key share');
  }

  async #find(names: Names, lock: '' | 'for key share'): Promise<NamedRecords> {
    const binding = { ...names, projectId: this.#projectId };
    const { rows } = await this.#queries.knex.raw<{ rows: NamedRow[] }>(findNamed(lock), binding);
    const { plan, integrations, knowledge_bases, conversations, secrets } = only(rows);
    return {
      plan,
      integrationKinds: new Map(integrations),
      knowledgeBaseIds: new Set(knowledge_bases),
      conversationIds: new Set(conversations),
      secretNames: new Set(secrets),
    };
  }
}
