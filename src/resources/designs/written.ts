import type * as v from 'valibot';
import { changesBetween } from '../../design/changes.ts';
import type { Problem } from '../../design/problem.ts';
import type { Design } from '../../design/schema/design.ts';
import { summaryOf } from '../../design/summary/summary.ts';
import { shortenList } from '../record/shorten-list.ts';
import type { Prepared } from './prepare.ts';
import type { DesignWarning } from './schema.ts';
import { exposedDesign } from './stored-design.ts';

/** Characters of JSON. Who needs more calls diff_designs or validate_design. */
const maximumSummary = 8_000;
const maximumWarnings = 12_000;

/** What a write tells its caller: what it changed in `base`, and what may be wrong with the result. */
export function reportOf(base: Design, { design: stored, warnings, earlierWarnings }: Prepared) {
  const lines = changeLines(base, stored);
  const summary = lines.length > 0 ? shortSummary(lines, maximumSummary) : ['nothing changed'];
  return { summary, warnings: brief(warnings), ...(earlierWarnings > 0 && { earlierWarnings }) };
}

/** The first warnings, without the members that are the same in all of them. */
export function brief(warnings: readonly Problem[]): v.InferOutput<typeof DesignWarning>[] {
  return shortenList(
    warnings.map(({ path, message, hint }) => ({ path, message, hint })),
    maximumWarnings,
  );
}

/** An imported base may have steps of kinds that have no words. */
function changeLines(base: Design, stored: Design): string[] {
  if (exposedDesign(base) !== null) return summaryOf(base, stored);
  return changesBetween(base, stored).map(({ path, change }) => `${path} ${change}`);
}

/** The first lines, and how many more there are. */
export function shortSummary(lines: readonly string[], maximum: number): string[] {
  const fit = shortenList(lines, maximum);
  return fit.length === lines.length ? fit : [...fit, `and ${lines.length - fit.length} more`];
}
