import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { FlowVersionRead } from '../../src/resources/flows/schema.ts';
import { HistoryDetails, withHistory } from '../../src/resources/versions/version-history.ts';

export const getFlowVersion = defineTool({
  name: 'get_flow_version',
  title: 'Get a flow version',
  description: 'Reads one version of a flow with its configuration. list_flow_versions shows the ids.',
  rest: { method: 'GET', path: '/v1/flow-versions/{versionId}' },
  input: v.strictObject({ versionId: ref('flowVersion'), details: HistoryDetails }),
  output: FlowVersionRead,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { implied: { details: true } },
  async handler({ stores }, { versionId, details }) {
    const version = found(await stores.flowVersions.find(versionId), 'flowVersion', versionId);
    return withHistory(version, details);
  },
});
