import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { Cuid, ref } from '../../src/operation/reference.ts';
import { ToolError } from '../../src/platform/errors.ts';
import { Moment, momentOf } from '../../src/resources/record/timestamp.ts';
import { recordKinds } from '../../src/resources/undo/history.ts';
import { inWords, type Lasting, type Undone, undoChanges as undo } from '../../src/resources/undo/undo.ts';

export const undoChanges = defineTool({
  name: 'undo_changes',
  title: 'Undo changes',
  description:
    'Puts versions, settings and records back to how they were at a time; says what stays and why. An undo can be undone. Without admin access: your own changes.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/undo', omits: ['summary'] },
  input: v.strictObject({
    projectId: ref('project'),
    since: v.pipe(Moment, v.description('Time with its zone.')),
    by: v.exactOptional(v.pipe(ref('key'), v.description('Whose changes; name or id.'))),
    preview: v.optional(v.pipe(v.boolean(), v.description('Changes nothing, returns token.')), false),
    token: v.exactOptional(
      v.pipe(v.string(), v.maxLength(100), v.description('Does only what that preview showed.')),
    ),
  }),
  output: v.strictObject({
    changes: v.pipe(v.number(), v.integer(), v.minValue(0)),
    undone: v.array(
      v.strictObject({
        kind: v.picklist(Object.values(recordKinds)),
        id: Cuid,
        name: v.string(),
        what: v.string(),
      }),
    ),
    stays: v.array(v.strictObject({ what: v.string(), reason: v.string() })),
    summary: v.exactOptional(v.array(v.string())),
    token: v.exactOptional(v.string()),
  }),
  access: 'draft',
  effect: { readOnly: false, destructive: true, idempotent: false, transaction: 'own' },
  errors: { 409: ['version_conflict'] },
  check: ({ since }) =>
    momentOf(since) === undefined
      ? [{ path: ['since'], message: 'Expected a time of the years 1970 to 9999.' }]
      : [],
  mcp: {
    openWorld: true,
    outputSchema: false,
    brief: ({ changes, undone, stays, token }) => ({
      changes,
      undone: shown((undone as Undone[]).map(inWords)),
      stays: shown((stays as Lasting[]).map(({ what, reason }) => `${what}: ${reason}`)),
      ...(token !== undefined && { token }),
    }),
  },
  async handler(context, { since, by, preview, token }) {
    const { stores, caller } = context;
    if (by !== undefined) found(await stores.keys.find(by), 'key', by);
    const isOwn = !caller.access.has('admin');
    if (isOwn && by !== undefined && by !== caller.keyId)
      throw new ToolError('forbidden', 'Undoing the changes of another key needs the access "admin".', {
        hint: 'Leave by out: the call then undoes the changes of this key.',
      });
    return undo(context, {
      since: new Date(Number(momentOf(since))),
      by: isOwn ? caller.keyId : by,
      isPreview: preview,
      token,
    });
  },
});

/** Lines of a list that MCP shows. */
const mostLines = 15;

function shown(lines: readonly string[]): string[] {
  const more = lines.length - mostLines;
  return more > 1 ? [...lines.slice(0, mostLines), `${more} more`] : [...lines];
}
