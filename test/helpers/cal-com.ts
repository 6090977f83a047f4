import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import { openSite } from './wall-trial.ts';

export const calComAccount = { apiKey: 'cal_test_the-key-of-the-practice', eventTypeId: 123 };

interface Booking {
  uid: string;
  start: string;
  end: string;
  status: 'accepted' | 'cancelled';
  eventTypeId: number;
  attendees: readonly Record<string, unknown>[];
  metadata: Readonly<Record<string, unknown>>;
}

type Answer = readonly [status: number, body: unknown];

const minutes = 30;

/**
 * Behaves like version 2 of Cal.com's API, as its reference describes it (https://cal.com/docs/api-reference/v2: slots, create,
 * get, reschedule and cancel a booking): 30 minutes, every day from 09:00 to 12:00 UTC.
 */
export async function openCalCom() {
  const bookings: Booking[] = [];
  const refused: Answer[] = [];
  const isBusy = (start: number, without?: string) =>
    bookings.some(
      ({ uid, status, start: other }) =>
        status === 'accepted' && uid !== without && Date.parse(other) === start,
    );
  const isOffered = (start: number) => {
    const date = new Date(start);
    const minute = date.getUTCHours() * 60 + date.getUTCMinutes();
    return start > Date.now() && minute >= 540 && minute < 720 && minute % minutes === 0;
  };
  const unavailable: Answer = [
    400,
    {
      status: 'error',
      error: {
        code: 'BadRequestException',
        message: 'User either already has booking at this time or is not available',
      },
    },
  ];
  const book = (start: number, from: Pick<Booking, 'attendees' | 'metadata'>): Booking => {
    const booking: Booking = {
      uid: randomUUID().replaceAll('-', ''),
      start: new Date(start).toISOString(),
      end: new Date(start + minutes * 60_000).toISOString(),
      status: 'accepted',
      eventTypeId: calComAccount.eventTypeId,
      attendees: from.attendees,
      metadata: from.metadata,
    };
    bookings.push(booking);
    return booking;
  };
  const success = (data: unknown, status = 200): Answer => [status, { status: 'success', data }];
  const notFound: Answer = [
    404,
    { status: 'error', error: { code: 'NotFoundException', message: 'Booking not found' } },
  ];

  const slots = ({ searchParams: query }: URL): Answer => {
    if (query.get('eventTypeId') !== String(calComAccount.eventTypeId))
      return [404, { status: 'error', error: { message: 'Event type not found' } }];
    const [from, to] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
    const days: Record<string, { start: string }[]> = {};
    for (let start = Math.ceil(from / 1_800_000) * 1_800_000; start <= to; start += minutes * 60_000) {
      if (!isOffered(start) || isBusy(start, query.get('bookingUidToReschedule') ?? undefined)) continue;
      const iso = new Date(start).toISOString();
      const date = iso.slice(0, 10);
      days[date] = [...(days[date] ?? []), { start: iso }];
    }
    return success(days);
  };

  const answer = (method: string, url: URL, body: ReturnType<typeof JSON.parse>): Answer => {
    const [, , resource, uid, action] = url.pathname.split('/');
    if (resource === 'slots' && method === 'GET') return slots(url);
    if (resource !== 'bookings')
      return [404, { status: 'error', error: { message: `Cannot ${method} ${url.pathname}` } }];
    if (uid === undefined && method === 'GET') {
      const within = ({ start, end, status }: Booking) =>
        status === 'accepted' &&
        Date.parse(start) >= Date.parse(url.searchParams.get('afterStart') ?? '') &&
        Date.parse(end) <= Date.parse(url.searchParams.get('beforeEnd') ?? '');
      return success(bookings.filter(within));
    }
    if (uid === undefined) {
      const start = Date.parse(body.start);
      if (typeof body.attendee?.name !== 'string' || typeof body.attendee?.timeZone !== 'string')
        return [
          400,
          { status: 'error', error: { code: 'BadRequestException', message: 'attendee must be complete' } },
        ];
      if (!isOffered(start) || isBusy(start)) return unavailable;
      return success(book(start, { attendees: [body.attendee], metadata: body.metadata ?? {} }), 201);
    }
    const known = bookings.find((one) => one.uid === uid && one.status === 'accepted');
    if (!known) return notFound;
    if (action === 'cancel') {
      known.status = 'cancelled';
      return success(known);
    }
    const start = Date.parse(body.start);
    if (!isOffered(start) || isBusy(start, uid)) return unavailable;
    known.status = 'cancelled';
    return success(book(start, known), 201);
  };

  const site = await openSite((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (text += part));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://cal.example');
      const [status, body] =
        refused.shift() ??
        checked(request) ??
        answer(request.method ?? '', url, text === '' ? undefined : JSON.parse(text));
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  return {
    ...site,
    bookings,
    /** Someone else books, at Cal.com itself. */
    take: (start: string) => book(Date.parse(start), { attendees: [], metadata: {} }),
    /** The next request gets this answer. */
    refuseNext: (status: number, message: string) =>
      refused.push([status, { status: 'error', error: { code: 'Error', message } }]),
    credentials: {
      url: `${site.url}/v2`,
      apiKey: calComAccount.apiKey,
      eventTypeId: String(calComAccount.eventTypeId),
    },
  };
}

/** An older version of an endpoint responds to a request that names none. */
function checked({ headers, url = '' }: http.IncomingMessage): Answer | undefined {
  const version = url.startsWith('/v2/slots') ? '2024-09-04' : '2024-08-13';
  if (headers['cal-api-version'] !== version)
    return [404, { status: 'error', error: { message: `cal-api-version must be ${version}` } }];
  if (headers.authorization !== `Bearer ${calComAccount.apiKey}`)
    return [401, { status: 'error', error: { code: 'UnauthorizedException', message: 'Invalid API Key' } }];
  return undefined;
}
