import * as v from 'valibot';
import { Id, Text } from './values.ts';
import { VariableReference } from './variable-reference.ts';

const optional = v.exactOptional;

export const calendarActions = ['freeTimes', 'book', 'move', 'cancel'] as const;

/** A time of day, and one at which something may end. */
const Start = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Expected a time such as 09:00.'));
const End = v.pipe(
  v.string(),
  v.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Expected a time such as 17:00.'),
);

const Times = optional(v.pipe(v.array(v.strictObject({ from: Start, to: End })), v.maxLength(10)));

/** As the opening hours of a project: a day that is left out is closed, and what ends before it begins ends on the next day. */
const Hours = v.strictObject({
  monday: Times,
  tuesday: Times,
  wednesday: Times,
  thursday: Times,
  friday: Times,
  saturday: Times,
  sunday: Times,
});

const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

const said = (what: string) => optional(v.pipe(VariableReference, v.description(what)));
const stores = (what: string) => optional(v.pipe(Id, v.description(what)));

/** What a step or a hook node does with a calendar, but not where the call goes next. */
export const calendarUse = {
  integrationRef: v.pipe(Id, v.description('The id of an entry of integrations of kind calendar.')),
  action: v.picklist(calendarActions),
  durationMinutes: optional(v.pipe(whole(5, 720), v.description('Of the appointment. Default 30.'))),
  hours: optional(
    v.pipe(
      Hours,
      v.description(
        'When appointments can be. Default: the opening hours of the project, or Monday to Friday from 09:00 to 17:00.',
      ),
    ),
  ),
  daysAhead: optional(
    v.pipe(whole(1, 60), v.description('Days in which it looks for a free time. Default 14.')),
  ),
  offers: optional(
    v.pipe(whole(1, 10), v.description('Free times that it offers, all on one day. Default 3.')),
  ),
  daySource: said('The day that the caller wants.'),
  timeSource: said('The time that the caller wants.'),
  nameSource: said('Whose appointment it is.'),
  phoneSource: said('The number of the caller, by which move and cancel find the appointment.'),
  emailSource: said('Cal.com confirms to this address.'),
  bookingSource: said(
    'The reference of the appointment to move or cancel. Without it, phoneSource finds the next one.',
  ),
  title: optional(
    v.pipe(Text, v.description('What the calendar shows, such as Cleaning for {{callerName}}.')),
  ),
  offeredVariableId: stores('Stores the free times: {{offered}} says them.'),
  startVariableId: stores('Stores when the appointment is.'),
  bookingVariableId: stores('Stores the reference of the appointment.'),
  outcomeVariableId: stores(
    'Stores what came of it: free, booked, moved, cancelled, taken, none, unknown or failed.',
  ),
} as const;

const CalendarUse = v.strictObject(calendarUse);
export type CalendarUse = v.InferOutput<typeof CalendarUse>;
