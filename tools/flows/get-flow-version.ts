import * as v from 'valibot';
import { FlowVersion } from '../../src/resources/flows/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const getFlowVersion = defineTool({
  name: 'get_flow_version',
  title: 'Get a flow version',
  description: 'Reads one version of a flow with its configuration. list_flow_versions shows the ids.',
  rest: { method: 'GET', path: '/v1/flow-versions/{versionId}' },
  input: v.strictObject({ versionId: ref('flowVersion') }),
  output: FlowVersion,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  async handler({ stores }, { versionId }) {
    return found(await stores.flowVersions.find(versionId), 'flowVersion', versionId);
  },
});
