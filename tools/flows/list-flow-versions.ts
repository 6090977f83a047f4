import * as v from 'valibot';
import { FlowVersion } from '../../src/resources/flows/schema.ts';
import { Limit, NextCursor, NumberCursor } from '../../src/resources/page.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const listFlowVersions = defineTool({
  name: 'list_flow_versions',
  title: 'List flow versions',
  description: 'Lists the versions of a flow with their configurations, newest first. Use a small limit.',
  rest: { method: 'GET', path: '/v1/flows/{flowId}/versions' },
  input: v.strictObject({ flowId: ref('flow'), limit: Limit, cursor: NumberCursor }),
  output: v.strictObject({ versions: v.array(FlowVersion), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false, pages: { items: 'versions', cursor: 'version' } },
  async handler({ stores }, { flowId, limit, cursor }) {
    const [flow, page] = await Promise.all([
      stores.flows.find(flowId),
      stores.flowVersions.list(flowId, { limit, cursor }),
    ]);
    found(flow, 'flow', flowId);
    const { items, ...more } = page;
    return { versions: items, ...more };
  },
});
