import * as v from 'valibot';
import { Cursor, NextCursor, ShortLimit } from '../../src/resources/page.ts';
import { Timestamp } from '../../src/resources/timestamp.ts';
import { TrashKind } from '../../src/resources/trash/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { Cuid, ref } from '../../src/tool/reference.ts';

export const listTrash = defineTool({
  name: 'list_trash',
  title: 'List the trash',
  description:
    'Lists what was deleted in the last 30 days, newest first. restore_deleted brings an entry back.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/trash' },
  input: v.strictObject({ projectId: ref('project'), limit: ShortLimit, cursor: Cursor }),
  output: v.strictObject({
    trash: v.array(
      v.strictObject({
        id: Cuid,
        kind: TrashKind,
        resourceId: Cuid,
        name: v.string(),
        deletedAt: Timestamp,
        expiresAt: Timestamp,
      }),
    ),
    nextCursor: NextCursor,
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false, pages: { items: 'trash', cursor: 'id' } },
  async handler({ stores }, { limit, cursor }) {
    const { items, ...more } = await stores.trash.list({ limit, cursor });
    return { trash: items, ...more };
  },
});
