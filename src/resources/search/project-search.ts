import { folded } from '../../design/folded.ts';
import { searchedLines } from '../../services/search/document-text.ts';
import { searchedDesign } from '../../store/json-document.ts';
import { phoneDigits } from '../../store/phone-digits.ts';
import { TenantStore } from '../../store/tenant-store.ts';

/** The kinds of record that a search finds. */
export type SearchKind =
  | 'flow'
  | 'conversation'
  | 'agentProfile'
  | 'knowledgeBase'
  | 'knowledgeSource'
  | 'phoneNumber'
  | 'webAgent'
  | 'integration'
  | 'voice';

/** A place in which a text occurs. */
export interface FoundPlace {
  readonly kind: SearchKind;
  readonly id: string;
  readonly name: string;
  /** A JSON pointer into the record or, if there is a version, into its design or configuration. */
  readonly pointer: string;
  /** The line, or of a long one the part around the text. */
  readonly line: string;
  /** The number of the active version if it has this line; null in a record without versions, and in its names. */
  readonly active: number | null;
  /** The same for the newest version. */
  readonly newest: number | null;
}

export interface SearchRequest {
  readonly text: string;
  /** Null for all. */
  readonly kinds: readonly SearchKind[] | null;
  readonly limit: number;
  /** The record at which to go on, and how many of its places to skip. */
  readonly from: { readonly id: string; readonly skip: number } | undefined;
}

/** Characters of the longest line that is returned whole. */
const longLine = 1000;

/** Records whose versions are read at once: a version has at most 256 KiB. */
const readAtOnce = 20;

/** Candidates of one statement, if the first ones had too few places. */
const furtherCandidates = 1000;

/** SQL: true if a text in the form of `search_plain` has the words, or the digits of a phone number. */
const has = (plain: string) => `(strpos(${plain}, (select words from sought)) > 0
  or strpos(${plain}, (select digits from sought)) > 0)`;

const named = (...columns: readonly string[]) =>
  columns.map((column) => has(`search_plain(${column})`)).join(' or ');

/**
 * SQL: true if a version may have the words. One that waits for its text (migration 0062) is read, unless its JSON lacks
 * the longest ASCII word of them. That tells nothing if the JSON has accents, or escapes that may stand for some.
 */
const mayHave = (document: string) => `case when search_text is not null then ${has('search_text')}
  else octet_length(cast(${document} as text)) <> char_length(cast(${document} as text))
    or strpos(cast(${document} as text), '\\u') > 0
    or strpos(lower(cast(${document} as text) collate "C"), (select ascii from sought)) > 0 end`;

interface Kind {
  readonly kind: SearchKind;
  readonly table: string;
  /** The columns that are searched, by their names in the record. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Further joins, and the condition that replaces that on the fields. */
  readonly joins?: string;
  readonly condition?: string;
}

/** `offset 0` keeps the planner from reading the versions of every project instead of two of each record. */
const kinds: readonly Kind[] = [
  {
    kind: 'flow',
    table: 'flows',
    fields: { name: 'name', description: 'description' },
    joins: `cross join lateral (
      select is_active, ${mayHave('flow_schema')} as may_have from flow_versions versions
      where versions.project_id = records.project_id and flow_id = records.id and version = newest_version offset 0
    ) newest`,
    condition: `${named('name', 'description')} or newest.may_have or not newest.is_active and exists (
      select from flow_versions versions
      where versions.project_id = records.project_id and flow_id = records.id and is_active
        and ${mayHave('flow_schema')} offset 0)`,
  },
  {
    kind: 'conversation',
    table: 'conversations',
    fields: { name: 'name', description: 'description' },
    condition: `${named('name', 'description')} or exists (
      select from conversation_versions versions
      where versions.project_id = records.project_id and conversation_id = records.id
        and n = any (array[newest_version, active_version]) and ${mayHave('design')} offset 0)`,
  },
  { kind: 'agentProfile', table: 'agent_profiles' },
  { kind: 'knowledgeBase', table: 'knowledge_bases' },
  {
    kind: 'knowledgeSource',
    table: 'knowledge_sources',
    fields: {
      name: 'name',
      url: 'url',
      fileName: 'file_name',
      pages: `(select json_object_agg(pages.url, title) from knowledge_pages pages
        where pages.project_id = records.project_id and source_id = records.id and ${named('title')})`,
    },
    condition: `${named('name', 'records.url', 'file_name')} or exists (
      select from knowledge_pages pages
      where pages.project_id = records.project_id and source_id = records.id and ${named('title')} offset 0)`,
  },
  {
    kind: 'phoneNumber',
    table: 'phone_numbers',
    fields: { name: 'name', number: 'number' },
    condition: named('name', 'number'),
  },
  { kind: 'webAgent', table: 'web_agents' },
  { kind: 'integration', table: 'integrations' },
  { kind: 'voice', table: 'voices' },
];

/** Records that may have the words, the newest of a kind first. Each condition is tried on records of one project only. */
const findCandidates = `
  with sought as materialized (
    select search_plain(:text) as words, cast(:digits as text) as digits, cast(:ascii as text) as ascii
  )
  ${kinds
    .map(
      ({ kind, table, fields = { name: 'name' }, joins = '', condition = named('name') }) => `(
    select '${kind}' as kind, records.id, json_build_object(${Object.entries(fields)
      .map(([name, column]) => `'${name}', ${column}`)
      .join(', ')}) as fields
    from ${table} records ${joins}
    where records.project_id = :projectId
      and (cast(:kinds as text[]) is null or '${kind}' = any (cast(:kinds as text[])))
      and records.id < :before and (${condition})
    order by records.id desc limit :limit)`,
    )
    .join(' union all ')}
  order by id desc limit :limit`;

/** The newest and the active version of each of some records. */
const readVersions = `
  select records.id, version as number, is_active as active, version = newest_version as newest, flow_schema as document
  from flows records
  join flow_versions versions on versions.project_id = records.project_id and flow_id = records.id
    and (version = newest_version or is_active)
  where records.project_id = :projectId and records.id = any (cast(:ids as text[]))
  union all
  select records.id, n, n = active_version, n = newest_version, design
  from conversations records
  join conversation_versions versions on versions.project_id = records.project_id and conversation_id = records.id
    and n in (newest_version, active_version)
  where records.project_id = :projectId and records.id = any (cast(:ids as text[]))`;

interface Candidate {
  readonly kind: SearchKind;
  readonly id: string;
  readonly fields: { readonly name: string };
}

interface Version {
  readonly id: string;
  readonly number: number;
  readonly active: boolean;
  readonly newest: boolean;
  readonly document: unknown;
}

/** Sorts after every id. */
const afterIds = '~';

/** Finds texts in the records of a project. */
export class ProjectSearchStore extends TenantStore {
  /**
   * Lists the places in which a text occurs, by record, the newest record of a kind first. A text that is a part of a phone
   * number is searched by its digits too.
   */
  async places({ text, kinds: only, limit, from }: SearchRequest): Promise<FoundPlace[]> {
    const digits = phoneDigits(text) ?? null;
    const find = finder(text, digits);
    const skip = from?.skip ?? 0;
    const wanted = skip + limit;
    const found: FoundPlace[] = [];
    let before = `${from?.id ?? ''}${afterIds}`;
    for (let most = limit; ; most = furtherCandidates) {
      const bindings = {
        text,
        digits,
        ascii: longestWord(text),
        kinds: only && [...only],
        before,
        limit: most,
      };
      const candidates = await this.sql<Candidate>(findCandidates, bindings);
      for (let at = 0; at < candidates.length && found.length < wanted; at += readAtOnce)
        found.push(...(await this.#placesOf(candidates.slice(at, at + readAtOnce), find)));
      const last = candidates.at(-1);
      if (!last || candidates.length < most || found.length >= wanted) return found.slice(skip, wanted);
      before = last.id;
    }
  }

  async #placesOf(candidates: readonly Candidate[], find: Find): Promise<FoundPlace[]> {
    const ids = candidates.map(({ id }) => id);
    const versions = Map.groupBy(await this.sql<Version>(readVersions, { ids }), ({ id }) => id);
    return candidates.flatMap((candidate) => placesOf(candidate, versions.get(candidate.id) ?? [], find));
  }
}

/** The longest run of ASCII letters and digits in a text without case and accents; empty if it has none. */
function longestWord(text: string): string {
  const words = folded(text).match(/[a-z0-9]+/g) ?? [];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

/** Returns the part of a line around what is searched, or the line itself if it is short; undefined if it lacks that. */
type Find = (line: string) => string | undefined;

function finder(text: string, digits: string | null): Find {
  const sought = [folded(text), ...(digits === null ? [] : [digits])];
  return (line) => {
    const plain = folded(line);
    const at = sought.map((words) => plain.indexOf(words)).find((index) => index >= 0);
    if (at === undefined) return undefined;
    const start = Math.max(0, at - longLine / 4);
    return line.length <= longLine ? line : line.slice(start, start + longLine);
  };
}

/** The places of a record: those in its names, then those of each version. A line that both versions share is one place. */
function placesOf(
  { kind, id, fields }: Candidate,
  versions: readonly Version[],
  find: Find,
): readonly FoundPlace[] {
  const places = new Map<string, FoundPlace>();
  const add = (document: unknown, numbers: Pick<FoundPlace, 'active' | 'newest'>) => {
    for (const { pointer, text } of searchedLines(document)) {
      const line = find(text);
      if (line === undefined) continue;
      const key = `${pointer}\0${text}`;
      const { active = null, newest = null } = places.get(key) ?? {};
      const { name } = fields;
      places.set(key, {
        kind,
        id,
        name,
        pointer,
        line,
        active: active ?? numbers.active,
        newest: newest ?? numbers.newest,
      });
    }
  };
  add(fields, { active: null, newest: null });
  for (const { number, active, newest, document } of versions)
    add(kind === 'conversation' ? searchedDesign(document) : document, {
      active: active ? number : null,
      newest: newest ? number : null,
    });
  return [...places.values()].toSorted(inOrder);
}

/** Names first, then lower versions first, in the order of the pointers. */
function inOrder(one: FoundPlace, other: FoundPlace): number {
  const first = ({ newest, active }: FoundPlace) => newest ?? active ?? 0;
  if (first(one) !== first(other)) return first(one) - first(other);
  if (one.pointer !== other.pointer) return one.pointer < other.pointer ? -1 : 1;
  return (other.active ?? -1) - (one.active ?? -1);
}
