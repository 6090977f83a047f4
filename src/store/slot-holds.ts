import type { Knex } from 'knex';
import { runSql } from '../postgres/sql.ts';
import type { Interval } from '../services/calendars/calendar.ts';

/** A stretch of a calendar that one booking holds while it writes to the calendar. */
export interface CalendarHoldRow {
  project_id: string;
  integration_id: string;
  id: string;
  starts_at: Date;
  ends_at: Date;
  /** From then on the hold counts no more: whoever had it has died. */
  held_until: Date;
}

/** Whose calendar, and which booking. */
export interface Held {
  readonly projectId: string;
  readonly integrationId: string;
  readonly id: string;
}

/** Seconds for which a hold counts. All requests of one booking take less. */
const heldSeconds = 60;

/** Bookings of one calendar hold their times one after another. The next statement sees what the one before has committed. */
const lockCalendar = `
  select id from integrations where project_id = :projectId and id = :integrationId for no key update`;

const dropExpired = `
  delete from calendar_holds
  where project_id = :projectId and integration_id = :integrationId and held_until <= now()`;

/** Returns no row if another booking holds a part of the time. The same booking may hold again what it has held before. */
const insertHold = `
  insert into calendar_holds (project_id, integration_id, id, starts_at, ends_at, held_until)
  select :projectId, :integrationId, :id, :from, :to, now() + make_interval(secs => :seconds)
  where not exists (
    select from calendar_holds
    where project_id = :projectId and integration_id = :integrationId and id <> :id
      and starts_at < :to and ends_at > :from
  )
  on conflict (project_id, integration_id, id)
    do update set starts_at = excluded.starts_at, ends_at = excluded.ends_at, held_until = excluded.held_until
  returning id`;

const deleteHold = `
  delete from calendar_holds where project_id = :projectId and integration_id = :integrationId and id = :id`;

/**
 * Holds times of calendars, on any replica, so that no two callers of Parley get one slot. A hold is older than the first
 * request of its booking to the calendar, and ends after the last one.
 */
export class SlotHolds {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /**
   * Does the work of a booking while it holds its time. Returns undefined, without the work, if another booking holds it.
   * A process that is killed meanwhile holds it for at most a minute.
   */
  async during<Result>(
    held: Held,
    { from, to }: Interval,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const { projectId, integrationId, id } = held;
    const names = { projectId, integrationId };
    const isHeld = await this.#knex.transaction(async (trx) => {
      await runSql(trx, lockCalendar, names);
      await runSql(trx, dropExpired, names);
      const rows = await runSql(trx, insertHold, {
        ...names,
        id,
        from: new Date(from),
        to: new Date(to),
        seconds: heldSeconds,
      });
      return rows.length > 0;
    });
    if (!isHeld) return undefined;
    try {
      return await work();
    } finally {
      await runSql(this.#knex, deleteHold, { ...names, id });
    }
  }
}
