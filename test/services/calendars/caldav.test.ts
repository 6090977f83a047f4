import pino from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openApiSender } from '../../../src/platform/outbound/api-sender.ts';
import type { Appointment } from '../../../src/services/calendars/calendar.ts';
import { calendarProviders } from '../../../src/services/calendars/calendar-providers.ts';
import { hasRadicale, openRadicale, radicaleUser } from '../../helpers/radicale.ts';
import { never } from '../../helpers/wall-trial.ts';

const purpose = { id: 'test', projectId: 'test' };

/** The calendar of an account, over the sender that guards the internal network. */
function openCalendar(
  credentials: Readonly<Record<string, string>>,
  { allow, timeZone = 'Europe/Berlin' }: { readonly allow: readonly string[]; readonly timeZone?: string },
) {
  const sender = openApiSender({ allow: [...allow], log: pino({ level: 'silent' }), version: '1' });
  onTestFinished(() => sender.close());
  return calendarProviders(sender)({ provider: 'caldav', credentials, timeZone }, purpose);
}

const at = (text: string) => Date.parse(`${text}:00Z`);
const window = (day: string, from: string, to: string) => ({
  from: at(`${day}T${from}`),
  to: at(`${day}T${to}`),
});
const shown = (starts: readonly number[]) =>
  starts.map((start) => new Date(start).toISOString().slice(5, 16));

const appointment = (from: string, more: Partial<Appointment> = {}): Appointment => ({
  id: 'parley0001',
  from: at(from),
  to: at(from) + 30 * 60_000,
  title: 'Check-up; with "quotes", a \\ and a line\nbreak',
  name: 'Ana Müller',
  phone: '+4930123456',
  ...more,
});

describe.skipIf(!hasRadicale)('a calendar on a CalDAV server', () => {
  test('books, moves, finds and cancels an appointment', async () => {
    const radicale = await openRadicale();
    const calendar = openCalendar(radicale.credentials, radicale);
    const booked = appointment('2027-03-02T09:00');
    expect(await calendar.book(booked, never)).toEqual({ outcome: 'done', reference: booked.id });
    const [stored = ''] = await radicale.objects();
    expect(stored).toContain('DTSTART:20270302T090000Z');
    expect(stored).toContain('SUMMARY:Check-up\\; with "quotes"\\, a \\\\ and a line\\nbreak');
    expect(stored).toContain('X-PARLEY-PHONE:+4930123456');

    const day = window('2027-03-02', '09:00', '10:30');
    expect(shown(await calendar.freeTimes([day], 30, never))).toEqual(['03-02T09:30', '03-02T10:00']);
    expect(await calendar.find('+49 30 123456', day, never)).toBe(booked.id);
    expect(await calendar.find('+49 30 999999', day, never)).toBeUndefined();

    const later = window('2027-03-02', '10:00', '10:30');
    expect(await calendar.move(booked.id, later, never)).toMatchObject({ outcome: 'done' });
    expect(shown(await calendar.freeTimes([day], 30, never))).toEqual(['03-02T09:00', '03-02T09:30']);
    expect((await radicale.objects())[0]).toMatch(/SEQUENCE:1\b/);

    expect(await calendar.cancel(booked.id, never)).toBe('done');
    expect(await calendar.cancel(booked.id, never)).toBe('unknown');
    expect(await calendar.move(booked.id, later, never)).toEqual({ outcome: 'unknown' });
    expect(await radicale.objects()).toEqual([]);
  });

  test('knows what keeps a calendar busy: recurring, moved, all-day, transparent and cancelled events', async () => {
    const radicale = await openRadicale();
    const calendar = openCalendar(radicale.credentials, radicale);
    // 10:00 in Berlin is 09:00 in UTC until 28 March 2027, and 08:00 from then on.
    await radicale.put('weekly', [
      'DTSTART;TZID=Europe/Berlin:20270301T100000',
      'DTEND;TZID=Europe/Berlin:20270301T103000',
      'RRULE:FREQ=WEEKLY;BYDAY=MO',
      'EXDATE;TZID=Europe/Berlin:20270308T100000',
      'SUMMARY:Team',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:weekly',
      'DTSTAMP:20260101T000000Z',
      'RECURRENCE-ID;TZID=Europe/Berlin:20270315T100000',
      'DTSTART;TZID=Europe/Berlin:20270315T110000',
      'DTEND;TZID=Europe/Berlin:20270315T113000',
      'SUMMARY:Team, later',
    ]);
    await radicale.put('holiday', [
      'DTSTART;VALUE=DATE:20270310',
      'DTEND;VALUE=DATE:20270311',
      'SUMMARY:Closed',
    ]);
    await radicale.put('reminder', [
      'DTSTART:20270302T090000Z',
      'DTEND:20270302T100000Z',
      'TRANSP:TRANSPARENT',
    ]);
    await radicale.put('called-off', ['DTSTART:20270302T090000Z', 'DURATION:PT1H', 'STATUS:CANCELLED']);
    await radicale.put('long', ['DTSTART:20270303T093000Z', 'DURATION:PT1H']);
    const free = async (day: string, from = '08:00', to = '11:00') =>
      shown(await calendar.freeTimes([window(day, from, to)], 30, never)).map((start) => start.slice(6));
    const all = ['08:00', '08:30', '09:00', '09:30', '10:00', '10:30'];
    const without = (...times: string[]) => all.filter((time) => !times.includes(time));
    expect(await free('2027-03-01')).toEqual(without('09:00'));
    expect(await free('2027-03-08')).toEqual(all);
    expect(await free('2027-03-15')).toEqual(without('10:00'));
    expect(await free('2027-03-29')).toEqual(without('08:00'));
    expect(await free('2027-03-10')).toEqual([]);
    // The holiday begins at midnight in Berlin.
    expect(await free('2027-03-09', '22:00', '24:00')).toEqual(['22:00', '22:30']);
    expect(await free('2027-03-02')).toEqual(all);
    expect(await free('2027-03-03')).toEqual(without('09:30', '10:00'));
  });

  test('reads a time zone that only the calendar defines', async () => {
    const radicale = await openRadicale();
    const calendar = openCalendar(radicale.credentials, radicale);
    await radicale.put(
      'outlook',
      ['DTSTART;TZID=Office Time:20270302T100000', 'DTEND;TZID=Office Time:20270302T103000'],
      [
        'BEGIN:VTIMEZONE',
        'TZID:Office Time',
        'BEGIN:STANDARD',
        'DTSTART:19700101T000000',
        'TZOFFSETFROM:+0300',
        'TZOFFSETTO:+0300',
        'END:STANDARD',
        'END:VTIMEZONE',
      ],
    );
    const day = window('2027-03-02', '06:30', '08:00');
    expect(shown(await calendar.freeTimes([day], 30, never))).toEqual(['03-02T06:30', '03-02T07:30']);
  });

  test('does not take a time that another program has, and stores the same booking once', async () => {
    const radicale = await openRadicale();
    const calendar = openCalendar(radicale.credentials, radicale);
    await radicale.put('staff', ['DTSTART:20270302T091500Z', 'DTEND:20270302T094500Z']);
    expect(await calendar.book(appointment('2027-03-02T09:00'), never)).toEqual({ outcome: 'taken' });
    const free = appointment('2027-03-02T10:00');
    expect(await calendar.book(free, never)).toMatchObject({ outcome: 'done' });
    expect(await calendar.book(free, never)).toMatchObject({ outcome: 'done' });
    expect(await calendar.move(free.id, window('2027-03-02', '09:00', '09:30'), never)).toEqual({
      outcome: 'taken',
    });
    expect(await radicale.objects()).toHaveLength(2);
  });

  test('finds the calendars of a server, and asks which one is meant', async () => {
    const radicale = await openRadicale();
    const day = window('2027-03-02', '09:00', '09:30');
    const server = { ...radicaleUser, url: `${radicale.base}/` };
    expect(await openCalendar(server, radicale).freeTimes([day], 30, never)).toHaveLength(1);
    await radicale.makeCalendar('lab');
    await expect(openCalendar(server, radicale).freeTimes([day], 30, never)).rejects.toThrow(
      /The server has these calendars: (lab, practice|practice, lab)\./,
    );
    const lab = openCalendar({ ...server, calendar: 'lab' }, radicale);
    expect(await lab.freeTimes([day], 30, never)).toHaveLength(1);
  });

  test('says what is wrong without the credentials, and stays outside of the internal network', async () => {
    const radicale = await openRadicale();
    const day = window('2027-03-02', '09:00', '09:30');
    const wrong = openCalendar({ ...radicale.credentials, password: 'wrong-password' }, radicale);
    await expect(wrong.freeTimes([day], 30, never)).rejects.toThrow(
      /^The calendar server rejected the credentials \(status 401\)\.$/,
    );
    const walled = openCalendar(radicale.credentials, { allow: [] });
    await expect(walled.freeTimes([day], 30, never)).rejects.toThrow(/^The address must use port 80 or 443/);
    const gone = openCalendar({ ...radicale.credentials, url: `${radicale.base}/ana/none/` }, radicale);
    await expect(gone.freeTimes([day], 30, never)).rejects.toThrow(/^There is no calendar at the address/);
    radicale.stop();
    const stopped = openCalendar(radicale.credentials, radicale);
    await expect(stopped.freeTimes([day], 30, never)).rejects.toThrow(/^The site could not be reached\.$/);
  });
});
