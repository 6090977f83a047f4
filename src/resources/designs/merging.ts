import { type Conflict, mergeDesigns } from '../../design/merge.ts';
import { Design } from '../../design/schema/design.ts';
import { valueAt } from '../../design/value.ts';
import { jsonPointer } from '../../errors.ts';
import { checkValue } from '../../tool/input.ts';
import { fitting } from '../fitting.ts';
import { readableDesign } from './exposed.ts';
import { type Newest, versionConflict } from './newest.ts';

/** What the conflicts after the first may come to in an answer, in characters: a host has to take it. */
const maximumLength = 30_000;

/**
 * A change of an older version, merged with what was written since.
 * @throws ToolError `version_conflict` that names every field which both changed, with all three values.
 */
export function mergedDesign(baseVersion: number, old: Design, newest: Newest, yours: Design): Design {
  const theirs = readableDesign(newest.base);
  const { merged, conflicts } = mergeDesigns(old, theirs, yours);
  const found = conflicts.length > 0 ? conflicts : shapeConflicts(merged, { old, theirs, yours });
  const [first, ...more] = found;
  if (!first) return merged as Design;
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  throw versionConflict(
    { baseVersion, old, newest },
    `Version ${newest.newestVersion} and this change differ at ${first.path}${others}.`,
    `Nothing was written. Decide on each field of details.conflicts, then call edit_design with n ${newest.newestVersion} and your choice.`,
    { conflicts: [first, ...fitting(more, maximumLength)] },
  );
}

/** Two changes that are right each and wrong together, such as both taking one of the last two options. */
function shapeConflicts(
  merged: unknown,
  { old, theirs, yours }: { old: Design; theirs: Design; yours: Design },
): Conflict[] {
  return checkValue(Design, merged).problems.map(({ path }) => {
    const [base, newest, mine] = [old, theirs, yours].map((design) => valueAt(design, path) ?? null);
    return { path: jsonPointer(path), base, theirs: newest, yours: mine };
  });
}
