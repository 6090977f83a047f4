import { changesBetween } from '../../design/changes.ts';
import { foundAgain } from '../../design/check.ts';
import { stepOf } from '../../design/exits.ts';
import type { Facts } from '../../design/facts.ts';
import type { Problem } from '../../design/problem.ts';
import { Design, type Step } from '../../design/schema/design.ts';
import { checkShape } from '../../operation/input.ts';

/** The warnings about a written version: those that concern the change, and how many others the version before had, too. */
export interface Warnings {
  readonly warnings: readonly Problem[];
  readonly earlierWarnings: number;
}

/**
 * Leaves out the warnings that the version before had, too, unless the change touches their places: who edits a step learns
 * whether its warning is gone.
 */
export function newWarnings(design: Design, warnings: readonly Problem[], facts: Facts): Warnings {
  const { base } = facts;
  if (!base) return { warnings, earlierWarnings: 0 };
  const changed = changesBetween(base, design, Number.POSITIVE_INFINITY).map(({ path }) => path);
  const isTouched = ({ path }: Problem) =>
    changed.some((place) => isWithin(path, place) || isWithin(place, path));
  // An imported version may have another form, and then nothing is known about it.
  const untouched = warnings.filter((one) => !isTouched(one));
  if (untouched.length === 0 || checkShape(Design, unchecked(base, design)).problems.length > 0)
    return { warnings, earlierWarnings: 0 };
  const before = new Set(foundAgain(untouched, base, { ...facts, base }).map(identity));
  const shown = warnings.filter((one) => isTouched(one) || !before.has(identity(one)));
  return { warnings: shown, earlierWarnings: warnings.length - shown.length };
}

/**
 * A version without the steps that it shares with a design whose form is valid. Checking the form of the rest takes a fourth of
 * the time, for an edit of one step among 20.
 */
function unchecked(base: Design, valid: Design): Design {
  const isShared = ([stepId, step]: [string, Step]) => stepOf(valid, stepId) === step;
  return { ...base, steps: Object.fromEntries(Object.entries(base.steps).filter((one) => !isShared(one))) };
}

function identity({ path, message }: Problem): string {
  return `${path} ${message}`;
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
