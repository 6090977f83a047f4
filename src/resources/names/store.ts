import { endsWithDigits, phoneDigits } from '../../store/phone-digits.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { isListedKey } from '../keys/store.ts';

/** The tables of the records that have names, and what tells two of one name apart. */
const tables = {
  // A sign-in through OAuth that has ended has the name of the next one.
  key: { table: 'api_keys', context: 'status', condition: `and ${isListedKey}` },
  flow: { table: 'flows' },
  conversation: { table: 'conversations' },
  agentProfile: { table: 'agent_profiles' },
  integration: { table: 'integrations', context: 'kind' },
  phoneNumber: { table: 'phone_numbers', context: 'number', alsoBy: 'number' },
  webAgent: { table: 'web_agents' },
  voice: { table: 'voices' },
  knowledgeBase: { table: 'knowledge_bases' },
  knowledgeSource: { table: 'knowledge_sources', context: 'knowledge_base_id' },
  scenario: {
    table: 'scenarios',
    context: `(select conversations.name from conversations
      where conversations.project_id = :projectId and conversations.id = conversation_id)`,
  },
  trash: { table: 'trash', context: 'kind', condition: 'and expires_at > now()' },
} as const satisfies Record<string, NamedTable>;

interface NamedTable {
  readonly table: string;
  /** SQL of a text. */
  readonly context?: string;
  /** A column that names a record besides its name. */
  readonly alsoBy?: string;
  /** SQL that leaves rows out. */
  readonly condition?: string;
}

/** A kind of record that can be found by its name. */
export type NamedKind = keyof typeof tables;

/** The words that a call gives in place of ids. */
export interface Wanted {
  readonly words: ReadonlyMap<NamedKind, readonly string[]>;
  /** Ids and names of the knowledge bases whose sources are meant. */
  readonly bases: readonly string[];
}

/** A record that a word names. */
export interface NameMatch {
  readonly kind: NamedKind;
  /** As it was given. */
  readonly word: string;
  readonly id: string;
  readonly name: string;
  /** What tells it from another record of that name: the number of a phone number, the base of a source. */
  readonly context: string | null;
  /** 0 for an id, 1 for a name in the same letters, 2 if upper and lower case differ, 3 for the end of a number. */
  readonly distance: number;
  /** True if the word is the end of a phone number. */
  readonly isNumberEnd: boolean;
}

/** Rows of a kind that are searched for a name: the newest. The index on (project_id, id) finds these alone. */
const mostSearched = 10_000;
/** Names of a kind among which an error looks for one that is spelled alike. */
const mostOffered = 200;

/** Compares texts of any script, whatever the collation of the column. */
const folded = (text: string) => `lower(btrim(${text}) collate "default")`;

/** The newest rows of a kind; of sources, those in the bases that the call names. */
function newest(kind: NamedKind, limit: number): string {
  const {
    table,
    context = 'cast(null as text)',
    alsoBy = 'cast(null as text)',
    condition = '',
  }: NamedTable = tables[kind];
  const inBase =
    kind === 'knowledgeSource'
      ? `and knowledge_base_id = any(array(
          select id from knowledge_bases join unnest(cast(:bases as text[])) as base (word)
            on id = word or ${folded('name')} = ${folded('word')}
          where project_id = :projectId))`
      : '';
  return `(select id, name, ${context} as context, ${alsoBy} as also_by
    from ${table} where project_id = :projectId ${inBase} ${condition} order by id desc limit ${limit})`;
}

const findKind = (kind: NamedKind) => `
  select distinct '${kind}' as kind, word, id, name, context,
    case when id = btrim(word) then 0 when btrim(name) = btrim(word) or also_by = btrim(word) then 1 else 2 end as distance,
    false as "isNumberEnd"
  from ${newest(kind, mostSearched)} rows
    cross join lateral (values (id), (${folded('name')}), (also_by)) as known (text)
    join unnest(cast(:${kind} as text[])) as given (word) on ${folded('word')} = known.text`;

const namesOfKind = (kind: NamedKind) => `select name from ${newest(kind, mostOffered)} rows`;

const namesOfIds = (kind: NamedKind) => `
  select id, name from ${tables[kind].table} where project_id = :projectId and id = any(cast(:ids as text[]))`;

const findByDigits = `
  select 'phoneNumber' as kind, word, id, name, context, 3 as distance, true as "isNumberEnd"
  from ${newest('phoneNumber', mostSearched)} rows
    join unnest(cast(:numberWords as text[]), cast(:digits as text[])) as given (word, digits)
      on ${endsWithDigits('also_by', { text: 'word', digits: 'digits' })}`;

/** Finds records by their names, and names by ids. */
export class RecordNameStore extends TenantStore {
  /** Every record that one of the words names, with one statement. */
  find({ words, bases }: Wanted): Promise<NameMatch[]> {
    const numbers = (words.get('phoneNumber') ?? []).flatMap((word) => {
      const digits = phoneDigits(word);
      return digits === undefined ? [] : [{ word, digits }];
    });
    const kinds = [...words.keys()].map(findKind);
    const text = [...kinds, ...(numbers.length > 0 ? [findByDigits] : [])].join(' union all ');
    return this.sql<NameMatch>(text, {
      bases,
      ...Object.fromEntries(words),
      numberWords: numbers.map(({ word }) => word),
      digits: numbers.map(({ digits }) => digits),
    });
  }

  /** The names of records of a kind, by their ids. */
  async ofIds(kind: NamedKind, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.sql<{ id: string; name: string }>(namesOfIds(kind), { ids });
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** The names of the newest records of a kind. */
  async names(kind: NamedKind, { bases }: Wanted): Promise<string[]> {
    const rows = await this.sql<{ name: string }>(namesOfKind(kind), { bases });
    return rows.map(({ name }) => name);
  }
}
