import { nodesOf } from './exits.ts';
import type { Place } from './problem.ts';
import type { CalendarUse } from './schema/calendar.ts';
import type { Design } from './schema/design.ts';

/** A step or a hook node that uses a calendar, and the place of its block. */
export interface CalendarPlace {
  /** Of the step or the hook node. */
  readonly id: string;
  readonly use: CalendarUse;
  readonly place: Place;
}

/** Every use of a calendar in a design: by steps, and by nodes of both hooks. */
export function calendarUsesOf(design: Design): CalendarPlace[] {
  const ofSteps = Object.entries(design.steps).flatMap(([id, step]) =>
    step.kind === 'appointment' ? [{ id, use: step.calendar, place: ['steps', id, 'calendar'] }] : [],
  );
  const ofNodes = [...nodesOf(design)].flatMap(({ key, node: { calendar }, place }) =>
    calendar ? [{ id: key, use: calendar, place: [...place, 'calendar'] }] : [],
  );
  return [...ofSteps, ...ofNodes];
}

/** The members of a use that name the variable that they read. */
export const calendarSources = [
  'daySource',
  'timeSource',
  'nameSource',
  'phoneSource',
  'emailSource',
  'bookingSource',
] as const satisfies readonly (keyof CalendarUse)[];

/** The members of a use that name the variable that they set. */
export const calendarResults = [
  'offeredVariableId',
  'startVariableId',
  'bookingVariableId',
  'outcomeVariableId',
] as const satisfies readonly (keyof CalendarUse)[];

/** The variables that a use sets. On the offer of another day, the caller's day is one of them. */
export function variablesSetBy(use: CalendarUse): string[] {
  return calendarResults.flatMap((member) => use[member] ?? []);
}

/** True if the time that a caller wants can be taken. */
export function canBeTaken({ action }: Pick<CalendarUse, 'action'>): boolean {
  return action === 'book' || action === 'move';
}
