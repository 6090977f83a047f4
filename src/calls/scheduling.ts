import type { CalendarUse } from '../design/schema/calendar.ts';
import { isDate, isTime } from '../platform/calendar.ts';
import type { Call } from './call.ts';
import type { Json } from './json-value.ts';
import { valuesIn } from './reading/index.ts';
import { type CalendarResult, dayOf, isClock, timeOf } from './slots.ts';

const [usualMinutes, usualDays, usualOffers] = [30, 14, 3];

/** How a use of a calendar leaves its step or node. */
export type CalendarWay = 'next' | 'taken' | 'none';

/** Asks for what a step or a hook node wants of a calendar. */
export function requestCalendar(call: Call, node: string, use: CalendarUse): void {
  const { action, hours, title } = use;
  const text = (member: keyof CalendarUse & `${string}Source`) => textOf(sourceOf(call, use[member]));
  const time = timeIn(text('timeSource'));
  const name = text('nameSource');
  const [phone, email, booking] = [text('phoneSource'), text('emailSource'), text('bookingSource')];
  const day = dayIn(text('daySource'), today(call)) ?? offeredDay(call, use, time);
  call.request({
    kind: 'calendar',
    node,
    integration: use.integrationRef,
    action,
    minutes: use.durationMinutes ?? usualMinutes,
    ...(hours !== undefined && { hours }),
    daysAhead: use.daysAhead ?? usualDays,
    offers: use.offers ?? usualOffers,
    now: now(call),
    title: title === undefined ? (name ?? 'Appointment') : call.filled(title),
    ...(day !== undefined && { day }),
    ...(time !== undefined && { time }),
    ...(name !== undefined && { name }),
    ...(phone !== undefined && { phone }),
    ...(email !== undefined && { email }),
    ...(booking !== undefined && { booking }),
  });
}

/** Takes over what a calendar has returned; undefined: it has failed. */
export function calendarFinished(call: Call, use: CalendarUse, result: Json | undefined): CalendarWay {
  const found = result as unknown as CalendarResult | undefined;
  const { outcome = 'failed', times = [], start, booking } = found ?? {};
  const { outcomeVariableId, offeredVariableId, startVariableId, bookingVariableId } = use;
  if (outcomeVariableId !== undefined)
    call.set(outcomeVariableId, outcome === 'done' ? deeds[use.action] : outcome);
  if (offeredVariableId !== undefined && times.length > 0) call.set(offeredVariableId, [...times]);
  if (startVariableId !== undefined && start !== undefined) call.set(startVariableId, start);
  if (bookingVariableId !== undefined && booking !== undefined) call.set(bookingVariableId, booking);
  if (outcome === 'free' || outcome === 'taken') leadToOffer(call, use, times);
  if (outcome === 'free' || outcome === 'done') return 'next';
  return outcome === 'taken' ? 'taken' : 'none';
}

const deeds = { freeTimes: 'free', book: 'booked', move: 'moved', cancel: 'cancelled' } as const;

/**
 * The caller chooses among the offered times next. All are on one day, which becomes the caller's day, and a time that is not
 * offered is forgotten: a collect step asks for it again.
 */
function leadToOffer(call: Call, use: CalendarUse, times: readonly string[]): void {
  const [first] = times;
  if (first === undefined) return;
  const { daySource, timeSource } = use;
  const time = timeIn(textOf(sourceOf(call, timeSource)));
  const wantedDay = dayIn(textOf(sourceOf(call, daySource)), today(call));
  if (daySource?.variableId !== undefined && wantedDay !== dayOf(first))
    call.set(daySource.variableId, dayOf(first));
  const isOffered = times.some(
    (clock) => timeOf(clock) === time && dayOf(clock) === (wantedDay ?? dayOf(first)),
  );
  if (timeSource?.variableId !== undefined && !isOffered) call.forget(timeSource.variableId);
}

/** "At ten" means the offered day. */
function offeredDay(
  call: Call,
  { offeredVariableId }: CalendarUse,
  time: string | undefined,
): string | undefined {
  const offered = offeredVariableId === undefined ? undefined : call.valueOf(offeredVariableId);
  if (!Array.isArray(offered)) return undefined;
  const found = (offered as readonly Json[]).find((one) => isClock(one) && timeOf(one) === time);
  return typeof found === 'string' ? dayOf(found) : undefined;
}

function sourceOf(
  call: Call,
  source: { readonly variableId?: string; readonly systemVariable?: string } | undefined,
): Json | undefined {
  const name = source?.variableId ?? source?.systemVariable;
  return name === undefined ? undefined : call.valueOf(name);
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The day in a variable, whether a collect step has stored it as a date or the caller's words stand there. */
function dayIn(text: string | undefined, todayIs: string | undefined): string | undefined {
  if (text === undefined || isDate(text)) return text;
  if (isClock(text)) return dayOf(text);
  const said = readAs('date', text, todayIs);
  return said !== undefined && isDate(said) ? said : undefined;
}

function timeIn(text: string | undefined): string | undefined {
  if (text === undefined || isTime(text)) return text;
  if (isClock(text)) return timeOf(text);
  const said = readAs('time', text, undefined);
  return said !== undefined && isTime(said) ? said : undefined;
}

function readAs(expects: 'date' | 'time', text: string, todayIs: string | undefined): string | undefined {
  const item = { variableId: expects, description: '', asked: true, expects };
  const value = valuesIn(text, [item], { today: todayIs }).values[expects];
  return typeof value === 'string' ? value : undefined;
}

/** The instant at which the call has arrived, in ISO 8601: when it started, and how long it takes. */
function now(call: Call): string {
  const startedAt = call.valueOf('system.callStartedAt');
  const moment = typeof startedAt === 'string' ? Date.parse(startedAt) : Number.NaN;
  return Number.isNaN(moment) ? '' : new Date(moment + call.seconds * 1_000).toISOString();
}

function today(call: Call): string | undefined {
  return now(call).slice(0, 'YYYY-MM-DD'.length) || undefined;
}
