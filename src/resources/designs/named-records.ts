import { only } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import type { Plan } from '../projects/store.ts';
import type { StoredBinding } from '../secrets/store.ts';

/** The records that a document names, by id; secrets by name. */
export interface Names {
  readonly integrationIds: readonly string[];
  readonly knowledgeBaseIds: readonly string[];
  readonly conversationIds: readonly string[];
  readonly secretNames: readonly string[];
}

/** The named records that the project has, and its plan. */
export interface NamedRecords {
  readonly plan: Plan;
  readonly integrationKinds: ReadonlyMap<string, string>;
  readonly knowledgeBaseIds: ReadonlySet<string>;
  readonly conversationIds: ReadonlySet<string>;
  readonly secretBindings: ReadonlyMap<string, StoredBinding | null>;
}

interface NamedRow {
  plan: Plan;
  integrations: [id: string, kind: string][];
  knowledge_bases: string[];
  conversations: string[];
  secrets: { name: string; binding: StoredBinding | null }[];
}

/** `lock` keeps what a design needs from being deleted while the design is stored or activated. */
const findNamed = (lock: '' | 'for key share') => `
  select plan,
    array(select array[id, kind] from integrations
      where project_id = projects.id and id = any (:integrationIds) ${lock}) as integrations,
    array(select id from knowledge_bases
      where project_id = projects.id and id = any (:knowledgeBaseIds) ${lock}) as knowledge_bases,
    array(select id from conversations
      where project_id = projects.id and id = any (:conversationIds)) as conversations,
    array(select json_build_object('name', name, 'binding', case when hosts is not null
        then json_build_object('hosts', hosts, 'headers', headers, 'inUrl', in_url) end) from secrets
      where project_id = projects.id and name = any (:secretNames)) as secrets
  from projects where id = :projectId`;

/** Finds the records that a document names, with one statement. */
export class NamedRecordStore extends TenantStore {
  find(names: Names): Promise<NamedRecords> {
    return this.#find(names, '');
  }

  /** Like `find`, and locks the integrations and knowledge bases for this transaction. */
  hold(names: Names): Promise<NamedRecords> {
    return this.#find(names, 'for key share');
  }

  async #find(names: Names, lock: '' | 'for key share'): Promise<NamedRecords> {
    const rows = await this.sql<NamedRow>(findNamed(lock), { ...names });
    const { plan, integrations, knowledge_bases, conversations, secrets } = only(rows);
    return {
      plan,
      integrationKinds: new Map(integrations),
      knowledgeBaseIds: new Set(knowledge_bases),
      conversationIds: new Set(conversations),
      secretBindings: new Map(secrets.map(({ name, binding }) => [name, binding])),
    };
  }
}
