import * as v from 'valibot';
import { Cursor, NextCursor, ShortLimit } from '../../src/resources/page.ts';
import { Moment, momentOf, Timestamp } from '../../src/resources/timestamp.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { Cuid, ref } from '../../src/tool/reference.ts';

const Change = v.strictObject({
  id: Cuid,
  at: Timestamp,
  keyId: Cuid,
  keyName: v.string(),
  operation: v.string(),
  resourceId: v.nullable(v.string()),
  resourceName: v.nullable(v.string()),
  summary: v.nullable(v.string()),
});

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'Lists who changed what and when, newest first; for an operation such as activate_flow_version, what was live when. Without admin access: your own changes.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/changes' },
  input: v.strictObject({
    projectId: ref('project'),
    from: v.exactOptional(v.pipe(Moment, v.description('Start, like 2026-01-31T00:00:00Z.'))),
    to: v.exactOptional(v.pipe(Moment, v.description('End, left out.'))),
    keyId: v.exactOptional(ref('key')),
    operation: v.exactOptional(
      v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/), v.description('Name of a tool.')),
    ),
    resource: v.exactOptional(v.pipe(v.string(), v.maxLength(100), v.description('Id of what changed.'))),
    limit: ShortLimit,
    cursor: Cursor,
  }),
  output: v.strictObject({ changes: v.array(Change), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  check: (ends) =>
    (['from', 'to'] as const)
      .filter((name) => ends[name] !== undefined && dateOf(ends[name]) === undefined)
      .map((name) => ({ path: [name], message: 'Expected a time of the years 1970 to 9999.' })),
  mcp: { outputSchema: false, pages: { items: 'changes', cursor: 'id' } },
  async handler({ stores, caller }, { projectId: _, keyId, from, to, limit, cursor, ...filter }) {
    const isOwn = !caller.access.has('admin');
    if (keyId !== undefined) found(await stores.keys.find(keyId), 'key', keyId);
    if (isOwn && keyId !== undefined && keyId !== caller.keyId) return { changes: [] };
    const period = { from: dateOf(from), to: dateOf(to) };
    const { items, ...more } = await stores.changes.list(
      { ...filter, ...period, keyId: isOwn ? caller.keyId : keyId },
      { limit, cursor },
    );
    return { changes: items, ...more };
  },
});

function dateOf(moment: string | undefined): Date | undefined {
  const at = moment === undefined ? undefined : momentOf(moment);
  return at === undefined ? undefined : new Date(at);
}
