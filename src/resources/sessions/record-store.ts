import { firstIdFrom, lastIdTo } from '../../store/id-bounds.ts';
import { newestFirst, type Page, type PageRequest } from '../../store/page.ts';
import { timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import {
  type SessionChannel,
  type SessionOutcome,
  type SessionRow,
  type SessionTurnRow,
  withoutAddress,
} from './store.ts';

/** A session as lists show it. */
export interface SessionSummary {
  readonly id: string;
  /** Null if a flow has answered. */
  readonly conversationId: string | null;
  readonly flowId?: string;
  readonly version: number;
  readonly webAgentId: string | null;
  readonly channel: SessionChannel;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly reason: string | null;
  readonly outcome: SessionOutcome | null;
  /** Turns of the visitor. */
  readonly turns: number;
  readonly lastStep: string | null;
}

/** A session with everything that was said and done in it. */
export interface SessionRecord extends SessionSummary {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly modelCalls: number;
  readonly modelTokens: number;
  readonly played: readonly RecordedTurn[];
}

/** A turn, in the words of the tables. */
export type RecordedTurn = Pick<SessionTurnRow, (typeof turnColumns)[number]>;

export interface SessionFilter {
  readonly conversationId?: string | undefined;
  readonly version?: number | undefined;
  readonly channel?: SessionChannel | undefined;
  /** `open`: has not ended. */
  readonly outcome?: SessionOutcome | 'open' | undefined;
  /** Included, in milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Not included. */
  readonly to?: number | undefined;
}

/** What the sessions of one version came to. */
export interface VersionStatistics {
  readonly version: number;
  readonly sessions: number;
  readonly open: number;
  readonly endings: Readonly<Record<string, number>>;
  readonly transfers: number;
  /** Turns of a session that has ended; null if none has. */
  readonly medianTurns: number | null;
  readonly p95Turns: number | null;
  /** Turns that were not understood, as a share of all turns; null without a turn. */
  readonly fallbackRate: number | null;
  /** The steps at which visitors left, those of most sessions first. */
  readonly leftAt: readonly { readonly step: string; readonly sessions: number }[];
}

const summaryColumns = [
  'id',
  'conversation_id',
  'flow_id',
  'version',
  'web_agent_id',
  'channel',
  'started_at',
  'ended_at',
  'reason',
  'outcome',
  'turns',
  'last_step',
] as const;

const turnColumns = [
  'number',
  'caller_text',
  'events',
  'path',
  'requests',
  'notes',
  'at',
  'understood',
  'understood_by',
] as const;

/** What is set when the texts of a session are removed. What stays are counts, and the ids of steps and versions. */
export const withoutTexts = `variables = '{}', state = null, ${withoutAddress}, removed_at = now()`;

/** The holder of a lease stores nothing more, because the session has ended. */
const removeSession = `
  with removed as (
    update sessions set ${withoutTexts}, ended_at = coalesce(ended_at, now()),
      reason = case when ended_at is null then 'deleted' else reason end
    where project_id = :projectId and id = :id and removed_at is null
    returning id
  ), turns as (
    delete from session_turns using removed where project_id = :projectId and session_id = removed.id
  )
  select id from removed`;

/** Sessions that one statement counts, versions that it tells apart, and steps of each. */
const mostCounted = 50_000;
const mostVersions = 50;
const mostSteps = 10;

/** One session more than it counts shows whether there are more. Each part reads the sessions once, not once for each version. */
const countSessions = `
  with found as materialized (
    select version, ended_at, reason, outcome, turns, last_step, fallbacks from sessions
    where project_id = :projectId and conversation_id = :conversationId
      and id >= :firstId and id < :lastId and started_at >= :from and started_at < :to
    order by id desc limit ${mostCounted} + 1
  ), counted as materialized (select * from found limit ${mostCounted}),
  totals as (
    select version, count(*) as sessions, count(*) filter (where ended_at is null) as open,
      count(*) filter (where outcome = 'transferred') as transfers,
      percentile_disc(0.5) within group (order by turns) filter (where ended_at is not null) as "medianTurns",
      percentile_disc(0.95) within group (order by turns) filter (where ended_at is not null) as "p95Turns",
      round(sum(fallbacks) / cast(nullif(sum(turns), 0) as numeric), 4)::float8 as "fallbackRate"
    from counted group by version order by version desc limit ${mostVersions}
  ), reasons as (
    select version, reason, count(*) as count from counted where reason is not null group by version, reason
  ), endings as materialized (
    select version, json_object_agg(reason, count order by reason) as endings from reasons group by version
  ), steps as (
    select version, last_step as step, count(*) as count,
      row_number() over (partition by version order by count(*) desc, last_step) as place
    from counted where outcome = 'abandoned' and last_step is not null group by version, last_step
  ), leavings as materialized (
    select version, json_agg(json_build_object('step', step, 'sessions', count) order by place) as "leftAt"
    from steps where place <= ${mostSteps} group by version
  )
  select totals.*, coalesce(endings, '{}') as endings, coalesce("leftAt", '[]') as "leftAt",
    (select count(*) > ${mostCounted} from found) as "isCut"
  from totals left join endings using (version) left join leavings using (version) order by version desc`;

/** What is kept of the sessions of a project. */
export class SessionRecordStore extends TenantStore {
  /** Lists sessions whose texts are kept, newest first. */
  list(filter: SessionFilter, page: PageRequest): Promise<Page<SessionSummary>> {
    const { conversationId, version, channel, outcome, from, to } = filter;
    const query = this.table('sessions')
      .whereNull('removed_at')
      .select(...summaryColumns);
    if (conversationId !== undefined) query.andWhere('conversation_id', conversationId);
    if (version !== undefined) query.andWhere('version', version);
    if (channel !== undefined) query.andWhere('channel', channel);
    if (outcome === 'open') query.whereNull('ended_at');
    else if (outcome !== undefined) query.andWhere('outcome', outcome);
    if (from !== undefined)
      query.andWhere('started_at', '>=', new Date(from)).andWhere('id', '>=', firstIdFrom('session', from));
    if (to !== undefined)
      query.andWhere('started_at', '<', new Date(to)).andWhere('id', '<', lastIdTo('session', to));
    return newestFirst(query, page, toSummary);
  }

  /** A session with its turns; undefined if its texts were removed. */
  async find(id: string): Promise<SessionRecord | undefined> {
    const [row, played] = await Promise.all([
      this.table('sessions')
        .where({ id })
        .whereNull('removed_at')
        .first(...summaryColumns, 'variables', 'model_calls', 'model_tokens'),
      this.table('session_turns')
        .where({ session_id: id })
        .orderBy('number')
        .select(...turnColumns),
    ]);
    if (!row) return undefined;
    const { variables, model_calls: modelCalls, model_tokens: modelTokens } = row;
    return { ...toSummary(row), variables, modelCalls, modelTokens, played };
  }

  /** Removes the texts of a session for good, and ends it if it is open; false if there is none. */
  async remove(id: string): Promise<boolean> {
    return (await this.sql(removeSession, { id })).length > 0;
  }

  /** Counts the sessions of a conversation by version, the newest version first. */
  async statistics(
    conversationId: string,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<{ versions: VersionStatistics[]; isCut: boolean }> {
    const rows = await this.sql<VersionStatistics & { isCut: boolean }>(countSessions, {
      conversationId,
      from: new Date(from),
      to: new Date(to),
      firstId: firstIdFrom('session', from),
      lastId: lastIdTo('session', to),
    });
    return { versions: rows.map(({ isCut: _, ...version }) => version), isCut: rows[0]?.isCut ?? false };
  }
}

function toSummary(row: Pick<SessionRow, (typeof summaryColumns)[number]>): SessionSummary {
  return {
    id: row.id,
    conversationId: row.flow_id === null ? row.conversation_id : null,
    ...(row.flow_id !== null && { flowId: row.flow_id }),
    version: row.version,
    webAgentId: row.web_agent_id,
    channel: row.channel,
    startedAt: timestamp(row.started_at),
    endedAt: row.ended_at && timestamp(row.ended_at),
    reason: row.reason,
    outcome: row.outcome,
    turns: row.turns,
    lastStep: row.last_step,
  };
}
