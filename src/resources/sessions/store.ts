import type { Knex } from 'knex';
import type { ProjectStatus } from '../../operation/context.ts';
import { runSql, type SqlWithBindings } from '../../postgres/sql.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import type { FoundVersion } from '../conversations/version-store.ts';

/** How a visitor takes part in a session. */
export type SessionChannel = 'chat' | 'voice';

/** What became of a session, in one word: reasons say it exactly. */
export type SessionOutcome = 'completed' | 'transferred' | 'abandoned' | 'failed';

/** What a session is begun with. */
export interface NewSession {
  readonly id: string;
  /** Null if a flow answers. */
  readonly conversationId: string | null;
  readonly flowId: string | null;
  readonly version: number;
  readonly webAgentId: string | null;
  readonly channel: SessionChannel;
}

/** What a session has spent of models. */
export interface SessionSpending {
  readonly calls: number;
  readonly tokens: number;
  /** Seconds of speech, heard and spoken. */
  readonly speech: number;
}

/** How many sessions can be open at once. */
export interface OpenSessionLimits {
  readonly ofWebAgent: number;
  /** Those of a project that one client address has started. */
  readonly ofAddress: number;
}

/** A session while somebody holds its lease. */
export interface LeasedSession extends NewSession {
  readonly startedAt: Date;
  readonly activeAt: Date;
  /** Rows of turns so far, the opening included. */
  readonly played: number;
  /** Turns of the visitor so far. */
  readonly turns: number;
  readonly lastStep: string | null;
  /** What it has spent of models so far. */
  readonly spent: SessionSpending;
  /** The state of the engine; null before the opening was played, and in a copy from an archive. */
  readonly state: unknown;
  /** The time of the database's clock. */
  readonly now: Date;
}

/** A session whose lease was just taken. */
export interface TakenSession {
  readonly session: LeasedSession;
  /** What it is played with; undefined if the conversation does not exist, or a flow answers. */
  readonly version: Pick<FoundVersion, 'kind' | 'n' | 'design'> | undefined;
  /** The turn that was looked for. */
  readonly stored: StoredTurn | undefined;
}

/** The status and the current step of a session. */
export interface SessionStanding extends NewSession {
  readonly startedAt: Date;
  readonly activeAt: Date;
  readonly endedAt: Date | null;
  readonly reason: string | null;
  readonly played: number;
  readonly lastStep: string | null;
  readonly projectStatus: ProjectStatus;
}

/** A session that has been silent for too long. */
export interface IdleSession {
  readonly projectId: string;
  readonly sessionId: string;
}

/** Something that happens in a turn. The members depend on the event. */
export interface SessionEvent {
  readonly event: 'step' | 'say' | 'heard' | 'interrupted' | 'transfer' | 'end' | 'listen';
  readonly [member: string]: unknown;
}

/** One turn as it was played: the opening, a message of the visitor, or the end. */
export interface PlayedTurn {
  /** Null for the opening, and for an end that the visitor did not ask for. */
  readonly messageId: string | null;
  /** What the visitor wrote or said; null if nothing. */
  readonly callerText: string | null;
  /** What was streamed. */
  readonly events: readonly SessionEvent[];
  readonly path: readonly unknown[];
  readonly requests: readonly unknown[];
  readonly notes: readonly string[];
  /** Everything that the turn was understood as, in order. */
  readonly understood: readonly object[];
  /** Who has understood what the visitor said; null if nothing was read. */
  readonly understoodBy: string | null;
  /** False if the agent did not understand what the visitor said, or had nothing to answer from. */
  readonly isUnderstood: boolean;
}

/** Names a turn: the first one, in which the agent speaks alone, the one that a message led to, or the one with a number. */
export type TurnName = 'opening' | { readonly messageId: string } | { readonly number: number };

/** A turn that is stored. The opening has the number 0. */
export interface StoredTurn {
  readonly number: number;
  readonly messageId: string | null;
  readonly callerText: string | null;
  readonly events: readonly SessionEvent[];
}

/** What a turn makes of its session. */
export interface SessionProgress {
  readonly state: unknown;
  readonly turns: number;
  readonly lastStep: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly spent: SessionSpending;
  /** The limit that was reached in this turn. */
  readonly reachedLimit?: string | undefined;
  /** Set if the session is over. */
  readonly ended?: { readonly reason: string; readonly outcome: SessionOutcome } | undefined;
}

export interface SessionRow {
  project_id: string;
  id: string;
  /** The id of the flow if a flow answers. */
  conversation_id: string;
  flow_id: string | null;
  version: number;
  web_agent_id: string | null;
  channel: SessionChannel;
  started_at: Date;
  /** When the last turn was stored. */
  active_at: Date;
  ended_at: Date | null;
  reason: string | null;
  outcome: SessionOutcome | null;
  played: number;
  turns: number;
  last_step: string | null;
  variables: Record<string, unknown>;
  model_calls: number;
  model_tokens: number;
  /** Seconds of speech, heard and spoken. */
  speech_seconds: number;
  /** The last limit that it has reached: its scope, and what is limited. */
  reached_limit: string | null;
  /** The state of the engine while the session is open. */
  state: unknown;
  /** Who plays a turn. */
  lease: string | null;
  leased_until: Date | null;
  /** Turns of the visitor that were not understood. */
  fallbacks: number;
  /** A keyed hash of the address that has started it, while it is open. */
  address: string | null;
  /** The same of the first 56 and 48 bits of an IPv6 address. */
  address_56: string | null;
  address_48: string | null;
  /** When its texts were removed: the row only counts since then. */
  removed_at: Date | null;
}

export interface SessionTurnRow {
  project_id: string;
  session_id: string;
  number: number;
  message_id: string | null;
  caller_text: string | null;
  events: SessionEvent[];
  path: unknown[];
  requests: unknown[];
  notes: string[];
  at: Date;
  /** Everything that the turn was understood as, in order. */
  understood: Record<string, unknown>[];
  /** Who has understood what the visitor said; null if nothing had to be understood. */
  understood_by: string | null;
}

/** Seconds after which a lease that nobody renews can be taken over. */
const leaseSeconds = 6;
/** Milliseconds between two renewals. */
export const leaseRenewal = 2_000;
/** Minutes after which a silent session ends. */
export const idleMinutes = 15;
/** Sessions of a project that are open at once. */
const mostOpen = 1_000;
/**
 * Open sessions of one address that never end because of its share once their visitors have spoken. Networks of IPv6 keep
 * more: {@link crowdOf}.
 */
const keptOfAddress = 20;
/** How many open sessions an address counts as: those of its first 56 bits count half, those of its first 48 bits a quarter. */
const crowdOf = (address: string, line: string, site: string) =>
  `greatest(${address}, ${line} / 2.0, ${site} / 4.0)`;
/**
 * Somebody talks in a session: its last turn is no more than 10 seconds ago for each of its turns, 60 at most. A flood of
 * single words is soon quiet, and a visitor who reads an answer is not.
 */
const isTalking = `active_at > clock_timestamp() - least(turns, 6) * interval '10 seconds'`;
/**
 * To compare idle sessions, each turn makes up for this much time, ten at most, and each session of its crowd takes as much away.
 * Among those in which somebody talks it is about what a flood of 1,000 sessions needs for one more turn in each. If it were
 * more, a flooder could outdo a visitor who has just begun with some words in each session; if less, with a single one.
 */
const [weight, weightOfTalk] = [`interval '1 minute'`, `interval '3 seconds'`];
/** Takes what stands for the address of a visitor out of a row. */
export const withoutAddress = 'address = null, address_56 = null, address_48 = null';
/** Sessions that were to be evicted may all get a message at the same moment. */
const evictionAttempts = 3;
/** Sessions that can take the place of one that was to be evicted and gets a message at the same moment. */
const spareVictims = 20;

/**
 * Lets the sessions of a project begin one after another, on all replicas, so that each counts those before it. A lock of
 * its own: visitors do not wait for changes of the project.
 */
const queueBeginning = `select pg_advisory_xact_lock(hashtextextended('sessions ' || :projectId, 0))`;

const beginSession = `
  with open as (
    select count(*) as of_project, count(*) filter (where web_agent_id = :webAgentId) as of_web_agent,
      count(*) filter (where address = :address) as of_address
    from sessions where project_id = :projectId and ended_at is null
  )
  insert into sessions (project_id, id, conversation_id, flow_id, version, web_agent_id, channel, address, address_56,
    address_48)
  select :projectId, :id, coalesce(cast(:conversationId as text), cast(:flowId as text)), cast(:flowId as text), :version, :webAgentId, :channel, cast(:address as text), cast(:line as text),
    cast(:site as text)
  from open
  where of_project < ${mostOpen} and of_web_agent < :ofWebAgent and of_address < :ofAddress
  on conflict do nothing
  returning id`;

/** Nobody plays a turn of the session. */
const isFree = `(lease is null or leased_until < clock_timestamp())`;

/**
 * Makes room for a session under the limit that is reached, in this order:
 * 1. Sessions in which nobody has spoken: their rows are deleted, so that they begin anew when their visitors speak.
 * 2. Conversations of a crowd: an address or a network that has more than {@link keptOfAddress}, and more than the newcomer's.
 * 3. If the newcomer's address has none, and its networks few: the conversation that has been idle for longest; one in which
 *    somebody talks only if there is no other. So a flood of talkers keeps nobody out.
 * Of the first two, those of the largest crowd go first, then those of the largest web agent.
 */
const evictSessions = `
  with open as materialized (
    select id, web_agent_id, address, address_56, address_48, active_at, turns, ${isFree} as is_free,
      ${isTalking} as is_talking, count(*) over (partition by web_agent_id) as of_web_agent,
      ${crowdOf(
        'count(*) over (partition by coalesce(address, id))',
        'count(*) over (partition by coalesce(address_56, id))',
        'count(*) over (partition by coalesce(address_48, id))',
      )} as crowd
    from sessions where project_id = :projectId and ended_at is null
  ), newcomer as (
    select count(*) - ${mostOpen} + 1 as of_project,
      count(*) filter (where web_agent_id = :webAgentId) - :ofWebAgent + 1 as of_web_agent,
      count(*) filter (where address = :address) - :ofAddress + 1 as of_address,
      ${crowdOf(
        'count(*) filter (where address = :address)',
        'count(*) filter (where address_56 = :line)',
        'count(*) filter (where address_48 = :site)',
      )} as crowd,
      cast(:address as text) is not null and count(*) filter (where address = :address) = 0 as is_first
    from open
  ), places as (
    select greatest(of_project, of_web_agent, of_address, 0) as needed from newcomer
  ), candidates as (
    select open.*, turns = 0 or open.crowd > greatest(newcomer.crowd + 1, ${keptOfAddress}) as gives_way,
      newcomer.is_first and newcomer.crowd < ${keptOfAddress} as may_end_others,
      active_at + (least(turns, 10) - open.crowd) * case when is_talking then ${weightOfTalk} else ${weight} end as idle_since
    from open, newcomer
    where is_free
      and case
        when newcomer.of_address > 0 then address = :address
        when newcomer.of_web_agent > 0 then web_agent_id = :webAgentId
        else newcomer.of_project > 0
      end
  ), ranked as materialized (
    select id, turns, row_number() over (
      order by turns > 0, gives_way desc, case when gives_way then crowd end desc,
        case when gives_way then of_web_agent end desc, is_talking, idle_since, id
    ) as rank
    from candidates where gives_way or may_end_others
    order by rank limit (select needed + ${spareVictims} from places)
  ), victims as materialized (
    select sessions.id
    from sessions join ranked on ranked.id = sessions.id and ranked.turns = sessions.turns
    where project_id = :projectId and ended_at is null and ${isFree}
    order by rank limit (select needed from places)
    for update of sessions skip locked
  ), deleted as (
    delete from sessions using victims
    where project_id = :projectId and sessions.id = victims.id and turns = 0
    returning sessions.id
  ), ended as (
    update sessions set ended_at = clock_timestamp(), reason = 'evicted', outcome = 'abandoned', state = null, lease = null,
      leased_until = null, ${withoutAddress}
    from victims
    where project_id = :projectId and sessions.id = victims.id and turns > 0
    returning sessions.id
  )
  select (select count(*) from ranked) as found`;

const findStanding = `
  select sessions.id, conversation_id, flow_id, version, web_agent_id, channel, started_at, active_at, ended_at, reason, played,
    last_step, projects.status as project_status
  from sessions join projects on projects.id = project_id
  where project_id = :projectId and sessions.id = :id`;

const leaseEnd = `clock_timestamp() + make_interval(secs => ${leaseSeconds})`;

const takeLease = `
  update sessions set lease = :lease, leased_until = ${leaseEnd}
  where project_id = :projectId and id = :id and ended_at is null
    and (lease is null or leased_until < clock_timestamp())
    and exists (select from projects where id = :projectId and status = 'active')
  returning id, conversation_id, flow_id, version, web_agent_id, channel, started_at, active_at, played, turns, last_step, state,
    model_calls, model_tokens, speech_seconds, clock_timestamp() as now`;

const turnOf = `
  select number, message_id, caller_text, events from session_turns where project_id = :projectId and session_id = :id`;
const findTurn = `${turnOf} and message_id = :messageId`;
const findNumbered = `${turnOf} and number = :number`;

/** The design of a conversation's session; no row for a session whose lease was not taken, and for that of a flow. */
const findDesign = `
  select kind, n, design
  from sessions
  join conversations on conversations.project_id = sessions.project_id and conversations.id = conversation_id
  left join conversation_versions versions
    on versions.project_id = sessions.project_id and versions.conversation_id = sessions.conversation_id and n = version
  where sessions.project_id = :projectId and sessions.id = :id and lease = :lease`;

const renewLease = `
  update sessions set leased_until = ${leaseEnd}
  where project_id = :projectId and id = :id and lease = :lease
  returning id`;

const addSpent = `model_calls = model_calls + :calls, model_tokens = model_tokens + :tokens,
      speech_seconds = speech_seconds + :speech`;

const releaseLease = `
  update sessions set lease = null, leased_until = null, ${addSpent}
  where project_id = :projectId and id = :id and lease = :lease`;

const spendSpeech = `
  update sessions set speech_seconds = speech_seconds + :seconds where project_id = :projectId and id = :id
  returning speech_seconds as speech`;

/** One statement, so that the state and the transcript never differ. It stores nothing if another holds the lease. */
const storeTurn = `
  with session as (
    update sessions set played = played + 1, turns = :turns, last_step = :lastStep, active_at = clock_timestamp(),
      variables = cast(:variables as json), state = cast(:state as json),
      fallbacks = fallbacks + :fallbacks, ${addSpent}, reached_limit = coalesce(:reachedLimit, reached_limit),
      ended_at = case when cast(:reason as text) is null then null else clock_timestamp() end,
      address = case when cast(:reason as text) is null then address end,
      address_56 = case when cast(:reason as text) is null then address_56 end,
      address_48 = case when cast(:reason as text) is null then address_48 end,
      reason = :reason, outcome = :outcome, lease = null, leased_until = null
    where project_id = :projectId and id = :id and lease = :lease and ended_at is null
    returning project_id, id, played - 1 as number
  )
  insert into session_turns (project_id, session_id, number, message_id, caller_text, events, path, requests, notes,
    understood, understood_by)
  select project_id, id, number, :messageId, :callerText, cast(:events as json), cast(:path as json),
    cast(:requests as json), cast(:notes as json), cast(:understood as json), :understoodBy
  from session
  returning number`;

/**
 * Ends sessions that cannot go on: without a state, as in a copy from an archive, and those whose end has failed for a
 * day. Their hook `after` does not run.
 */
const loseSessions = `
  update sessions set ended_at = clock_timestamp(), reason = 'lost', outcome = 'failed', state = null, lease = null,
    leased_until = null, ${withoutAddress}
  where ended_at is null and active_at < now() - make_interval(mins => ${idleMinutes})
    and (leased_until is null or leased_until < now())
    and (state is null or active_at < now() - interval '1 day')`;

const findIdle = `
  select project_id as "projectId", sessions.id as "sessionId"
  from sessions join projects on projects.id = project_id
  where ended_at is null and active_at < now() - make_interval(mins => ${idleMinutes}) and state->>'format' = any(:formats)
    and (leased_until is null or leased_until < now()) and status = 'active'
  order by active_at limit :limit`;

/**
 * Sessions of all projects in which nothing was said for {@link idleMinutes}, the most silent first. The state of their calls
 * has one of `formats`: those of a newer release would stand at the head of the list until they are lost.
 */
export function idleSessions(knex: Knex, formats: readonly string[], limit: number): Promise<IdleSession[]> {
  return runSql<IdleSession>(knex, findIdle, { formats, limit });
}

/** Ends the sessions of all projects that cannot go on. */
export async function endLostSessions(knex: Knex): Promise<void> {
  await runSql(knex, loseSessions, {});
}

/** The conversations that visitors hold with a project's agents. */
export class SessionStore extends TenantStore {
  /**
   * Stores a session before its opening, and if a limit is reached, evicts others for it. Does nothing if it is stored already.
   * @param addresses stand for the address of the visitor and its wider networks; empty if it is not known
   * @returns false if there is no room, or the session is stored already
   */
  async begin(
    session: NewSession,
    [address, line, site]: readonly string[],
    limits: OpenSessionLimits,
  ): Promise<boolean> {
    const { projectId } = this;
    return this.knex.transaction(async (trx) => {
      await runSql(trx, queueBeginning, { projectId });
      const networks = { address: address ?? null, line: line ?? null, site: site ?? null };
      const bindings = { ...session, projectId, ...networks, ...limits };
      for (let attempt = 0; ; attempt++) {
        // A statement of its own, because one that waits for a lock does not see what was stored meanwhile.
        if ((await runSql(trx, beginSession, bindings)).length > 0) return true;
        if (attempt === evictionAttempts) return false;
        const [evicted] = await runSql<{ found: number }>(trx, evictSessions, bindings);
        if (!evicted || evicted.found === 0) return false;
      }
    });
  }

  /** Returns the status and the current step of a session; undefined if it has not begun or was deleted. */
  async standing(id: string): Promise<SessionStanding | undefined> {
    const [row] = await this.sql<SessionRow & { project_status: ProjectStatus }>(findStanding, { id });
    if (!row) return undefined;
    return {
      ...toSession(row),
      startedAt: row.started_at,
      activeAt: row.active_at,
      endedAt: row.ended_at,
      reason: row.reason,
      played: row.played,
      lastStep: row.last_step,
      projectStatus: row.project_status,
    };
  }

  /**
   * Takes the lease of an open session, for {@link leaseSeconds}, and finds its design and a turn of it in the same round trip.
   * @returns undefined if another holds it, or the session has ended or does not exist
   */
  async take(id: string, lease: string, turn: TurnName | undefined): Promise<TakenSession | undefined> {
    const wanted = turn === undefined ? [] : [turnStatement(id, turn)];
    // Each statement sees what was committed when it begins: also the turn of a lease that was just given back.
    const [[leased] = [], [version] = [], [found] = []] = await this.together(
      [takeLease, { id, lease }],
      [findDesign, { id, lease }],
      ...wanted,
    );
    if (!leased) return undefined;
    return {
      session: toLeased(leased as SessionRow & { now: Date }),
      version: version as TakenSession['version'],
      stored: found === undefined ? undefined : toTurn(found as TurnRow),
    };
  }

  /** Keeps a lease for longer; false if it was lost. */
  async renew(id: string, lease: string): Promise<boolean> {
    return (await this.sql(renewLease, { id, lease })).length > 0;
  }

  /** Gives a lease back without having stored a turn. What a turn that failed has spent counts all the same. */
  async release(id: string, lease: string, spent: SessionSpending = nothingSpent): Promise<void> {
    await this.sql(releaseLease, { id, lease, ...spent });
  }

  /** Adds seconds of speech outside of a turn; returns what the session has spent on speech in all. */
  async spendSpeech(id: string, seconds: number): Promise<number> {
    const [row] = await this.sql<{ speech: number }>(spendSpeech, { id, seconds });
    return row?.speech ?? 0;
  }

  /**
   * Stores a turn with what it makes of the session, and gives the lease back.
   * @returns the turn's number; undefined, and nothing is stored, if the lease was lost
   */
  async store(
    id: string,
    lease: string,
    turn: PlayedTurn,
    progress: SessionProgress,
  ): Promise<number | undefined> {
    const { state, turns, lastStep, variables, spent, reachedLimit = null, ended } = progress;
    const bindings = {
      id,
      lease,
      turns,
      lastStep,
      variables: JSON.stringify(variables),
      state: ended ? null : JSON.stringify(state),
      ...spent,
      reachedLimit,
      reason: ended?.reason ?? null,
      outcome: ended?.outcome ?? null,
      messageId: turn.messageId,
      callerText: turn.callerText,
      events: JSON.stringify(turn.events),
      path: JSON.stringify(turn.path),
      requests: JSON.stringify(turn.requests),
      notes: JSON.stringify(turn.notes),
      understood: JSON.stringify(turn.understood),
      understoodBy: turn.understoodBy,
      fallbacks: turn.isUnderstood ? 0 : 1,
    };
    const [[row] = []] = await this.together([storeTurn, bindings]);
    return (row as { number: number } | undefined)?.number;
  }

  /** A turn that is stored. */
  async turn(id: string, name: TurnName): Promise<StoredTurn | undefined> {
    const [[row] = []] = await this.together(turnStatement(id, name));
    return row === undefined ? undefined : toTurn(row as TurnRow);
  }

  /** The turns of a session, in order. */
  async turns(sessionId: string): Promise<StoredTurn[]> {
    const rows = await this.table('session_turns')
      .where({ session_id: sessionId })
      .orderBy('number')
      .select(...turnColumns);
    return rows.map(toTurn);
  }
}

const nothingSpent: SessionSpending = { calls: 0, tokens: 0, speech: 0 };

const turnColumns = ['number', 'message_id', 'caller_text', 'events'] as const;

type TurnRow = Pick<SessionTurnRow, (typeof turnColumns)[number]>;

function turnStatement(id: string, name: TurnName): SqlWithBindings {
  if (name === 'opening') return [findNumbered, { id, number: 0 }];
  return 'number' in name
    ? [findNumbered, { id, number: name.number }]
    : [findTurn, { id, messageId: name.messageId }];
}

function toLeased(row: SessionRow & { readonly now: Date }): LeasedSession {
  const { started_at: startedAt, active_at: activeAt, last_step: lastStep, played, turns, state, now } = row;
  const spent = { calls: row.model_calls, tokens: row.model_tokens, speech: row.speech_seconds };
  return { ...toSession(row), startedAt, activeAt, lastStep, played, turns, spent, state, now };
}

function toTurn(row: TurnRow): StoredTurn {
  const { number, message_id: messageId, caller_text: callerText, events } = row;
  return { number, messageId, callerText, events };
}

function toSession(
  row: Pick<SessionRow, 'id' | 'conversation_id' | 'flow_id' | 'version' | 'web_agent_id' | 'channel'>,
): NewSession {
  const { id, flow_id: flowId, version, web_agent_id: webAgentId, channel } = row;
  const conversationId = flowId === null ? row.conversation_id : null;
  return { id, conversationId, flowId, version, webAgentId, channel };
}
