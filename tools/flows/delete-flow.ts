import * as v from 'valibot';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';
import { Deleted } from '../deleted.ts';

export const deleteFlow = defineTool({
  name: 'delete_flow',
  title: 'Delete a flow',
  description:
    'Moves a flow and its versions to the trash, where restore_deleted can bring them back for 30 days.',
  rest: { method: 'DELETE', path: '/v1/flows/{flowId}', from: { flowId: 'path' } },
  input: v.strictObject({ flowId: ref('flow') }),
  output: Deleted,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  async handler({ stores }, { flowId }) {
    found((await stores.flows.trash(flowId)) || undefined, 'flow', flowId);
    return { id: flowId, deleted: true as const };
  },
});
