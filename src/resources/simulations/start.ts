import type { SystemValues } from '../../calls/call-state.ts';
import { momentValues } from '../../calls/moments.ts';
import { usualMoment } from '../../design/moments.ts';
import { isDate, weekdayOf } from '../../platform/calendar.ts';
import { localTimeAt, momentAt } from '../../platform/local-time.ts';
import { isOpenAt, type ProjectTime } from '../project-time/opening-hours.ts';
import { momentOf } from '../record/timestamp.ts';

/** What the caller of a simulation says about its moment. */
export interface GivenStart {
  readonly now?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The system variables about the moment at which a simulated call begins. `variables` replace what follows from `now`: the
 * date, the time, and whether the project is open. A call of which neither says anything begins at the usual moment in the
 * project's zone, while the project is open.
 */
export function simulatedStart({ now, variables = {} }: GivenStart, time: ProjectTime): SystemValues {
  const { callDate, callTime, isOpen } = variables;
  const given = now === undefined ? undefined : momentOf(now);
  const base = given === undefined ? usualMoment : localTimeAt(new Date(given), time.timeZone);
  const local = {
    date: typeof callDate === 'string' ? callDate : base.date,
    time: typeof callTime === 'string' ? callTime : base.time,
  };
  const isMoved = local.date !== base.date || local.time !== base.time;
  const isUsual = given === undefined && !isMoved;
  const moment = given === undefined || isMoved ? momentAt(local, time.timeZone) : new Date(given);
  return {
    callStartedAt: moment.toISOString(),
    ...momentValues({
      ...local,
      isOpen: typeof isOpen === 'string' ? isOpen === 'yes' : isUsual || isOpenAt(time, local),
    }),
  };
}

/** What is wrong with given variables about the moment, by their names. */
export function startIssues({
  variables = {},
}: GivenStart): { readonly name: string; readonly message: string }[] {
  const { callDate, callTime, callWeekday, isOpen } = variables;
  const date = typeof callDate === 'string' && isDate(callDate) ? callDate : undefined;
  const issues: { name: string; message: string }[] = [];
  if (callDate !== undefined && date === undefined)
    issues.push({ name: 'callDate', message: 'Expected a date that exists, such as 2026-12-24.' });
  if (callTime !== undefined && !(typeof callTime === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(callTime)))
    issues.push({ name: 'callTime', message: 'Expected a time from 00:00 to 23:59, such as 09:30.' });
  if (isOpen !== undefined && isOpen !== 'yes' && isOpen !== 'no')
    issues.push({ name: 'isOpen', message: 'Expected "yes" or "no".' });
  if (callWeekday !== undefined && (date === undefined || callWeekday !== weekdayOf(date)))
    issues.push({
      name: 'callWeekday',
      message: `The weekday follows from callDate${date === undefined ? '' : `: ${date} is a ${weekdayOf(date)}`}.`,
    });
  return issues;
}
