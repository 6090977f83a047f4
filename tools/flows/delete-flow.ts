import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { deletionInWords } from '../../src/resources/record/consequences.ts';
import { Deleted, deleted } from '../../src/resources/record/deleted.ts';
import { refuseInUse } from '../../src/resources/record/in-use.ts';

export const deleteFlow = defineTool({
  name: 'delete_flow',
  title: 'Delete a flow',
  description:
    'Moves a flow that no phone number names to the trash, with its versions; restore_deleted brings it back within 30 days.',
  rest: { method: 'DELETE', path: '/v1/flows/{flowId}' },
  input: v.strictObject({ flowId: ref('flow') }),
  output: Deleted,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  errors: { 409: ['in_use'] },
  consequences: ({ stores }, { flowId }) => deletionInWords(stores, flowId, 'flow'),
  async handler({ stores }, { flowId }) {
    refuseInUse('flow', flowId, await stores.flows.referrers(flowId));
    return deleted('flow', flowId, await stores.flows.trash(flowId));
  },
});
