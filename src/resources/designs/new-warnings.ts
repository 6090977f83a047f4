import { changesBetween } from '../../design/changes.ts';
import { foundAgain } from '../../design/check.ts';
import type { Facts } from '../../design/facts.ts';
import type { Problem } from '../../design/problem.ts';
import { Design } from '../../design/schema/design.ts';
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
  if (untouched.length === 0 || checkShape(Design, base).problems.length > 0)
    return { warnings, earlierWarnings: 0 };
  const before = new Set(foundAgain(untouched, base, { ...facts, base }).map(identity));
  const shown = warnings.filter((one) => isTouched(one) || !before.has(identity(one)));
  return { warnings: shown, earlierWarnings: warnings.length - shown.length };
}

function identity({ path, message }: Problem): string {
  return `${path} ${message}`;
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
