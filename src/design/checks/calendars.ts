import { calendarUsesOf, canBeTaken } from '../calendars.ts';
import { nodesOf } from '../exits.ts';
import { type Place, type Problem, problem, warning } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `design_invalid`: hours without any time. */
export function* checkCalendarHours(design: Design): Generator<Problem> {
  for (const { use, place } of calendarUsesOf(design)) {
    if (use.hours === undefined) continue;
    if (Object.values(use.hours).every((times) => times === undefined || times.length === 0))
      yield problem(
        'design_invalid',
        [...place, 'hours'],
        'These hours have no time.',
        'Add times, or remove hours.',
      );
    for (const [day, times = []] of Object.entries(use.hours))
      for (const [index, { from, to }] of times.entries())
        if (from === to)
          yield problem(
            'design_invalid',
            [...place, 'hours', day, index],
            `These hours begin and end at ${from}.`,
            '00:00 to 24:00 is the whole day, and a closed day has no times.',
          );
  }
}

/** Warns about uses of a calendar that lack what they need, and about ways that cannot be taken. */
export function* checkCalendarUses(design: Design): Generator<Problem> {
  for (const { use, place } of calendarUsesOf(design)) {
    const { action, timeSource, daySource, bookingSource, phoneSource } = use;
    if (canBeTaken(use) && timeSource === undefined)
      yield warning(
        place,
        `${action} has no timeSource, so it never knows when.`,
        'Add daySource and timeSource.',
      );
    else if (canBeTaken(use) && daySource === undefined && use.offeredVariableId === undefined)
      yield warning(place, `${action} has no daySource, so it never knows which day.`, 'Add daySource.');
    if (
      (action === 'move' || action === 'cancel') &&
      bookingSource === undefined &&
      phoneSource === undefined
    )
      yield warning(
        place,
        `${action} does not know which appointment.`,
        'Add bookingSource, or phoneSource to find the next appointment of the caller.',
      );
  }
  for (const [id, step] of Object.entries(design.steps))
    if (step.kind === 'appointment' && step.on.taken !== undefined && !canBeTaken(step.calendar))
      yield unused(['steps', id, 'on', 'taken'], step.calendar.action);
  for (const { phase, node, place } of nodesOf(design)) {
    const { calendar } = node;
    if (!calendar) continue;
    if (calendar.onTaken !== undefined && !canBeTaken(calendar))
      yield unused([...place, 'calendar', 'onTaken'], calendar.action);
    if (phase === 'after' || !canBeTaken(calendar)) continue;
    if (calendar.onTaken === undefined || calendar.onNone === undefined)
      yield warning(
        [...place, 'calendar'],
        `${calendar.action} goes on as if it had succeeded if the time is taken or the calendar fails.`,
        'Add onTaken and onNone.',
      );
  }
}

function unused(place: Place, action: string): Problem {
  return warning(place, `${action} takes no time, so this way is never taken.`, 'Remove it.');
}
