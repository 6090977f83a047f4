import { type Conflict, mergeDesigns } from '../../design/merge.ts';
import { Design } from '../../design/schema/design.ts';
import { valueAt } from '../../design/value.ts';
import { checkValue } from '../../operation/input.ts';
import { callText, jsonPointer } from '../../platform/errors.ts';
import { shortenList } from '../record/shorten-list.ts';
import { conflictFacts, type NewestVersion, versionConflict } from './newest-version.ts';
import { requireExposed } from './stored-design.ts';

/** Characters of JSON that all conflicts after the first may take, so that MCP hosts accept the response. */
const maximumLength = 30_000;

/** A version that an edit starts from. */
export interface BaseVersion {
  readonly conversationId: string;
  readonly version: number;
  readonly design: Design;
}

/**
 * Merges an edit of an older version with what was written since.
 * @param yours the older version with the edit made.
 * @throws ToolError `version_conflict` with every field that both sides changed, in all three versions.
 */
export function mergeWithNewest(
  { conversationId, version, design: base }: BaseVersion,
  newest: NewestVersion,
  yours: Design,
): Design {
  const theirs = requireExposed(newest.design, conversationId);
  const { merged, conflicts } = mergeDesigns(base, theirs, yours);
  const found = conflicts.length > 0 ? conflicts : shapeConflicts(merged, { base, theirs, yours });
  const [first, ...more] = found;
  if (!first) return merged as Design;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  throw versionConflict(
    conflictFacts(version, base, newest),
    `This change conflicts with version ${newest.newestVersion} at ${first.path}${others}.`,
    `Nothing was written. Decide on each field in details.conflicts, then call ${callText('edit_design', { conversationId, version: newest.newestVersion })} with your choice as merge.`,
    { conflicts: [first, ...shortenList(more, maximumLength)] },
  );
}

/** Two edits may each be valid and break the schema together: both remove one of the last two options, say. */
function shapeConflicts(
  merged: unknown,
  versions: { base: Design; theirs: Design; yours: Design },
): Conflict[] {
  return checkValue(Design, merged).problems.map(({ path }) => {
    const at = (design: Design) => valueAt(design, path) ?? null;
    const { base, theirs, yours } = versions;
    return { path: jsonPointer(path), base: at(base), theirs: at(theirs), yours: at(yours) };
  });
}
