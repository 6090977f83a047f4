import type { JsonDocument } from '../../operation/document.ts';
import { newId } from '../../platform/id.ts';
import { statement } from '../../postgres/statement.ts';
import { configurationText } from '../../store/json-document.ts';
import { type Page, type PageRequest, pageBytes, pageOf } from '../../store/page.ts';
import { timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import type { VersionChoice } from '../conversations/schema.ts';
import {
  type LivePeriodRow,
  liveBegins,
  liveEnds,
  livePeriodColumns,
  livePeriodsOf,
} from '../versions/live-periods.ts';
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
import type { FlowRow, FlowType } from './store.ts';

/** A version of a flow (service-api#flow-version). */
export interface FlowVersion {
  id: string;
  flowId: string;
  version: number;
  tag: string;
  flowSchema: unknown;
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface FlowVersionRow extends RejectionColumns {
  project_id: string;
  id: string;
  flow_id: string;
  version: number;
  tag: string;
  flow_schema: unknown;
  flow_schema_bytes: number;
  is_active: boolean;
  created_at: Date;
  updated_at: Date;
  /** The key that made it; null on the command line and in versions of earlier releases. */
  author: string | null;
  /** When it last became the active version; null if never, or if an earlier release activated it. */
  live_at: Date | null;
  /** The newest periods in which it was active, as a multirange; null if none was recorded. */
  live_periods: string | null;
  live_count: number | null;
  /** What a search reads of it; null until a worker has written it, if an earlier release stored the version. */
  search_text: string | null;
}

const columns = [
  'id',
  'flow_id',
  'version',
  'tag',
  'flow_schema',
  'is_active',
  'created_at',
  'updated_at',
] as const;
type RecordRow = Pick<FlowVersionRow, (typeof columns)[number]>;
/** A version that was looked for, and may not exist. */
type SoughtRow = RecordRow | { readonly id: null };
type HistoryRow = RecordRow &
  LivePeriodRow &
  RejectionRow & {
    readonly author_name: string | null;
    readonly live_since: Date | null;
    readonly inherited: SelectedInherited | null;
  };
type ListedRow = HistoryRow & { readonly flow_schema_bytes: number; readonly active_version: number };

/** Bytes of a version's JSON besides its configuration, about, and of each period in which it was live. */
const [besideConfiguration, besidePeriods] = [250, 75];

/** A version that an earlier release activated was updated then. */
const history = `
  (select name from api_keys where api_keys.project_id = flow_versions.project_id and api_keys.id = author)
    as author_name,
  coalesce(live_at, case when is_active then updated_at end) as live_since, ${livePeriodColumns},
  ${selectRejection('flow_versions')}, ${selectInherited('flow', 'flow_versions')} as inherited`;

const findVersion = statement('find_flow_version', (knex, $) =>
  knex('flow_versions')
    .select<HistoryRow[]>(...columns, knex.raw(history))
    .where({ project_id: $(0), id: $(1) }),
);

/** The counter is in the flow's row, whose lock gives every writer the next number. */
const createVersion = `
  with flow as (
    update flows set newest_version = newest_version + 1
    where project_id = :projectId and id = :flowId
    returning project_id, id, newest_version
  )
  insert into flow_versions
    (project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active, author, search_text)
  select project_id, :id, id, newest_version, 'v' || newest_version, cast(:flowSchema as json),
    octet_length(:flowSchema), false, cast(:author as text), :searchText
  from flow
  returning ${columns.join(', ')}`;

/** Postgres sums the sizes before it reads the configurations, and never sends one that the page cannot hold. */
const listVersions = `
  select ${columns.join(', ')}, ${history}, flow_schema_bytes, (
    select version from flow_versions where project_id = :projectId and flow_id = :flowId and is_active
  ) as active_version
  from flow_versions
  where project_id = :projectId and id in (
    select id from (
      select id, sum(flow_schema_bytes) over (order by version desc) - flow_schema_bytes as bytes_before
      from (
        select id, version, flow_schema_bytes from flow_versions
        where project_id = :projectId and flow_id = :flowId
          and (cast(:before as bigint) is null or version < cast(:before as bigint))
        order by version desc limit :limit
      ) newest
    ) measured
    where bytes_before < :bytes
  )
  order by version desc`;

const flowOfVersion = '(select flow_id from flow_versions where project_id = :projectId and id = :id)';

/** The flow's row is the lock, so the second of two activations at once sees what the first did. */
const lockFlow = `
  select agent_profile_id from flows where project_id = :projectId and id = ${flowOfVersion} for no key update`;

const ends = liveEnds('coalesce(live_at, updated_at)');

/** One statement, so that the period of one version ends when that of the other begins. Leaves none active. */
const deactivateOthers = `
  with moment as materialized (select cast(clock_timestamp() as timestamptz(3)) as at)
  update flow_versions set is_active = false,
    live_at = case when id = :id then at else coalesce(live_at, updated_at) end,
    live_periods = case when id = :id then ${liveBegins.live_periods} else ${ends.live_periods} end,
    live_count = case when id = :id then ${liveBegins.live_count} else ${ends.live_count} end,
    updated_at = case when id = :id then updated_at else now() end
  from moment
  where project_id = :projectId and flow_id = ${flowOfVersion}
    and (is_active and id <> :id or not is_active and id = :id)`;

/** Returns the version in either case, so that it need not be read again. */
const activateVersion = `
  update flow_versions set is_active = true, updated_at = case when is_active then updated_at else now() end,
    live_at = coalesce(live_at, updated_at)
  where project_id = :projectId and id = :id
  returning ${columns.join(', ')}`;

function toFlowVersion(row: RecordRow): FlowVersion {
  return {
    id: row.id,
    flowId: row.flow_id,
    version: row.version,
    tag: row.tag,
    flowSchema: row.flow_schema,
    isActive: row.is_active,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  };
}

function withHistory(row: HistoryRow): FlowVersion & VersionHistory {
  const { author_name: author, live_since: liveAt } = row;
  return {
    ...toFlowVersion(row),
    author,
    liveAt: liveAt && timestamp(liveAt),
    ...livePeriodsOf(row),
    rejection: rejectionOf(row),
    inheritedRejections: inheritedOf(row.inherited),
  };
}

export interface FlowVersionPage extends Page<FlowVersion & VersionHistory> {
  /** The number of the version that was active when the page was read. Undefined if the page is empty. */
  readonly activeVersion: number | undefined;
}

/** A version that was activated, with the agent profile of its flow. */
export interface ActivatedVersion {
  readonly version: FlowVersion;
  readonly agentProfileId: string | null;
}

/** A flow with the numbers of its newest and its active version. */
export interface NumberedFlow {
  readonly type: FlowType;
  readonly newestVersion: number;
  readonly activeVersion: number;
}

/** The active version of a flow. */
export interface ActiveConfiguration {
  readonly versionId: string;
  readonly activeVersion: number;
  readonly newestVersion: number;
  /** Null if it is longer than was asked for. */
  readonly flowSchema: unknown;
  readonly bytes: number;
}

/** A flow, and the version of it that a call is about. */
export interface ChosenFlowVersion {
  readonly type: FlowType;
  /** Undefined if the flow has no version of this number. */
  readonly version: FlowVersion | undefined;
  readonly bytes: number;
}

const findChosen = `
  select type, flow_schema_bytes as bytes, ${columns.map((column) => `versions.${column}`).join(', ')}
  from flows left join flow_versions as versions
    on versions.project_id = flows.project_id and versions.flow_id = flows.id and version = case
      when :word = 'newest' then newest_version
      when :word = 'active' then (
        select version from flow_versions where project_id = :projectId and flow_id = :flowId and is_active
      )
      else cast(:number as integer) end
  where flows.project_id = :projectId and flows.id = :flowId`;

const findActive = statement('find_active_configuration', (knex, $) =>
  knex('flows')
    .join('flow_versions as versions', {
      'versions.project_id': 'flows.project_id',
      flow_id: 'flows.id',
      is_active: knex.raw('true'),
    })
    .select<ActiveConfiguration[]>(
      'versions.id as versionId',
      'version as activeVersion',
      'newest_version as newestVersion',
      'flow_schema_bytes as bytes',
      knex.raw('case when flow_schema_bytes <= ? then flow_schema end as "flowSchema"', [$(2)]),
    )
    .where({ 'flows.project_id': $(0), 'flows.id': $(1) }),
);

const lockNumberedFlow = `
  select type, newest_version as "newestVersion", (
    select version from flow_versions where project_id = :projectId and flow_id = :flowId and is_active
  ) as "activeVersion"
  from flows where project_id = :projectId and id = :flowId for no key update`;

/** The versions of a project's flows. */
export class FlowVersionStore extends TenantStore {
  async find(id: string): Promise<(FlowVersion & VersionHistory) | undefined> {
    const row = await this.read(findVersion, id);
    return row && withHistory(row);
  }

  /** The active version, with its configuration if that takes at most so many bytes; undefined if there is no flow. */
  async active(flowId: string, longest: number): Promise<ActiveConfiguration | undefined> {
    const values = [this.projectId, flowId, String(longest)];
    const [row] = await this.queries.point.query(findActive, values);
    return row;
  }

  /** Locks a flow for this transaction, so that nobody deletes it or adds a version. */
  async lockNumberedFlow(flowId: string): Promise<NumberedFlow | undefined> {
    const [row] = await this.sql<NumberedFlow>(lockNumberedFlow, { flowId });
    return row;
  }

  /** The version that a call chooses; undefined if there is no flow. */
  async chosen(flowId: string, choice: VersionChoice): Promise<ChosenFlowVersion | undefined> {
    const [row] = await this.sql<{ readonly type: FlowType; readonly bytes: number } & SoughtRow>(
      findChosen,
      {
        flowId,
        word: typeof choice === 'number' ? '' : choice,
        number: typeof choice === 'number' ? choice : 0,
      },
    );
    return (
      row && { type: row.type, bytes: row.bytes, version: row.id === null ? undefined : toFlowVersion(row) }
    );
  }

  async findNumber(flowId: string, version: number): Promise<FlowVersion | undefined> {
    const row = await this.table('flow_versions')
      .where({ flow_id: flowId, version })
      .first(...columns);
    return row && toFlowVersion(row);
  }

  /** The number of the version that was the newest right before a time. */
  async newestAt(flowId: string, time: Date): Promise<number | undefined> {
    const row = await this.table('flow_versions')
      .where({ flow_id: flowId })
      .where('created_at', '<', time)
      .orderBy('version', 'desc')
      .first('version');
    return row?.version;
  }

  /** Lists the versions, highest number first; the cursor is a version number. */
  async list(flowId: string, page: PageRequest): Promise<FlowVersionPage> {
    const rows = await this.sql<ListedRow>(listVersions, {
      flowId,
      before: page.cursor ?? null,
      limit: page.limit + 1,
      bytes: page.bytes ?? pageBytes,
    });
    const activeVersion = rows[0]?.active_version;
    const { items, ...more } = pageOf(
      rows,
      page,
      ({ version }) => String(version),
      ({ flow_schema_bytes: bytes, live_periods: periods }) =>
        bytes + besideConfiguration + besidePeriods * (periods?.length ?? 0),
    );
    return { items: items.map(withHistory), ...more, activeVersion };
  }

  /** Stores the next version, inactive; undefined if the flow does not exist. */
  async create(flowId: string, { json, value }: JsonDocument): Promise<FlowVersion | undefined> {
    const bindings = {
      id: newId('flowVersion'),
      flowId,
      flowSchema: json,
      searchText: configurationText(value),
      author: this.author,
    };
    const [row] = await this.sql<RecordRow>(createVersion, bindings);
    return row && toFlowVersion(row);
  }

  /** Makes a version the only active one of its flow. A version that is active already keeps its `updatedAt`. */
  async activate(id: string): Promise<ActivatedVersion | undefined> {
    const [[flow], , [row]] = await Promise.all([
      this.sql<Pick<FlowRow, 'agent_profile_id'>>(lockFlow, { id }),
      // Two statements, because the unique index allows one active version at any moment.
      this.sql(deactivateOthers, { id }),
      this.sql<RecordRow>(activateVersion, { id }),
    ]);
    return flow && row && { version: toFlowVersion(row), agentProfileId: flow.agent_profile_id };
  }
}
