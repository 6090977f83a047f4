import { patchBetween } from '../../design/diff.ts';
import { mergeValues } from '../../design/merge.ts';
import { callText, type ToolError } from '../../platform/errors.ts';
import { versionConflict } from '../designs/newest-version.ts';
import { shortenList } from '../record/shorten-list.ts';
import type { FlowVersion } from './version-store.ts';

const mostChanges = 100;
/** Characters of JSON that all conflicts may take, so that MCP hosts accept the response. */
const longestConflicts = 30_000;

const kindOfChange = { add: 'added', remove: 'removed', replace: 'changed', move: 'changed' } as const;

/** The places at which two configurations differ. */
export function changesIn(from: unknown, to: unknown) {
  return patchBetween(from, to)
    .slice(0, mostChanges)
    .map(({ op, path }) => ({ path, change: kindOfChange[op] }));
}

/** 409 `version_conflict` for an edit of an older version, with what has changed since. */
export function oldVersion(base: FlowVersion, newest: FlowVersion): ToolError {
  return versionConflict(
    factsOf(base, newest),
    `The newest version is ${newest.version}, not ${base.version}.`,
    `Call again with version ${newest.version}, or with onConflict merge to keep both changes.`,
  );
}

/**
 * Merges an edit of an older version with what was written since.
 * @throws ToolError `version_conflict` with every field that both sides changed
 */
export function mergeWithNewest(base: FlowVersion, newest: FlowVersion, yours: unknown): unknown {
  const { merged, conflicts } = mergeValues(base.flowSchema, newest.flowSchema, yours);
  const [first, ...more] = conflicts;
  if (!first) return merged;
  throw versionConflict(
    factsOf(base, newest),
    `This change conflicts with version ${newest.version} at ${first.path}.`,
    `Nothing was written. Decide on each field in details.conflicts, then call ${callText('edit_flow', { flowId: newest.flowId, version: newest.version })} with your choice as merge.`,
    { conflicts: [first, ...shortenList(more, longestConflicts)] },
  );
}

function factsOf(base: FlowVersion, newest: FlowVersion) {
  return {
    version: base.version,
    newestVersion: newest.version,
    changes: changesIn(base.flowSchema, newest.flowSchema),
  };
}
