import { only } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import type { Plan } from '../projects/store.ts';
import type { StoredBinding } from '../secrets/store.ts';
import {
  type DesignKind,
  designKinds,
  type NamedMatch,
  type NamesInDesign,
  namesFound,
  wordsIn,
} from './record-names.ts';

/** The records that a document names, by id; secrets by name. */
export interface Names {
  readonly integrationIds: readonly string[];
  readonly knowledgeBaseIds: readonly string[];
  readonly conversationIds: readonly string[];
  readonly secretNames: readonly string[];
}

/** The named records that the project has, its plan, and whether it has opening hours. */
export interface NamedRecords {
  readonly plan: Plan;
  readonly integrationKinds: ReadonlyMap<string, string>;
  readonly knowledgeBaseIds: ReadonlySet<string>;
  readonly conversationIds: ReadonlySet<string>;
  readonly hasOpeningHours: boolean;
  readonly secretBindings: ReadonlyMap<string, StoredBinding | null>;
  /** The ids of records that are given by name, and hints for texts that name none or several. */
  readonly names: NamesInDesign;
}

const nothingNamed: NamesInDesign = { ids: new Map(), hints: new Map() };

interface NamedRow {
  plan: Plan;
  integrations: [id: string, kind: string][];
  knowledge_bases: string[];
  conversations: string[];
  has_hours: boolean;
  secrets: { name: string; binding: StoredBinding | null }[];
}

/** `lock` keeps what a design needs from being deleted while the design is stored or activated. */
const findNamed = (lock: '' | 'for key share') => `
  select plan, opening_hours is not null or closed_on <> '{}' as has_hours,
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

const tables: Readonly<Record<DesignKind, string>> = {
  integration: 'integrations',
  knowledgeBase: 'knowledge_bases',
  conversation: 'conversations',
};

/** Rows of a kind that are searched for a name, and names of it that a hint may suggest: the newest. */
const [mostSearched, mostKnown] = [10_000, 200];

/** As `RecordNameStore` compares names. */
const folded = (text: string) => `lower(btrim(${text}) collate "default")`;

/** A key that may not list records learns no name from a refusal. */
const mayList = `(cast(:author as text) is null or exists (
  select from api_keys where project_id = :projectId and id = :author and (access is null or 'read' = any (access))))`;

/** The records that the words of each kind name, and known names of these kinds if a word names none. */
const findByName = designKinds
  .map(
    (kind) => `
      select distinct '${kind}' as kind, word, id, name
      from (select id, name from ${tables[kind]} where project_id = :projectId order by id desc limit ${mostSearched}) rows
        cross join lateral (values (id), (${folded('name')})) as known (text)
        join unnest(cast(:${kind} as text[])) as given (word) on ${folded('word')} = known.text
      where ${mayList}
      union all
      (select '${kind}', null, id, name from ${tables[kind]}
       where project_id = :projectId and cardinality(cast(:${kind} as text[])) > 0 and ${mayList}
       order by id desc limit ${mostKnown})`,
  )
  .join(' union all ');

/** Finds the records that a document names, with one statement; with two if it has names in place of ids. */
export class NamedRecordStore extends TenantStore {
  find(names: Names): Promise<NamedRecords> {
    return this.#find(names, '');
  }

  /** Like `find`, and locks the integrations and knowledge bases for this transaction. */
  hold(names: Names): Promise<NamedRecords> {
    return this.#find(names, 'for key share');
  }

  async #find(names: Names, lock: '' | 'for key share'): Promise<NamedRecords> {
    const found = await this.names(names);
    const idOf = (kind: DesignKind) => (word: string) => found.ids.get(`${kind} ${word}`) ?? word;
    const rows = await this.sql<NamedRow>(findNamed(lock), {
      ...names,
      integrationIds: names.integrationIds.map(idOf('integration')),
      knowledgeBaseIds: names.knowledgeBaseIds.map(idOf('knowledgeBase')),
      conversationIds: names.conversationIds.map(idOf('conversation')),
    });
    const { plan, integrations, knowledge_bases, conversations, has_hours, secrets } = only(rows);
    return {
      plan,
      integrationKinds: new Map(integrations),
      knowledgeBaseIds: new Set(knowledge_bases),
      conversationIds: new Set(conversations),
      hasOpeningHours: has_hours,
      secretBindings: new Map(secrets.map(({ name, binding }) => [name, binding])),
      names: found,
    };
  }

  /** What the names in place of ids mean. A document without any takes no statement. */
  async names({ integrationIds, knowledgeBaseIds, conversationIds }: Omit<Names, 'secretNames'>) {
    const words = new Map<DesignKind, string[]>([
      ['integration', wordsIn(integrationIds)],
      ['knowledgeBase', wordsIn(knowledgeBaseIds)],
      ['conversation', wordsIn(conversationIds)],
    ]);
    if ([...words.values()].every(({ length }) => length === 0)) return nothingNamed;
    type Row = Omit<NamedMatch, 'word'> & { readonly word: string | null };
    const rows = await this.sql<Row>(findByName, { ...Object.fromEntries(words), author: this.author });
    const matches = rows.flatMap(({ word, ...row }) => (word === null ? [] : [{ ...row, word }]));
    const known = Map.groupBy(
      rows.filter(({ word }) => word === null),
      ({ kind }) => kind,
    );
    const names = new Map([...known].map(([kind, all]) => [kind, all.map(({ name }) => name)]));
    return namesFound(words, matches, names);
  }
}
