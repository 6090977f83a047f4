import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { Cuid, ref } from '../../src/operation/reference.ts';
import { simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import { TrashKind } from '../../src/resources/trash/schema.ts';
import { restoreEntry } from '../../src/resources/undo/restore-entry.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';

export const restoreDeleted = defineTool({
  name: 'restore_deleted',
  title: 'Restore something deleted',
  description: 'Brings an entry of list_trash back under its old id, as it was.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/trash/{trashId}/restore' },
  input: v.strictObject({ projectId: ref('project'), trashId: ref('trash') }),
  output: v.strictObject({
    id: Cuid,
    kind: TrashKind,
    restored: v.literal(true),
    warnings: Warnings,
  }),
  access: 'publish',
  effect: { readOnly: false, destructive: false, idempotent: false },
  mcp: { openWorld: true },
  errors: { ...simpleAgentErrors, 403: ['plan_limit_exceeded'], 409: ['in_use'] },
  async handler({ stores }, { trashId }) {
    // Lock the project before the restored rows, in the order of operations that count records or delete voices.
    const { plan } = await stores.projects.hold();
    const restored = await restoreEntry(stores, plan, trashId);
    const { id, kind } = restored;
    const met = kind === 'flow' || kind === 'conversation' ? [{ kind, id }] : [];
    return { ...restored, restored: true as const, ...(await warningsOfLive(stores, met)) };
  },
});
