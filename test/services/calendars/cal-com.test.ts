import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openApiSender } from '../../../src/platform/outbound/api-sender.ts';
import { calendarProviders } from '../../../src/services/calendars/calendar-providers.ts';
import { openCalCom } from '../../helpers/cal-com.ts';
import { never } from '../../helpers/wall-trial.ts';

async function openCalendar(change: Readonly<Record<string, string>> = {}) {
  const calCom = await openCalCom();
  const sender = openApiSender({ allow: calCom.allow, log: pino({ level: 'silent' }), version: '1' });
  onTestFinished(() => sender.close());
  const account = {
    provider: 'Cal.com',
    credentials: { ...calCom.credentials, ...change },
    timeZone: 'Europe/Berlin',
  };
  return { calCom, calendar: calendarProviders(sender)(account, { id: 'test', projectId: 'test' }) };
}

const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
const at = (time: string) => Date.parse(`${day}T${time}:00Z`);
const slot = (time: string) => ({ from: at(time), to: at(time) + 30 * 60_000 });
const appointment = (time: string) => ({
  ...slot(time),
  id: 'parley0001',
  title: 'Check-up',
  name: 'Ana Silva',
  phone: '+49 30 123456',
  email: 'ana@example.com',
});
const morning = { from: at('09:00'), to: at('11:00') };

test('Cal.com books, finds, moves and cancels an appointment', async () => {
  const { calCom, calendar } = await openCalendar();
  calCom.take(`${day}T09:30:00Z`);
  expect(await calendar.freeTimes([morning], 30, never)).toEqual([at('09:00'), at('10:00'), at('10:30')]);

  const booked = await calendar.book(appointment('10:00'), never);
  const [, booking] = calCom.bookings;
  expect(booked).toEqual({ outcome: 'done', reference: booking?.uid });
  expect(booking).toMatchObject({
    start: `${day}T10:00:00.000Z`,
    attendees: [
      { name: 'Ana Silva', timeZone: 'Europe/Berlin', email: 'ana@example.com', phoneNumber: '+4930123456' },
    ],
    metadata: { parleyId: 'parley0001', parleyPhone: '4930123456' },
  });
  expect(await calendar.book(appointment('10:00'), never)).toEqual(booked);
  expect(calCom.bookings).toHaveLength(2);

  const reference = await calendar.find('+49 (30) 123456', morning, never);
  expect(reference).toBe(booking?.uid);
  expect(await calendar.find('+49 30 999999', morning, never)).toBeUndefined();
  const moved = await calendar.move(reference ?? '', slot('10:30'), never);
  const uid = calCom.bookings.at(-1)?.uid ?? '';
  expect(moved).toEqual({ outcome: 'done', reference: uid });
  expect(await calendar.freeTimes([morning], 30, never)).toEqual([at('09:00'), at('10:00')]);
  expect(await calendar.cancel(uid, never)).toBe('done');
  expect(await calendar.cancel(uid, never)).toBe('unknown');
  expect(await calendar.move(uid, slot('10:30'), never)).toEqual({ outcome: 'unknown' });
});

test('a time that Cal.com has given to somebody else is taken', async () => {
  const { calCom, calendar } = await openCalendar();
  calCom.take(`${day}T10:00:00Z`);
  expect(await calendar.book(appointment('10:00'), never)).toEqual({ outcome: 'taken' });
  const { reference = '' } = (await calendar.book(appointment('09:00'), never)) as { reference?: string };
  expect(await calendar.move(reference, slot('10:00'), never)).toEqual({ outcome: 'taken' });
  expect(await calendar.book({ ...appointment('13:00'), id: 'parley0002' }, never)).toEqual({
    outcome: 'taken',
  });
});

test('a refusal of a time that is free is a failure with the words of Cal.com', async () => {
  const { calCom, calendar } = await openCalendar();
  await calendar.find('+49 30 1', morning, never);
  const { cancel, freeTimes } = calendar;
  calCom.refuseNext(400, 'Attendee email is blocked');
  await expect(cancel('abc', never)).rejects.toThrow(
    'Cal.com responded with status 400: Attendee email is blocked',
  );
  calCom.refuseNext(500, 'Internal server error');
  await expect(freeTimes([morning], 30, never)).rejects.toThrow('Cal.com responded with status 500');
});

test.each([
  [{ apiKey: 'cal_wrong_zq7' }, /^Cal\.com rejected the credentials \(status 401\)\.$/],
  [{ eventTypeId: '9' }, /^Cal\.com responded with status 404: Event type not found$/],
])('says what is wrong with %j, without the key', async (change, message) => {
  const { calendar } = await openCalendar(change);
  await expect(calendar.freeTimes([morning], 30, never)).rejects.toThrow(message);
});

test.each([
  [{ apiKey: '' }, 'The integration has no credential apiKey'],
  [{ eventTypeId: 'check-up' }, 'The credential eventTypeId must be the number of an event type'],
])('needs its credentials: %j', async (change, message) => {
  await expect(openCalendar(change)).rejects.toThrow(message);
});
