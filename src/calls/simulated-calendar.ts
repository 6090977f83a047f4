import { systemVariables } from '../design/system-variables.ts';
import { isList } from '../design/value.ts';
import { isDate } from '../platform/calendar.ts';
import type { OutwardEffect } from './call-state.ts';
import {
  type CalendarResult,
  dayOf,
  fits,
  isClock,
  later,
  offersOf,
  officeHours,
  type Window,
  wantedStart,
  windowsOf,
} from './slots.ts';

export type CalendarEffect = Extract<OutwardEffect, { kind: 'calendar' }>;

/**
 * What a script says of a calendar. `free`: it has what the caller wants. `taken`: the same, but another program is faster at
 * the first attempt. `none`: nothing free, and no appointment.
 */
export const scriptedCalendars = ['free', 'taken', 'none', 'fail'] as const;
export type ScriptedCalendar = (typeof scriptedCalendars)[number];

/** A list has the only free times. Without a mock, every time within the hours is free. */
export type CalendarMock = ScriptedCalendar | readonly string[];

/** A calendar in the memory of one simulated call. */
export class SimulatedCalendar {
  readonly #booked = new Map<string, string>();
  readonly #attempted = new Set<string>();
  #count = 0;

  /** Returns what comes of a use; undefined if the mock lets it fail. */
  perform(effect: CalendarEffect, mock?: CalendarMock): CalendarResult | undefined {
    if (mock === 'fail') return undefined;
    if (mock === 'none') return { outcome: effect.action === 'cancel' ? 'unknown' : 'none', times: [] };
    if (effect.action === 'cancel') {
      this.#booked.delete(effect.booking ?? '');
      return { outcome: 'done', times: [] };
    }
    const times = this.#free(effect, mock);
    if (effect.action === 'freeTimes') return offering('free', offersOf(effect, times));
    const start = startIn(effect, times, mock);
    const isFirst = !this.#attempted.has(effect.node);
    this.#attempted.add(effect.node);
    const isFree = start !== undefined && this.#isFree(start, effect, mock);
    if (!isFree || (mock === 'taken' && isFirst))
      return offering(
        'taken',
        offersOf(
          effect,
          times.filter((time) => time !== start),
        ),
      );
    const booking =
      effect.action === 'move' && effect.booking !== undefined ? effect.booking : this.#reference();
    this.#booked.set(booking, start);
    return { outcome: 'done', times: [], start, booking };
  }

  #reference(): string {
    this.#count += 1;
    return `simulated${this.#count}`;
  }

  #free(effect: CalendarEffect, mock: CalendarMock | undefined): string[] {
    const windows = windowsIn(effect);
    const booked = new Set(this.#booked.values());
    const free = isTimes(mock)
      ? mock.filter((time) => isClock(time) && fits(time, effect, windows) && !booked.has(time)).toSorted()
      : firstFree(windows, effect.minutes, booked);
    return free.length > 0 || mock === undefined || isTimes(mock) ? free : [nextMorning(effect)];
  }

  #isFree(start: string, effect: CalendarEffect, mock: CalendarMock | undefined): boolean {
    if (mock !== undefined && !isTimes(mock)) return true;
    const isOpen = fits(start, effect, windowsIn(effect)) && !this.#isBooked(start);
    return isOpen && (mock === undefined || mock.includes(start));
  }

  #isBooked(time: string): boolean {
    return [...this.#booked.values()].includes(time);
  }
}

/** What the caller wants. If a script says that it is free, a time that is missing or impossible is the first free one. */
function startIn(
  effect: CalendarEffect,
  times: readonly string[],
  mock: CalendarMock | undefined,
): string | undefined {
  const wanted = wantedStart(effect);
  if (mock === undefined || isTimes(mock)) return wanted;
  return wanted !== undefined && fits(wanted, effect, windowsIn(effect)) ? wanted : times[0];
}

function isTimes(mock: CalendarMock | undefined): mock is readonly string[] {
  return isList(mock);
}

function nextMorning(effect: CalendarEffect): string {
  const { day } = effect;
  return `${day !== undefined && isDate(day) ? day : dayOf(later(clockOf(effect), 24 * 60))}T09:00`;
}

function offering(outcome: 'free' | 'taken', times: readonly string[]): CalendarResult {
  return times.length === 0 ? { outcome: 'none', times } : { outcome, times };
}

function windowsIn(effect: CalendarEffect) {
  return windowsOf(effect, { hours: effect.hours ?? officeHours, closedOn: [] }, clockOf(effect));
}

/** Days whose free times are looked for: the times of one day are offered, and one of them may just have been taken. */
const mostDays = 2;

/** The starts that nobody has booked, at least all of the first days that have any. */
function firstFree(windows: readonly Window[], minutes: number, booked: ReadonlySet<string>): string[] {
  const free: string[] = [];
  const days = new Set<string>();
  for (const { from, to } of windows) {
    for (const start of startsIn(from, to, minutes))
      if (!booked.has(start)) {
        free.push(start);
        days.add(dayOf(start));
      }
    if (days.size > mostDays) break;
  }
  return free;
}

function startsIn(from: string, to: string, minutes: number): string[] {
  const starts: string[] = [];
  for (let start = from; later(start, minutes) <= to; start = later(start, minutes)) starts.push(start);
  return starts;
}

/** What the clock shows. There is none, so that a call that does not say when it started takes place at the usual time. */
function clockOf({ now }: CalendarEffect): string {
  return (now === '' ? usualStart : now).slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

const usualStart = systemVariables.find(({ name }) => name === 'callStartedAt')?.example ?? '';
