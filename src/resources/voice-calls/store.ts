import type { Knex } from 'knex';
import type { SessionClaims } from '../../environment/services.ts';
import { runSql } from '../../postgres/sql.ts';

/** A call that a worker plays in a room of LiveKit. */
export interface VoiceCallRow {
  project_id: string;
  /** The name of the room. */
  room: string;
  session_id: string;
  /** What the token of its session says, so that another worker gets one for the same session. */
  claims: SessionClaims;
  /** What LiveKit hands to the worker, as JSON. */
  purpose: string;
  worker: string;
  /** When its worker was last heard of. */
  seen_at: Date;
  /** When another worker was last sent into its room. */
  sent_at: Date | null;
}

/** A worker that has been heard of. */
export interface VoiceWorkerRow {
  id: string;
  /** Calls that it carries at once. */
  capacity: number;
  calls: number;
  /** True if it takes no more calls, because it is about to stop. */
  is_draining: boolean;
  seen_at: Date;
}

/** What a worker says of itself. */
export interface Heartbeat {
  readonly worker: string;
  readonly capacity: number;
  /** The rooms of its calls. */
  readonly rooms: readonly string[];
  readonly isDraining: boolean;
}

/** A call whose worker is silent. */
export interface LostCall {
  readonly projectId: string;
  readonly room: string;
  readonly sessionId: string;
  readonly purpose: string;
}

/** A call whose session has ended, and how long it was. */
export interface EndedCall {
  readonly projectId: string;
  readonly minutes: number;
}

/** Seconds without a word after which a worker counts as dead: it speaks every two seconds, and may miss half a beat. */
const silentSeconds = 3;
/** Seconds that a worker has to come into the room that it is sent to, before another one is sent. */
const arrivalSeconds = 4;

const openCall = `
  insert into voice_calls as known (project_id, room, session_id, claims, purpose, worker)
  values (:projectId, :room, :sessionId, cast(:claims as json), :purpose, :worker)
  on conflict (room) do update set worker = excluded.worker, seen_at = clock_timestamp(), sent_at = null
  returning claims, session_id <> :sessionId as "isKnown", clock_timestamp() as now`;

const findCall = `
  update voice_calls set worker = :worker, seen_at = clock_timestamp(), sent_at = null where room = :room
  returning claims, true as "isKnown", clock_timestamp() as now`;

const noteWorker = `
  insert into voice_workers (id, capacity, calls, is_draining) values (:worker, :capacity, :calls, :isDraining)
  on conflict (id) do update set capacity = excluded.capacity, calls = excluded.calls,
    is_draining = excluded.is_draining, seen_at = clock_timestamp()`;

const noteCalls = `
  update voice_calls set seen_at = clock_timestamp() where worker = :worker and room = any(:rooms) returning room`;

/** The oldest first, and each by one replica. */
const takeLost = `
  update voice_calls set sent_at = clock_timestamp()
  where room in (
    select room from voice_calls
    where seen_at < clock_timestamp() - make_interval(secs => ${silentSeconds})
      and (sent_at is null or sent_at < clock_timestamp() - make_interval(secs => ${arrivalSeconds}))
    order by seen_at limit :limit for update skip locked
  )
  returning project_id as "projectId", room, session_id as "sessionId", purpose`;

/**
 * Calls whose sessions have ended, with their minutes; none for a session that never began. A call stays while its worker
 * names it: the caller still hears the last line.
 */
const deleteEnded = `
  with ended as (
    select voice_calls.project_id, room, coalesce(extract(epoch from ended_at - started_at), 0) / 60 as minutes
    from voice_calls
    left join sessions on sessions.project_id = voice_calls.project_id and sessions.id = session_id
    where (ended_at is not null and seen_at < clock_timestamp() - make_interval(secs => ${silentSeconds}))
      or (sessions.id is null and seen_at < clock_timestamp() - interval '1 minute')
    limit :limit for update of voice_calls skip locked
  )
  delete from voice_calls using ended
  where voice_calls.project_id = ended.project_id and voice_calls.room = ended.room
  returning ended.project_id as "projectId", cast(ended.minutes as float8) as minutes`;

const deleteWorkers = `delete from voice_workers where seen_at < clock_timestamp() - interval '1 minute'`;

const anyCalls = `select exists (select from voice_calls) or exists (select from voice_workers) as "isBusy"`;

/** The calls that workers play in rooms, of all projects: workers serve an installation. */
export class VoiceCallStore {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /**
   * Gives a room to a worker. The room keeps the session that it has.
   * @param call undefined if the room must have a session
   * @returns undefined if the room is unknown and nothing says what it is for
   */
  async open(
    room: string,
    worker: string,
    call: { readonly claims: SessionClaims; readonly purpose: string } | undefined,
  ): Promise<{ readonly claims: SessionClaims; readonly isKnown: boolean; readonly now: Date } | undefined> {
    const [opened] = await runSql<{ claims: SessionClaims; isKnown: boolean; now: Date }>(
      this.#knex,
      call ? openCall : findCall,
      call
        ? {
            room,
            worker,
            projectId: call.claims.projectId,
            sessionId: call.claims.sessionId,
            claims: JSON.stringify(call.claims),
            purpose: call.purpose,
          }
        : { room, worker },
    );
    return opened;
  }

  /** Notes that a worker lives. Returns those of its rooms that are still its own. */
  async beat({ worker, capacity, rooms, isDraining }: Heartbeat): Promise<string[]> {
    await runSql(this.#knex, noteWorker, { worker, capacity, calls: rooms.length, isDraining });
    const kept = await runSql<{ room: string }>(this.#knex, noteCalls, { worker, rooms: [...rooms] });
    return kept.map(({ room }) => room);
  }

  /** False if there is neither a call nor a worker. */
  async isBusy(): Promise<boolean> {
    const [row] = await runSql<{ isBusy: boolean }>(this.#knex, anyCalls);
    return row?.isBusy ?? false;
  }

  /** Takes calls whose worker is silent, to send another one. Nobody else gets them for some seconds. */
  takeLost(limit: number): Promise<LostCall[]> {
    return runSql<LostCall>(this.#knex, takeLost, { limit });
  }

  /** Removes the calls whose sessions have ended, and whose workers do not name them any more. */
  takeEnded(limit: number): Promise<EndedCall[]> {
    return runSql<EndedCall>(this.#knex, deleteEnded, { limit });
  }

  /** Forgets the workers that are gone. */
  async forgetWorkers(): Promise<void> {
    await runSql(this.#knex, deleteWorkers);
  }
}
