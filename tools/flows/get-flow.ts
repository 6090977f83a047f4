import * as v from 'valibot';
import { Flow } from '../../src/resources/flows/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const getFlow = defineTool({
  name: 'get_flow',
  title: 'Get a flow',
  description: 'Reads one flow. Its configuration is in its versions: list_flow_versions.',
  rest: { method: 'GET', path: '/v1/flows/{flowId}' },
  input: v.strictObject({ flowId: ref('flow') }),
  output: Flow,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: {
    resource: {
      uri: 'parley://flows/{flowId}',
      name: 'flow',
      title: 'Flow',
      description: 'A flow; its configuration is in its versions.',
    },
  },
  async handler({ stores }, { flowId }) {
    return found(await stores.flows.find(flowId), 'flow', flowId);
  },
});
