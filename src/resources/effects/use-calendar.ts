import {
  allHours,
  type CalendarResult,
  type CalendarWish,
  dayOf,
  fits,
  type Opening,
  offersOf,
  officeHours,
  timeOf,
  type Window,
  wantedStart,
  windowsOf,
} from '../../calls/slots.ts';
import type { ToolContext } from '../../environment/context.ts';
import type { Caller } from '../../operation/context.ts';
import { localTimeAt, momentAt } from '../../platform/local-time.ts';
import type { Appointment, Calendar, Interval, Moved } from '../../services/calendars/calendar.ts';
import { ProviderFailure } from '../../services/providers/provider-request.ts';

/** What a caller wants of a calendar, and who it is. */
export interface CalendarUse extends CalendarWish {
  /** The same if the same booking is tried again. */
  readonly id: string;
  readonly integrationId: string;
  readonly title: string;
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
  readonly booking?: string | undefined;
}

type Context = Pick<ToolContext, 'stores' | 'services' | 'requestId'> & {
  readonly caller: Pick<Caller, 'projectId'>;
};

/** Seconds for all requests of one use. A hold counts for longer. */
const secondsForAUse = 30;
/** Days in which an appointment is looked for by a phone number. */
const daysToFind = 180;
const [minute, day] = [60_000, 86_400_000];

/**
 * Finds free times in the calendar of an integration, or makes, moves or cancels an appointment there.
 * @throws OutsideFailure if the calendar refuses or cannot be reached, and the signal's reason
 */
export async function useCalendar(
  context: Context,
  use: CalendarUse,
  signal: AbortSignal,
): Promise<CalendarResult> {
  const { stores, services, caller, requestId } = context;
  const { projectId } = caller;
  const integration = await stores.integrations.credentials(use.integrationId);
  if (!integration) throw new ProviderFailure('The project has no such integration.');
  const { provider, sealed } = integration;
  if (!sealed)
    throw new ProviderFailure(
      'The integration was created without credentials. create_integration adds one with them.',
    );
  const text = services.open(caller, 'integrations', use.integrationId, sealed).toString('utf8');
  const credentials = JSON.parse(text) as Readonly<Record<string, string>>;
  const { timeZone, openingHours, closedOn } = await stores.projects.time();
  // Cal.com knows by itself when appointments can be.
  const isOwn = provider.toLowerCase() === 'caldav';
  const opening = {
    hours: use.hours ?? (isOwn ? (openingHours ?? officeHours) : allHours),
    closedOn: isOwn ? closedOn : [],
  };
  const limit = AbortSignal.timeout(secondsForAUse * 1_000);
  const desk = new BookingDesk(
    services.openCalendar({ provider, credentials, timeZone }, { id: requestId, projectId }),
    services.slotHolds,
    { use, projectId, timeZone, opening },
    AbortSignal.any([signal, limit]),
  );
  try {
    return await desk.perform();
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted) throw error;
    throw new ProviderFailure(`The calendar did not respond within ${secondsForAUse} seconds.`, {
      cause: error,
    });
  }
}

interface Desk {
  readonly use: CalendarUse;
  readonly projectId: string;
  readonly timeZone: string;
  readonly opening: Opening;
}

/** Serves one use of a calendar. */
class BookingDesk {
  readonly #calendar: Calendar;
  readonly #holds: ToolContext['services']['slotHolds'];
  readonly #desk: Desk;
  readonly #windows: readonly Window[];
  readonly #now = Date.now();
  readonly #signal: AbortSignal;

  constructor(
    calendar: Calendar,
    holds: ToolContext['services']['slotHolds'],
    desk: Desk,
    signal: AbortSignal,
  ) {
    const { use, timeZone, opening } = desk;
    this.#calendar = calendar;
    this.#holds = holds;
    this.#desk = desk;
    this.#windows = windowsOf(use, opening, clockAt(this.#now, timeZone));
    this.#signal = signal;
  }

  async perform(): Promise<CalendarResult> {
    const { use } = this.#desk;
    switch (use.action) {
      case 'freeTimes':
        return this.#offer('free');
      case 'book':
        return this.#take((time) => this.#calendar.book(this.#appointment(time), this.#signal));
      case 'move': {
        const reference = await this.#reference();
        if (reference === undefined) return unknown;
        return this.#take((time) => this.#calendar.move(reference, time, this.#signal));
      }
      case 'cancel': {
        const booking = await this.#reference();
        if (booking === undefined) return unknown;
        const outcome = await this.#calendar.cancel(booking, this.#signal);
        return outcome === 'unknown' ? unknown : { outcome, times: [], booking };
      }
    }
  }

  /** Takes the time that the caller wants while nobody else of Parley can take it. */
  async #take(take: (time: Interval) => Promise<Moved>): Promise<CalendarResult> {
    const { use, projectId } = this.#desk;
    const start = wantedStart(use);
    if (start === undefined || !fits(start, use, this.#windows)) return this.#offer('taken', start);
    const from = this.#instant(start);
    const time = { from, to: from + use.minutes * minute };
    const held = { projectId, integrationId: use.integrationId, id: use.id };
    const taken = await this.#holds.during(held, time, () => take(time));
    if (taken === undefined || taken.outcome === 'taken') return this.#offer('taken', start);
    if (taken.outcome === 'unknown') return unknown;
    return { outcome: 'done', times: [], start, booking: taken.reference };
  }

  /** The free times to offer, without one that was just taken. */
  async #offer(outcome: 'free' | 'taken', without?: string): Promise<CalendarResult> {
    const { use, timeZone } = this.#desk;
    const windows = this.#windows.map(({ from, to }) => ({
      from: this.#instant(from),
      to: this.#instant(to),
    }));
    const free = await this.#calendar.freeTimes(windows, use.minutes, this.#signal);
    const times = free.map((start) => clockAt(start, timeZone)).filter((clock) => clock !== without);
    const offered = offersOf(use, times);
    return { outcome: offered.length === 0 ? 'none' : outcome, times: offered };
  }

  /** The appointment to move or cancel. */
  async #reference(): Promise<string | undefined> {
    const { booking, phone } = this.#desk.use;
    if (booking !== undefined || phone === undefined) return booking;
    const within = { from: this.#now, to: this.#now + daysToFind * day };
    return this.#calendar.find(phone, within, this.#signal);
  }

  #appointment(time: Interval): Appointment {
    const { id, title, name, phone, email } = this.#desk.use;
    return { ...time, id, title, name, phone, email };
  }

  #instant(clock: string): number {
    return momentAt({ date: dayOf(clock), time: timeOf(clock) }, this.#desk.timeZone).getTime();
  }
}

const unknown: CalendarResult = { outcome: 'unknown', times: [] };

function clockAt(instant: number, timeZone: string): string {
  const { date, time } = localTimeAt(new Date(instant), timeZone);
  return `${date}T${time}`;
}
