import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { Cuid, ref } from '../../src/operation/reference.ts';
import { idCursor, limitOr, NextCursor } from '../../src/resources/record/page.ts';
import { Timestamp, toSeconds } from '../../src/resources/record/timestamp.ts';
import { TrashKind } from '../../src/resources/trash/schema.ts';
import type { ListedEntry } from '../../src/resources/trash/store.ts';

export const listTrash = defineTool({
  name: 'list_trash',
  title: 'List the trash',
  description:
    'Lists what was deleted in the last 30 days and by whom, newest first. restore_deleted brings it back.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/trash' },
  input: v.strictObject({ projectId: ref('project'), limit: limitOr(50), cursor: idCursor('trash') }),
  output: v.strictObject({
    trash: v.array(
      v.strictObject({
        id: Cuid,
        kind: TrashKind,
        resourceId: Cuid,
        name: v.string(),
        deletedAt: Timestamp,
        deletedBy: v.nullable(v.string()),
        expiresAt: Timestamp,
      }),
    ),
    nextCursor: NextCursor,
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: {
    outputSchema: false,
    pages: { items: 'trash', cursor: 'id' },
    brief: ({ trash, ...more }) => ({
      trash: (trash as ListedEntry[]).map(({ id, kind, name, deletedAt, deletedBy }) => ({
        id,
        kind,
        name,
        deletedAt: toSeconds(deletedAt),
        ...(deletedBy !== null && { deletedBy }),
      })),
      ...more,
    }),
  },
  async handler({ stores }, { limit, cursor }) {
    const { items, ...more } = await stores.trash.list({ limit, cursor });
    return { trash: items, ...more };
  },
});
