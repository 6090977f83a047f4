import * as v from 'valibot';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { Cuid, ref } from '../../src/tool/reference.ts';

export const restoreDeleted = defineTool({
  name: 'restore_deleted',
  title: 'Restore something deleted',
  description: 'Brings an entry of the trash back under its old id, as it was. list_trash shows the entries.',
  rest: {
    method: 'POST',
    path: '/v1/projects/{projectId}/trash/{id}/restore',
    from: { projectId: 'path', trashId: 'path:id' },
  },
  input: v.strictObject({ projectId: ref('project'), trashId: ref('trash') }),
  output: v.strictObject({ id: Cuid, kind: v.picklist(['flow']), restored: v.literal(true) }),
  access: 'publish',
  effect: { readOnly: false, destructive: false, idempotent: false },
  async handler({ stores }, { trashId }) {
    const { id, kind } = found(await stores.trash.restore(trashId), 'trash', trashId);
    return { id, kind, restored: true as const };
  },
});
