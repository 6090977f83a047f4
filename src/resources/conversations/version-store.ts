import type { JsonDocument } from '../../operation/document.ts';
import { designText } from '../../store/json-document.ts';
import { type Page, type PageRequest, pageOf } from '../../store/page.ts';
import { only, timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { type LivePeriodRow, livePeriodColumns, livePeriodsOf } from '../versions/live-periods.ts';
import {
  inheritedOf,
  type RejectionColumns,
  type RejectionRow,
  rejectionOf,
  type SelectedInherited,
  selectInherited,
  selectRejection,
} from '../versions/rejection-store.ts';
import type { VersionHistory } from '../versions/stored-history.ts';
import type { ConversationKind } from './store.ts';

/** A version of a conversation in lists (service-api#conversation-version-summary). */
export interface VersionSummary {
  n: number;
  tag: string;
  isActive: boolean;
  createdAt: string;
}

/** The result of looking a version up: whether it exists, and the kind of its conversation. */
export interface FoundVersion {
  readonly kind: ConversationKind;
  /** Null if the conversation has no such version. */
  readonly n: number | null;
  /** Null if the version does not exist or has no design. */
  readonly design: unknown;
  /** The bytes of the design as JSON; null if the version does not exist. */
  readonly designBytes: number | null;
}

/** Which versions to read at once. */
export interface ChosenVersions {
  readonly numbers: readonly number[];
  readonly newest: boolean;
  readonly active: boolean;
}

/** Some versions of a conversation. */
export interface FoundVersions {
  readonly kind: ConversationKind;
  readonly newestVersion: number;
  readonly activeVersion: number;
  /** Those that exist, by number. */
  readonly versions: ReadonlyMap<number, { readonly tag: string; readonly design: unknown }>;
}

export interface ConversationVersionRow extends RejectionColumns {
  project_id: string;
  conversation_id: string;
  n: number;
  tag: string;
  /** Null in a conversation of the kind `simple`. */
  design: unknown;
  design_bytes: number;
  created_at: Date;
  /** The key that made it; null on the command line and in versions of earlier releases. */
  author: string | null;
  /** When it last became the active version; null if never, or in an earlier release. */
  live_at: Date | null;
  /** The newest periods in which it was active, as a multirange; null if none was recorded. */
  live_periods: string | null;
  live_count: number | null;
  /** What a search reads of it; null until a worker has written it, if an earlier release stored the version. */
  search_text: string | null;
}

const columns = ['n', 'tag', 'created_at'] as const;
type SummaryRow = Pick<ConversationVersionRow, (typeof columns)[number]>;
type ListedRow = SummaryRow &
  LivePeriodRow &
  RejectionRow &
  Pick<ConversationVersionRow, 'live_at'> & {
    readonly author_name: string | null;
    readonly inherited: SelectedInherited | null;
  };
/** No number and no tag if the conversation has none of the versions. */
type FoundVersionRow = Omit<FoundVersions, 'versions'> & {
  readonly n: number | null;
  readonly tag: string | null;
  readonly design: unknown;
};
type ListedVersion = Omit<VersionSummary, 'isActive'> & VersionHistory;

const findVersion = `
  select kind, n, design, design_bytes as "designBytes"
  from conversations
  left join conversation_versions versions
    on versions.project_id = conversations.project_id and conversation_id = conversations.id and n = :n
  where conversations.project_id = :projectId and conversations.id = :conversationId`;

const findVersions = `
  select kind, newest_version as "newestVersion", active_version as "activeVersion", n, tag, design
  from conversations
  left join conversation_versions versions
    on versions.project_id = conversations.project_id and conversation_id = conversations.id
    and n = any (cast(:numbers as bigint[]) || array[
      case when cast(:newest as boolean) then newest_version end, case when cast(:active as boolean) then active_version end])
  where conversations.project_id = :projectId and conversations.id = :conversationId`;

/**
 * `given` sends the design once, although two columns use it. The counter is in the conversation's row, whose lock
 * gives every writer the next number.
 */
const createVersion = `
  with given as (select cast(:design as text) as design), conversation as (
    update conversations set newest_version = newest_version + 1
    where project_id = :projectId and id = :conversationId
    returning project_id, id, newest_version
  )
  insert into conversation_versions (project_id, conversation_id, n, tag, design, design_bytes, author, search_text)
  select project_id, id, newest_version, coalesce(:tag, 'v' || newest_version), cast(design as json),
    octet_length(design), cast(:author as text), :searchText
  from conversation, given
  returning ${columns.join(', ')}`;

const listVersions = `
  select ${columns.join(', ')}, live_at, ${livePeriodColumns}, (
    select name from api_keys where api_keys.project_id = versions.project_id and id = author
  ) as author_name, ${selectRejection('versions')}, ${selectInherited('conversation', 'versions')} as inherited
  from conversation_versions versions
  where project_id = :projectId and conversation_id = :conversationId
    and (cast(:before as bigint) is null or n < cast(:before as bigint))
  order by n desc limit :limit`;

/** The versions of a project's conversations. */
export class ConversationVersionStore extends TenantStore {
  /** Finds a version with the kind of its conversation; undefined if the conversation does not exist. */
  async find(conversationId: string, n: number): Promise<FoundVersion | undefined> {
    const [[row] = []] = await this.together([findVersion, { conversationId, n }]);
    return row as FoundVersion | undefined;
  }

  /** Finds some versions with one statement; undefined if the conversation does not exist. */
  async findChosen(
    conversationId: string,
    { numbers, newest, active }: ChosenVersions,
  ): Promise<FoundVersions | undefined> {
    const rows = await this.sql<FoundVersionRow>(findVersions, {
      conversationId,
      numbers: [...numbers],
      newest,
      active,
    });
    const [first] = rows;
    if (!first) return undefined;
    const { kind, newestVersion, activeVersion } = first;
    const versions = rows.flatMap(({ n, tag, design }) =>
      n === null || tag === null ? [] : [[n, { tag, design }] as const],
    );
    return { kind, newestVersion, activeVersion, versions: new Map(versions) };
  }

  /** Returns null if the version does not exist or has no design. */
  async design(conversationId: string, n: number): Promise<unknown> {
    const row = await this.#versions(conversationId).where({ n }).first('design');
    return row?.design ?? null;
  }

  /** The number of the version that was the newest right before a time. */
  async newestAt(conversationId: string, time: Date): Promise<number | undefined> {
    const row = await this.#versions(conversationId)
      .where('created_at', '<', time)
      .orderBy('n', 'desc')
      .first('n');
    return row?.n;
  }

  /** Lists the versions, highest number first; the cursor is a version number. */
  async list(conversationId: string, page: PageRequest): Promise<Page<ListedVersion>> {
    const rows = await this.sql<ListedRow>(listVersions, {
      conversationId,
      before: page.cursor ?? null,
      limit: page.limit + 1,
    });
    return pageOf(rows.map(toListed), page, ({ n }) => String(n));
  }

  /** Stores the next version, inactive; the caller holds the conversation. */
  async create(
    conversationId: string,
    { json, value }: JsonDocument,
    tag: string | null,
  ): Promise<VersionSummary> {
    const rows = await this.sql<SummaryRow>(createVersion, {
      conversationId,
      design: json,
      searchText: designText(value),
      tag,
      author: this.author,
    });
    return { ...toSummary(only(rows)), isActive: false };
  }

  #versions(conversationId: string) {
    return this.table('conversation_versions').where({ conversation_id: conversationId });
  }
}

function toListed(row: ListedRow): ListedVersion {
  const { author_name: author, live_at } = row;
  const liveAt = live_at && timestamp(live_at);
  return {
    ...toSummary(row),
    author,
    liveAt,
    ...livePeriodsOf(row),
    rejection: rejectionOf(row),
    inheritedRejections: inheritedOf(row.inherited),
  };
}

function toSummary({ n, tag, created_at }: SummaryRow) {
  return { n, tag, createdAt: timestamp(created_at) };
}
