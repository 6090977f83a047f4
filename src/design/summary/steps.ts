import { commandExitsOf, entriesOf, exitsOf, nodesOf, stepOf, targetsOf } from '../exits.ts';
import type { Design, Step } from '../schema/design.ts';
import { isList, isObject, isSame, type Members } from '../value.ts';
import { memberLines, quoted, type Way, wayLines } from './wording.ts';

/** Lines for the removed steps, then the added ones, then the changed ones. */
export function stepLines(from: Design, to: Design): string[] {
  const removed = Object.keys(from.steps).filter((stepId) => !stepOf(to, stepId));
  const added = Object.entries(to.steps).filter(([stepId]) => !stepOf(from, stepId));
  // Counting takes a third of a summary, and most edits neither add nor remove a step.
  const waysBefore = removed.length > 0 ? wayCounts(from) : new Map<string, number>();
  const waysNow = added.length > 0 ? wayCounts(to) : new Map<string, number>();
  return [
    ...removed.map((stepId) => {
      const count = waysBefore.get(stepId) ?? 0;
      const pointed = count === 0 ? '' : `; ${count === 1 ? '1 exit' : `${count} exits`} pointed to it`;
      return `step ${quoted(stepId)} removed${pointed}`;
    }),
    ...added.map(([stepId, { kind }]) => {
      const count = waysNow.get(stepId) ?? 0;
      const point = count === 1 ? '1 exit points' : `${count === 0 ? 'no' : count} exits point`;
      return `step ${quoted(stepId)} (${kind}) added; ${point} to it`;
    }),
    ...Object.entries(to.steps).flatMap(([stepId, step]) => {
      const before = stepOf(from, stepId);
      return before && !isSame(before, step) ? changedStepLines(stepId, before, step) : [];
    }),
  ];
}

/** The number of entries, hook nodes and other steps' exits that lead to each step. */
function wayCounts(design: Design): Map<string, number> {
  const exits = Object.entries(design.steps).flatMap(([stepId, step]) =>
    exitsOf(stepId, step).filter((exit) => exit.stepId !== stepId),
  );
  const counts = new Map<string, number>();
  const ofNodes = [...nodesOf(design)].flatMap(({ node, place }) =>
    targetsOf(node, place).flatMap(({ target: { step } }) =>
      typeof step === 'string' ? [{ stepId: step }] : [],
    ),
  );
  for (const { stepId } of [...entriesOf(design), ...commandExitsOf(design), ...ofNodes, ...exits])
    counts.set(stepId, (counts.get(stepId) ?? 0) + 1);
  return counts;
}

function changedStepLines(stepId: string, before: Step, now: Step): string[] {
  const owner = `step ${quoted(stepId)}`;
  return [
    ...(before.kind === now.kind ? [] : [`${owner}: ${before.kind} became ${now.kind}`]),
    ...memberLines(owner, withoutExits(before), withoutExits(now)),
    ...wayLines(quoted(stepId), waysOf(before), waysOf(now)),
  ];
}

function waysOf(step: Step): Way[] {
  return exitsOf('', step).map(({ place, label, stepId }) => ({
    key: `${place[2]} ${label}`,
    label,
    to: quoted(stepId),
  }));
}

/** A step without its kind and its exits, which have their own lines. */
function withoutExits({ kind: _, ...step }: Step): Members {
  const { on: __, options, ...members } = step as Members;
  if (!isList(options)) return members;
  const titles = options.map((option) => {
    const { target: ___, ...rest } = isObject(option) ? option : {};
    return rest;
  });
  return { ...members, options: titles };
}
