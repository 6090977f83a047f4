import { isDate, isYearlyDate } from '../../platform/calendar.ts';
import { calendarWords } from '../calendar-words.ts';
import { nodesOf } from '../exits.ts';
import type { Facts } from '../facts.ts';
import { canBeMet, deciderOf, isAt, momentsOf } from '../moments.ts';
import { type Place, type Problem, problem, shortName, warning } from '../problem.ts';
import { callsOf } from '../proof/call.ts';
import { distances } from '../proof/search.ts';
import { worldsOf } from '../proof/worlds.ts';
import type { CalendarDate } from '../schema/calendar-date.ts';
import type { Design } from '../schema/design.ts';

/**
 * `design_invalid`: a condition that no call can meet, because a date does not exist or nothing is in the range. Warns about a
 * branch that no call takes, because an earlier one always holds when it does.
 */
export function* checkCalendarDates(
  design: Design,
  { hasOpeningHours }: Pick<Facts, 'hasOpeningHours'>,
): Generator<Problem> {
  let isPossible = true;
  let isUsed = false;
  for (const { node, place } of nodesOf(design)) {
    const branches = (node.condition?.branches ?? []).flatMap((branch, index) =>
      'calendarDate' in branch
        ? [{ ...branch, at: [...place, 'condition', 'branches', index, 'calendarDate'] }]
        : [],
    );
    if (branches.length === 0) continue;
    isUsed = true;
    const problems = branches.flatMap(({ calendarDate, at }) => problemsOf(calendarDate, at));
    yield* problems;
    isPossible &&= problems.length === 0;
    if (problems.length === 0) yield* hiddenBranches(branches);
    for (const { calendarDate, at } of hasOpeningHours ? [] : branches)
      if (calendarDate.openingHours !== undefined) yield withoutHours([...at, 'openingHours']);
  }
  if (isUsed && isPossible) yield* contradictions(design);
}

function withoutHours(place: Place): Problem {
  return warning(
    place,
    'The project has no opening hours, so that it is always open.',
    'update_project {"openingHours": {"monday": [{"from": "09:00", "to": "17:00"}]}} sets them, and timeZone.',
  );
}

/** Warns about places to which only calls lead that would have begun at two moments. */
function* contradictions(design: Design): Generator<Problem> {
  const calls = callsOf(design);
  const worlds = worldsOf(design, calls);
  if (worlds.length === 1) return;
  const reached = new Set(worlds.flatMap((world) => [...distances(world.calls).keys()]));
  for (const index of distances(calls).keys()) {
    const place = calls.places[index];
    if (!place || reached.has(index)) continue;
    yield warning(
      place.at === 'step' ? ['steps', place.id] : ['hooks', place.at, 'nodes', place.id],
      'No call gets here: the calendar dates on the way never hold together.',
      'Change a calendarDate before this place, or lead another way here.',
    );
  }
}

const dateHint = 'Write it as 2026-12-24, or as 12-24 for each year.';

function problemsOf(condition: CalendarDate, at: Place): Problem[] {
  const { on = [], from, to, between } = condition;
  const invalid = (place: Place, message: string, hint: string) =>
    problem('design_invalid', [...at, ...place], message, hint);
  const dates: [Place, string][] = [
    ...on.map((date, index): [Place, string] => [['on', index], date]),
    ...(from === undefined ? [] : [[['from'], from] satisfies [Place, string]]),
    ...(to === undefined ? [] : [[['to'], to] satisfies [Place, string]]),
  ];
  const problems = dates.flatMap(([place, date]) =>
    isDate(date) || isYearlyDate(date)
      ? []
      : [invalid(place, `There is no ${date} in the calendar.`, dateHint)],
  );
  if (Object.keys(condition).length === 0)
    problems.push(
      invalid([], 'This condition says nothing.', 'Add on, from and to, weekdays, between or openingHours.'),
    );
  if (from === undefined || to === undefined) {
    if ((from ?? to)?.length === 'MM-DD'.length)
      problems.push(
        invalid(
          [from === undefined ? 'to' : 'from'],
          'A range of each year needs both from and to.',
          'Add the other one, or write the year.',
        ),
      );
  } else if (from.length !== to.length)
    problems.push(
      invalid(['to'], 'Only one of from and to has a year.', 'Write both with the year, or both without it.'),
    );
  else if (from.length > 'MM-DD'.length && to < from)
    problems.push(invalid(['to'], `No day is from ${from} to ${to}.`, 'Write the earlier one as from.'));
  if (between?.[0] === '24:00' || (between && between[0] === between[1]))
    problems.push(
      invalid(
        ['between'],
        `No time is from ${between.join(' to ')}.`,
        'Write an earlier and a later time, such as ["09:00", "17:00"]; ["22:00", "06:00"] goes over midnight.',
      ),
    );
  if (problems.length === 0 && !canBeMet(deciderOf(condition)))
    problems.push(
      invalid(
        [],
        `No day of the years 2000 to 2099 is ${calendarWords(condition)}.`,
        'Remove a part of the condition, or correct a date.',
      ),
    );
  return problems;
}

/** Moments of one node that are looked at. */
const mostMoments = 512;

/** The branches that no call takes. */
function* hiddenBranches(
  branches: readonly { readonly id: string; readonly calendarDate: CalendarDate; readonly at: Place }[],
): Generator<Problem> {
  const conditions = branches.map(({ calendarDate }) => calendarDate);
  const { moments, isComplete } = momentsOf(conditions.map(deciderOf), mostMoments);
  if (!isComplete) return;
  const taken = new Set(moments.map((moment) => conditions.findIndex((one) => isAt(one, moment))));
  for (const [index, { id, calendarDate, at }] of branches.entries())
    if (!taken.has(index))
      yield warning(
        at,
        `No call takes the branch ${shortName(id)}: whenever it is ${calendarWords(calendarDate)}, an earlier branch holds.`,
        'Move it up, or remove it.',
      );
}
