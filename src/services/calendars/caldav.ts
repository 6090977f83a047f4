import { DOMParser, type Element } from '@xmldom/xmldom';
import type { ApiRequest, ApiResponse } from '../../platform/outbound/api-sender.ts';
import { ProviderFailure } from '../providers/provider-request.ts';
import type { Appointment, Booked, Calendar, Interval, Moved } from './calendar.ts';
import { freeStarts, overlaps } from './calendar.ts';
import { appointmentIn, busyIn, eventOf, movedEvent } from './icalendar.ts';

/** Sends a request to the calendar server, and nowhere else than the wall allows. */
export type Send = (request: ApiRequest, signal: AbortSignal) => Promise<ApiResponse>;

export interface CalDavAccount {
  /** Of a calendar, or of a server whose calendars are looked up. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** The name of the calendar if the server has several. */
  readonly calendar?: string | undefined;
}

const [dav, caldav] = ['DAV:', 'urn:ietf:params:xml:ns:caldav'];

/** An object of a calendar. */
interface Stored {
  readonly href: string;
  readonly etag: string | undefined;
  readonly text: string;
}

/**
 * A calendar on a CalDAV server (RFC 4791).
 * @param timeZone of all-day events, and of times without a zone
 * @throws ProviderFailure if the address is no URL
 */
export function calDav(send: Send, account: CalDavAccount, timeZone: string): Calendar {
  const server = new CalDavServer(send, account);
  const busy = (stored: readonly Stored[], within: Interval) =>
    stored.flatMap(({ text }) => busyIn(text, within, timeZone));
  /** What other objects keep busy at that time. */
  const isTaken = async (within: Interval, own: string, signal: AbortSignal) => {
    const others = (await server.objects(within, signal)).filter(({ href }) => href !== own);
    return busy(others, within).some((one) => overlaps(one, within));
  };

  return {
    async freeTimes(windows, minutes, signal) {
      const [first, last] = [windows[0], windows.at(-1)];
      if (!first || !last) return [];
      const within = { from: first.from, to: last.to };
      return freeStarts(windows, busy(await server.objects(within, signal), within), minutes);
    },

    async book(appointment: Appointment, signal): Promise<Booked> {
      const { id: reference } = appointment;
      const href = await server.hrefOf(reference, signal);
      if (await isTaken(appointment, href, signal)) return { outcome: 'taken' };
      try {
        await server.create(href, eventOf(appointment, Date.now()), signal);
      } catch (error) {
        // The server may have stored it without a response. Nobody tells the caller that it is booked.
        await server.remove(href, AbortSignal.timeout(secondsToClean * 1_000)).catch(() => undefined);
        throw error;
      }
      // Another program may have taken the time since the first look.
      if (!(await isTaken(appointment, href, signal))) return { outcome: 'done', reference };
      await server.remove(href, signal);
      return { outcome: 'taken' };
    },

    async move(reference, to, signal): Promise<Moved> {
      const href = await server.hrefOf(reference, signal);
      const stored = await server.find(href, signal);
      if (!stored) return { outcome: 'unknown' };
      if (await isTaken(to, href, signal)) return { outcome: 'taken' };
      await server.replace(stored, movedEvent(stored.text, to, Date.now()), signal);
      if (!(await isTaken(to, href, signal))) return { outcome: 'done', reference };
      const moved = await server.find(href, signal);
      if (moved) await server.replace(moved, stored.text, signal);
      return { outcome: 'taken' };
    },

    async cancel(reference, signal) {
      const href = await server.hrefOf(reference, signal);
      return (await server.remove(href, signal)) ? 'done' : 'unknown';
    },

    async find(phone, within, signal) {
      const digits = phone.replaceAll(/\D/g, '');
      if (digits === '') return undefined;
      const found = (await server.objects(within, signal)).flatMap(({ text }) => {
        const appointment = appointmentIn(text);
        if (appointment?.phone.replaceAll(/\D/g, '') !== digits) return [];
        return busyIn(text, within, timeZone).map(({ from }) => ({ from, id: appointment.id }));
      });
      return found.toSorted((one, other) => one.from - other.from)[0]?.id;
    },
  };
}

const day = 86_400_000;

/** Seconds to remove an appointment whose making has failed. */
const secondsToClean = 5;

/** The requests of RFC 4918 and RFC 4791 that a calendar needs. */
class CalDavServer {
  readonly #send: Send;
  readonly #account: CalDavAccount;
  readonly #url: URL;
  #collection: Promise<string> | undefined;

  constructor(send: Send, account: CalDavAccount) {
    this.#send = send;
    this.#account = account;
    const url = URL.parse(account.url);
    if (!url) throw new ProviderFailure('The credential url of the calendar is not a valid URL.');
    this.#url = url;
  }

  /** The address of an object. A reference may come from a caller. */
  async hrefOf(reference: string, signal: AbortSignal): Promise<string> {
    const collection = await this.#calendar(signal);
    return `${collection}${encodeURIComponent(reference.slice(0, 200))}.ics`;
  }

  /**
   * The objects with events in a stretch of time, and some around it: the server does not know where an all-day event is, so that
   * it may look for it up to 14 hours away. Recurring ones are returned whole.
   */
  async objects({ from, to }: Interval, signal: AbortSignal): Promise<Stored[]> {
    const range = `start="${stamp(from - day)}" end="${stamp(to + day)}"`;
    const body = `<?xml version="1.0" encoding="utf-8"?><C:calendar-query xmlns:D="DAV:" xmlns:C="${caldav}"><D:prop><D:getetag/><C:calendar-data/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range ${range}/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`;
    const collection = await this.#calendar(signal);
    const { status, body: text } = await this.#request('REPORT', collection, signal, { body, depth: '1' });
    if (status !== 207) throw refused(status);
    return responsesIn(text).flatMap((response) => {
      const data = textOf(response, caldav, 'calendar-data');
      return data === undefined
        ? []
        : [
            {
              href: this.#sameServer(hrefIn(response), collection),
              etag: textOf(response, dav, 'getetag'),
              text: data,
            },
          ];
    });
  }

  async find(href: string, signal: AbortSignal): Promise<Stored | undefined> {
    const { status, etag, body } = await this.#request('GET', href, signal);
    if (status === 404 || status === 410) return undefined;
    if (status !== 200) throw refused(status);
    return { href, etag, text: body };
  }

  /** Stores a new object. One that is there already is what an earlier attempt has stored. */
  async create(href: string, text: string, signal: AbortSignal): Promise<void> {
    const { status } = await this.#request('PUT', href, signal, { body: text, 'if-none-match': '*' });
    if (status !== 412 && (status < 200 || status > 299)) throw refused(status);
  }

  async replace({ href, etag }: Stored, text: string, signal: AbortSignal): Promise<void> {
    const { status } = await this.#request('PUT', href, signal, {
      body: text,
      ...(etag !== undefined && { 'if-match': etag }),
    });
    if (status === 412) throw new ProviderFailure('Somebody else has just changed the appointment.');
    if (status < 200 || status > 299) throw refused(status);
  }

  /** Returns false if there was nothing to remove. */
  async remove(href: string, signal: AbortSignal): Promise<boolean> {
    const { status } = await this.#request('DELETE', href, signal);
    if (status === 404 || status === 410) return false;
    if (status < 200 || status > 299) throw refused(status);
    return true;
  }

  #calendar(signal: AbortSignal): Promise<string> {
    this.#collection ??= this.#discover(signal);
    return this.#collection;
  }

  /** The address of the calendar: the one that was given, or one that the server names (RFC 6764 section 6). A wrong address never leads to another calendar. */
  async #discover(signal: AbortSignal): Promise<string> {
    const [own] = await this.#properties(this.#url.href, '0', signal);
    if (own?.isCalendar) return withSlash(this.#url.href);
    const principal = own?.principal;
    const home =
      own?.home ??
      (principal === undefined ? undefined : (await this.#properties(principal, '0', signal))[0]?.home);
    const calendars = (await this.#properties(home ?? this.#url.href, '1', signal)).filter(
      ({ isCalendar }) => isCalendar,
    );
    const { calendar: wanted } = this.#account;
    const found =
      wanted === undefined
        ? calendars
        : calendars.filter(({ name, href }) => name === wanted || lastSegment(href) === wanted);
    const [calendar] = found;
    if (found.length === 1 && calendar) return withSlash(calendar.href);
    const names = calendars.map(({ name, href }) => name ?? lastSegment(href)).slice(0, 20);
    throw new ProviderFailure(
      names.length === 0
        ? nothingThere
        : `The server has these calendars: ${names.join(', ').slice(0, 300)}. Give the credential calendar the name of one of them.`,
    );
  }

  async #properties(address: string, depth: '0' | '1', signal: AbortSignal) {
    const body = `<?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="DAV:" xmlns:C="${caldav}"><D:prop><D:resourcetype/><D:displayname/><D:current-user-principal/><C:calendar-home-set/><C:supported-calendar-component-set/></D:prop></D:propfind>`;
    const { status, body: text } = await this.#request('PROPFIND', address, signal, { body, depth });
    if (status === 404 || status === 405) throw new ProviderFailure(nothingThere);
    if (status !== 207) throw refused(status);
    return responsesIn(text).map((response) => {
      const within = (name: string, space: string) => {
        const [property] = elements(response, space, name);
        const href = property && elements(property, dav, 'href')[0]?.textContent?.trim();
        return href === undefined || href === '' ? undefined : this.#sameServer(href, address);
      };
      const [type] = elements(response, dav, 'resourcetype');
      const kinds = elements(response, caldav, 'comp').map((comp) => comp.getAttribute('name'));
      return {
        href: this.#sameServer(hrefIn(response), address),
        isCalendar:
          type !== undefined &&
          elements(type, caldav, 'calendar').length > 0 &&
          (kinds.length === 0 || kinds.includes('VEVENT')),
        name: textOf(response, dav, 'displayname') || undefined,
        principal: within('current-user-principal', dav),
        home: within('calendar-home-set', caldav),
      };
    });
  }

  /** An address that the server names. The password goes to no other server. */
  #sameServer(href: string, base: string): string {
    const url = URL.parse(href, base);
    if (url?.origin !== this.#url.origin)
      throw new ProviderFailure(
        'The calendar is on another server. Give the credential url the address of the calendar.',
      );
    return url.href;
  }

  async #request(
    method: string,
    url: string,
    signal: AbortSignal,
    { body, ...headers }: Readonly<Record<string, string>> = {},
  ): Promise<ApiResponse> {
    const { username, password } = this.#account;
    const type = method === 'PUT' ? 'text/calendar; charset=utf-8' : 'application/xml; charset=utf-8';
    const response = await this.#send(
      {
        method,
        url,
        headers: {
          authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
          ...(body !== undefined && { 'content-type': type }),
          ...headers,
        },
        body: body ?? null,
      },
      signal,
    );
    if (response.status === 401 || response.status === 403)
      throw new ProviderFailure(`The calendar server rejected the credentials (status ${response.status}).`);
    return response;
  }
}

const nothingThere = 'There is no calendar at the address of the integration.';

function refused(status: number): ProviderFailure {
  return new ProviderFailure(`The calendar server responded with status ${status}.`);
}

/** The responses of a multistatus (RFC 4918 section 13). Entities of a document type stay unread. */
function responsesIn(text: string): Element[] {
  try {
    const root = new DOMParser({ onError: () => undefined }).parseFromString(
      text,
      'text/xml',
    ).documentElement;
    return root ? elements(root, dav, 'response') : [];
  } catch (error) {
    throw new ProviderFailure('The response of the calendar server is not XML.', { cause: error });
  }
}

function elements(parent: Element, space: string, name: string): Element[] {
  return Array.from(parent.getElementsByTagNameNS(space, name));
}

function textOf(parent: Element, space: string, name: string): string | undefined {
  return elements(parent, space, name)[0]?.textContent ?? undefined;
}

function hrefIn(response: Element): string {
  return textOf(response, dav, 'href')?.trim() ?? '';
}

function withSlash(address: string): string {
  return address.endsWith('/') ? address : `${address}/`;
}

function lastSegment(address: string): string {
  return new URL(address).pathname.split('/').findLast((segment) => segment !== '') ?? '';
}

/** A time of RFC 5545 in UTC. */
function stamp(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length).replaceAll(/[-:]/g, '')}Z`;
}
