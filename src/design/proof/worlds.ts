import { nodesOf } from '../exits.ts';
import { type CallMoment, deciderOf, isAt, momentsOf } from '../moments.ts';
import type { CalendarDate } from '../schema/calendar-date.ts';
import type { Design, HookNode } from '../schema/design.ts';
import type { Calls } from './call.ts';
import type { Violation } from './violations.ts';

/** The calls that begin at one kind of moment: all calendar conditions of the design are decided. */
export interface World {
  readonly calls: Calls;
  /** Undefined if the design has no calendar conditions, or too many to look at each kind of moment. */
  readonly moment: CallMoment | undefined;
}

/** Kinds of moments that are looked at one by one. */
const mostWorlds = 64;

/**
 * The calls of a design by the moment at which they begin. The moment never changes during a call, so a call
 * that takes the branch of 24 December at one node takes that of no other day at the next one. With too many kinds of moments there is
 * one world, in which a calendar condition may take any branch, like any other condition.
 */
export function worldsOf(design: Design, calls: Calls): World[] {
  const conditions = conditionsOf(design);
  const { moments, isComplete } =
    conditions.length === 0
      ? { moments: [], isComplete: false }
      : momentsOf(conditions.map(deciderOf), mostWorlds);
  if (!isComplete) return [{ calls, moment: undefined }];
  return moments.map((moment) => ({ calls: callsAt(calls, moment), moment }));
}

/** The different calendar conditions of a design. */
function conditionsOf(design: Design): CalendarDate[] {
  const conditions = new Map<string, CalendarDate>();
  for (const { node } of nodesOf(design))
    for (const branch of node.condition?.branches ?? [])
      if ('calendarDate' in branch) conditions.set(JSON.stringify(branch.calendarDate), branch.calendarDate);
  return [...conditions.values()];
}

/** The calls that begin at a moment. */
function callsAt(calls: Calls, moment: CallMoment): Calls {
  return {
    ...calls,
    moves: calls.moves.map((moves, index) => {
      const place = calls.places[index];
      if (!place || place.at === 'step') return moves;
      const possible = possibleBranches(place.node, moment);
      return possible ? moves.filter(({ branch }) => branch === undefined || possible.has(branch)) : moves;
    }),
  };
}

/** The branches of a node that calls may take which begin at a moment; undefined if it has no condition. */
function possibleBranches({ condition }: HookNode, moment: CallMoment): ReadonlySet<number> | undefined {
  if (!condition) return undefined;
  const possible = new Set<number>();
  for (const [index, branch] of condition.branches.entries()) {
    const isCalendar = 'calendarDate' in branch;
    if (isCalendar && !isAt(branch.calendarDate, moment)) continue;
    possible.add(index);
    if (isCalendar) return possible;
  }
  return possible.add(condition.branches.length);
}

/** The shortest violation in any world, with the world; of equal ones, the first. */
export function shortestIn(
  worlds: readonly World[],
  find: (calls: Calls) => Violation | undefined,
): { readonly violation: Violation; readonly world: World } | undefined {
  let shortest: { violation: Violation; world: World } | undefined;
  for (const world of worlds) {
    const violation = find(world.calls);
    if (violation && (!shortest || violation.path.length < shortest.violation.path.length))
      shortest = { violation, world };
  }
  return shortest;
}
