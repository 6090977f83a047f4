import { phoneDigits } from './phone-digits.ts';
import { TenantStore } from './tenant-store.ts';

/** The kinds of record that a search finds, as migration 0027 stores them. */
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

/** Longer lines are cut in Postgres, around the text. */
const longLine = 1000;

/**
 * The limit on the entries is enough, because every entry that matches has a place. The few records whose entry is not
 * up to date (migration 0032) are read themselves. A line that the newest and the active version share is one place.
 */
const findPlaces = `
  with indexed as (
    select project_id, kind, id, fields from search_entries
    where project_id = :projectId
      and (texts like search_pattern(:text) or texts like search_pattern(cast(:digits as text)))
      and not exists (
        select from search_pending where project_id = :projectId and search_pending.id = search_entries.id)
      and (cast(:kinds as text[]) is null or kind = any (cast(:kinds as text[])))
      and (cast(:from as text) is null or id <= :from)
    order by id desc limit :limit
  ), pending as (
    select record.* from search_pending
    cross join lateral (
      select 'flow' as kind, project_id, id, name, description from flows
      where flows.project_id = search_pending.project_id and flows.id = search_pending.id
      union all
      select 'conversation', project_id, id, name, description from conversations
      where conversations.project_id = search_pending.project_id and conversations.id = search_pending.id
    ) record
    where search_pending.project_id = :projectId
      and (cast(:kinds as text[]) is null or kind = any (cast(:kinds as text[])))
      and (cast(:from as text) is null or record.id <= :from)
  )
  select entry.kind, entry.id, entry.fields ->> 'name' as name, place.pointer, place.active, place.newest,
    case when length(line) <= ${longLine} then line else substr(line,
      greatest(1, strpos(search_plain(line), search_plain(:text)) - ${longLine / 4}), ${longLine}) end as line
  from (
    select project_id, kind, id, fields from indexed
    union all
    select project_id, kind, id,
      jsonb_strip_nulls(jsonb_build_object('name', name, 'description', description))
    from pending
  ) entry
  cross join lateral (
    select pointer, line, max(version) filter (where live) as active, max(version) filter (where latest) as newest
    from (
      select pointer, line, cast(null as bigint) as version, false as live, false as latest
      from search_lines(entry.fields)
      union all
      select pointer, line, version, is_active, version = newest_version
      from flows
      join flow_versions versions on versions.project_id = flows.project_id and flow_id = flows.id
        and (version = newest_version or is_active)
      cross join lateral search_lines(cast(flow_schema as jsonb))
      where flows.project_id = entry.project_id and flows.id = entry.id
      union all
      select pointer, line, n, n = active_version, n = newest_version
      from conversations
      join conversation_versions versions on versions.project_id = conversations.project_id
        and conversation_id = conversations.id and n in (newest_version, active_version)
      cross join lateral search_lines(
        case json_typeof(design) when 'object' then cast(design as jsonb) - 'compliance' end)
      where conversations.project_id = entry.project_id and conversations.id = entry.id
    ) line
    where search_plain(line) like search_pattern(:text)
      or search_plain(line) like search_pattern(cast(:digits as text))
    group by pointer, line
  ) place
  order by entry.id desc, coalesce(place.newest, place.active) nulls first, place.pointer collate "C",
    place.active desc nulls last
  offset :skip limit :limit`;

/** Finds texts in the records of a project. */
export class ProjectSearchStore extends TenantStore {
  /**
   * Lists the places in which a text occurs, by record, the newest record of a kind first. A text that is a part of a phone
   * number is searched by its digits too.
   */
  places({ text, kinds, limit, from }: SearchRequest): Promise<FoundPlace[]> {
    return this.sql<FoundPlace>(findPlaces, {
      text,
      digits: phoneDigits(text) ?? null,
      kinds: kinds && [...kinds],
      limit,
      from: from?.id ?? null,
      skip: from?.skip ?? 0,
    });
  }
}
