import { nodesOf } from '../design/exits.ts';
import {
  type CallMoment,
  type Decider,
  dateOf,
  deciderOf,
  momentsOf,
  usualMoment,
  weekdayNameOf,
} from '../design/moments.ts';
import type { Design, HookNode, HookPhase } from '../design/schema/design.ts';
import { plainName, type SystemVariableName } from '../design/system-variables.ts';
import { variableIdsOf } from '../design/variables.ts';
import { weekdayOf } from '../platform/calendar.ts';
import type { SystemValues } from './call-state.ts';
import { holds } from './conditions.ts';

/** What the moment of a call decides, by the name of the system variable. */
export const momentVariables = [
  'callDate',
  'callTime',
  'callWeekday',
  'isOpen',
] as const satisfies readonly SystemVariableName[];
type MomentVariable = (typeof momentVariables)[number];

/** Kinds of moments at which calls start that a search tells apart. */
const mostMoments = 64;

/** The system variables of a call that began at a moment. */
export function momentValues({
  date,
  time,
  isOpen,
}: CallMoment): SystemValues & Record<MomentVariable, string> {
  return { callDate: date, callTime: time, callWeekday: weekdayOf(date), isOpen: isOpen ? 'yes' : 'no' };
}

/** The moments that conditions of a design tell apart; the first is the usual one. */
export function momentsToldApart(design: Design): {
  readonly moments: readonly CallMoment[];
  readonly isComplete: boolean;
} {
  const deciders = [...nodesOf(design)].flatMap(({ node }) => decidersOf(design, node));
  return deciders.length === 0
    ? { moments: [usualMoment], isComplete: true }
    : momentsOf(deciders, mostMoments);
}

/** True if a condition in this hook depends on the moment of the call. */
export function looksAtMoment(design: Design, phase: HookPhase): boolean {
  return [...nodesOf(design)].some((one) => one.phase === phase && decidersOf(design, one.node).length > 0);
}

/** The variable of the moment that a condition reads by this name; undefined for any other, or if the design can set it. */
export function momentVariable(design: Design, name: string): MomentVariable | undefined {
  if (variableIdsOf(design).has(name)) return undefined;
  return momentVariables.find((one) => one === plainName(name));
}

function decidersOf(design: Design, { condition }: HookNode): Decider[] {
  return (condition?.branches ?? []).flatMap((branch) => {
    if ('calendarDate' in branch) return [deciderOf(branch.calendarDate)];
    const { variableId, systemVariable = '' } = branch.predicate.variable;
    const variable = momentVariable(design, variableId ?? systemVariable);
    return variable ? [deciders[variable]((value) => holds(branch.predicate, value))] : [];
  });
}

const deciders: Readonly<Record<MomentVariable, (holdsFor: (value: string) => boolean) => Decider>> = {
  callDate: (holdsFor) => ({ day: (day) => holdsFor(dateOf(day)) }),
  callWeekday: (holdsFor) => ({ day: (day) => holdsFor(weekdayNameOf(day)) }),
  callTime: (holdsFor) => ({ time: holdsFor }),
  isOpen: (holdsFor) => ({ open: (isOpen) => holdsFor(isOpen ? 'yes' : 'no') }),
};

/** What is unusual about a moment, in words; empty for the usual one. */
export function unusualMoment({ date, time, isOpen }: CallMoment): string {
  return [
    ...(date === usualMoment.date ? [] : [`on ${date}, a ${weekdayOf(date)}`]),
    ...(time === usualMoment.time ? [] : [`at ${time}`]),
    ...(isOpen ? [] : ['while closed']),
  ].join(', ');
}
