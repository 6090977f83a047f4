import { commandExitsOf, entriesOf, exitsOf, nodesOf, stepOf, targetsOf } from '../exits.ts';
import { type Place, type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `invalid_transition`: an entry, an exit or a target leads to an unknown step. */
export function* checkTransitions(design: Design): Generator<Problem> {
  const hint = `Add the step, or use one of these: ${someOf(Object.keys(design.steps))}.`;
  const hintFor = (stepId: string) =>
    Object.hasOwn(design.hooks?.after?.nodes ?? {}, stepId)
      ? `No step leads to a node of hooks.after. Name it in hooks.after.entryPoints, by the step at which the call ends.`
      : hint;
  const missing = (stepId: string, place: Place) =>
    problem('invalid_transition', place, `There is no step ${someOf([stepId])}.`, hintFor(stepId));
  for (const { stepId, place } of entriesOf(design))
    if (!stepOf(design, stepId)) yield missing(stepId, place);
  for (const [from, step] of Object.entries(design.steps))
    for (const { stepId, place } of exitsOf(from, step))
      if (!stepOf(design, stepId)) yield missing(stepId, place);
  for (const { stepId, place } of commandExitsOf(design))
    if (!stepOf(design, stepId)) yield missing(stepId, place);
  for (const { node, place: at } of nodesOf(design))
    for (const { target, place } of targetsOf(node, at))
      if (target.step !== undefined && !stepOf(design, target.step))
        yield missing(target.step, [...place, 'step']);
}
