import { ProviderFailure } from '../providers/provider-request.ts';
import type { Send } from './caldav.ts';
import type { Appointment, Calendar, Interval } from './calendar.ts';

export interface CalComAccount {
  /** The API of version 2, such as https://api.cal.com/v2. */
  readonly url: string;
  readonly apiKey: string;
  /** The kind of appointment, which decides how long it takes. */
  readonly eventTypeId: number;
}

/** The versions that the pages of the API's reference name (https://cal.com/docs/api-reference/v2). */
const [slotsVersion, bookingsVersion] = ['2024-09-04', '2024-08-13'];
/** Bookings that one search reads. */
const mostBookings = 100;
/** Characters of Cal.com's own words in a message. */
const longestExplanation = 300;

/** The metadata by which Parley finds its bookings. */
const [idKey, phoneKey] = ['parleyId', 'parleyPhone'];

interface CalComBooking {
  readonly uid: string;
  readonly start: string;
  readonly status: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * The calendar behind an event type of Cal.com. It decides itself which times are free, and never books one of them twice.
 * @param timeZone in which Cal.com writes to the caller
 */
export function calCom(send: Send, { url, apiKey, eventTypeId }: CalComAccount, timeZone: string): Calendar {
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal,
    { version, body }: { readonly version: string; readonly body?: object },
  ): Promise<{ readonly status: number; readonly data: unknown; readonly message: string }> => {
    const response = await send(
      {
        method,
        url: `${url.replace(/\/+$/, '')}${path}`,
        headers: {
          authorization: `Bearer ${apiKey}`,
          'cal-api-version': version,
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      },
      signal,
    );
    const { status } = response;
    if (status === 401 || status === 403)
      throw new ProviderFailure(`Cal.com rejected the credentials (status ${status}).`);
    const parsed = jsonOf(response.body);
    return { status, data: parsed?.data, message: parsed?.error?.message ?? '' };
  };

  const slots = async ({ from, to }: Interval, signal: AbortSignal, moved?: string): Promise<number[]> => {
    const query = new URLSearchParams({
      eventTypeId: String(eventTypeId),
      start: iso(from),
      end: iso(to),
      ...(moved !== undefined && { bookingUidToReschedule: moved }),
    });
    const { status, data, message } = await call('GET', `/slots?${query}`, signal, { version: slotsVersion });
    if (status !== 200) throw refused(status, message);
    return Object.values(data as Readonly<Record<string, readonly { start: string }[]>>)
      .flat()
      .map(({ start }) => Date.parse(start))
      .toSorted((one, other) => one - other);
  };

  /** Upcoming bookings in a stretch of time that Parley has made. */
  const bookings = async ({ from, to }: Interval, signal: AbortSignal): Promise<CalComBooking[]> => {
    const query = new URLSearchParams({
      status: 'upcoming',
      eventTypeId: String(eventTypeId),
      afterStart: iso(from - 1_000),
      beforeEnd: iso(to + 1_000),
      sortStart: 'asc',
      take: String(mostBookings),
    });
    const { status, data, message } = await call('GET', `/bookings?${query}`, signal, {
      version: bookingsVersion,
    });
    if (status !== 200) throw refused(status, message);
    return [...(data as readonly CalComBooking[])];
  };

  /** True if Cal.com offers the time: a refusal then has another reason. */
  const isFree = async (from: number, signal: AbortSignal, moved?: string): Promise<boolean> =>
    (await slots({ from, to: from + 60_000 }, signal, moved)).includes(from);

  return {
    async freeTimes(windows, minutes, signal) {
      const [first, last] = [windows[0], windows.at(-1)];
      if (!first || !last) return [];
      const length = minutes * 60_000;
      const starts = await slots({ from: first.from, to: last.to }, signal);
      return starts.filter((start) => windows.some(({ from, to }) => start >= from && start + length <= to));
    },

    async book({ id, from, to, name = '', phone, email }: Appointment, signal) {
      const [known] = await ofId(bookings, id, { from, to }, signal);
      if (known) return { outcome: 'done', reference: known.uid };
      const { status, data, message } = await call('POST', '/bookings', signal, {
        version: bookingsVersion,
        body: {
          eventTypeId,
          start: iso(from),
          attendee: {
            name: name === '' ? 'Caller' : name,
            timeZone,
            ...(email !== undefined && { email }),
            ...(phone !== undefined && { phoneNumber: phone.replaceAll(/[^\d+]/g, '') }),
          },
          metadata: { [idKey]: id, ...(phone !== undefined && { [phoneKey]: digitsOf(phone) }) },
        },
      });
      if (status === 201 || status === 200)
        return { outcome: 'done', reference: (data as CalComBooking).uid };
      if ((status === 400 || status === 409) && !(await isFree(from, signal))) return { outcome: 'taken' };
      throw refused(status, message);
    },

    async move(reference, { from }, signal) {
      const { status, data, message } = await call('POST', `${pathOf(reference)}/reschedule`, signal, {
        version: bookingsVersion,
        body: { start: iso(from) },
      });
      if (status === 201 || status === 200)
        return { outcome: 'done', reference: (data as CalComBooking).uid };
      if (status === 404) return { outcome: 'unknown' };
      if ((status === 400 || status === 409) && !(await isFree(from, signal, reference)))
        return { outcome: 'taken' };
      throw refused(status, message);
    },

    async cancel(reference, signal) {
      const { status, message } = await call('POST', `${pathOf(reference)}/cancel`, signal, {
        version: bookingsVersion,
        body: { cancellationReason: 'The caller has cancelled.' },
      });
      if (status === 404) return 'unknown';
      if (status !== 200 && status !== 201) throw refused(status, message);
      return 'done';
    },

    async find(phone, within, signal) {
      const digits = digitsOf(phone);
      if (digits === '') return undefined;
      const found = await bookings(within, signal);
      return found.find(({ metadata }) => metadata?.[phoneKey] === digits)?.uid;
    },
  };
}

/** The booking that an earlier attempt has made. */
async function ofId(
  bookings: (within: Interval, signal: AbortSignal) => Promise<CalComBooking[]>,
  id: string,
  within: Interval,
  signal: AbortSignal,
): Promise<CalComBooking[]> {
  return (await bookings(within, signal)).filter(({ metadata }) => metadata?.[idKey] === id);
}

/** A reference may come from a caller. */
function pathOf(reference: string): string {
  return `/bookings/${encodeURIComponent(reference.slice(0, 200))}`;
}

function iso(moment: number): string {
  return new Date(moment).toISOString();
}

function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/g, '');
}

function refused(status: number, message: string): ProviderFailure {
  const words = message.slice(0, longestExplanation);
  return new ProviderFailure(`Cal.com responded with status ${status}${words === '' ? '.' : `: ${words}`}`);
}

interface CalComResponse {
  readonly data?: unknown;
  readonly error?: { readonly message?: string };
}

function jsonOf(text: string): CalComResponse | undefined {
  try {
    return JSON.parse(text) as CalComResponse;
  } catch {
    // An error page of a proxy is not JSON; its status says enough.
    return undefined;
  }
}
