/** A stretch of time, in milliseconds since 1970. `to` is not part of it. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** What a calendar stores about an appointment. */
export interface Appointment extends Interval {
  /** The same if the same booking is tried again, so that it is made once. Letters and digits. */
  readonly id: string;
  readonly title: string;
  readonly name?: string | undefined;
  /** E.164. */
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
}

/** `taken`: something else is there. `unknown`: the calendar has no such appointment. */
export type Booked = { readonly outcome: 'done'; readonly reference: string } | { readonly outcome: 'taken' };
export type Moved = Booked | { readonly outcome: 'unknown' };
export type Cancelled = 'done' | 'unknown';

/**
 * A calendar in which appointments are made. Each method throws ProviderFailure if the calendar refuses or cannot be reached,
 * and the reason of the signal.
 */
export interface Calendar {
  /** Starts of free appointments inside the windows, which are in order and do not overlap. */
  freeTimes(windows: readonly Interval[], minutes: number, signal: AbortSignal): Promise<number[]>;
  book(appointment: Appointment, signal: AbortSignal): Promise<Booked>;
  move(reference: string, to: Interval, signal: AbortSignal): Promise<Moved>;
  cancel(reference: string, signal: AbortSignal): Promise<Cancelled>;
  /** The first appointment that Parley has made for this phone number in a stretch of time. */
  find(phone: string, within: Interval, signal: AbortSignal): Promise<string | undefined>;
}

export const minute = 60_000;

export function overlaps(one: Interval, other: Interval): boolean {
  return one.from < other.to && other.from < one.to;
}

/** Starts of appointments that fit into the windows next to what is busy. Each window has a grid of its own. */
export function freeStarts(
  windows: readonly Interval[],
  busy: readonly Interval[],
  minutes: number,
): number[] {
  const length = minutes * minute;
  const starts: number[] = [];
  for (const { from, to } of windows) {
    const near = busy.filter((one) => overlaps(one, { from, to }));
    for (let start = from; start + length <= to; start += length) {
      const slot = { from: start, to: start + length };
      if (!near.some((one) => overlaps(one, slot))) starts.push(start);
    }
  }
  return starts;
}
