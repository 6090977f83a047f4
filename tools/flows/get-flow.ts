import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { callText } from '../../src/platform/errors.ts';
import { Flow } from '../../src/resources/flows/schema.ts';
import { details } from '../../src/resources/record/details.ts';

/** Bytes of a configuration that is shown with its flow, about 500 tokens. */
const longestConfiguration = 2_000;

export const getFlow = defineTool({
  name: 'get_flow',
  title: 'Get a flow',
  description: 'Reads one flow with its active configuration. Other versions: list_flow_versions.',
  rest: { method: 'GET', path: '/v1/flows/{flowId}' },
  input: v.strictObject({
    flowId: ref('flow'),
    details: details('activeVersion, newestVersion and the active flowSchema, if it is short'),
  }),
  output: v.strictObject({
    ...Flow.entries,
    activeVersion: v.exactOptional(v.number()),
    newestVersion: v.exactOptional(v.number()),
    flowSchema: v.exactOptional(v.unknown()),
    hint: v.exactOptional(v.string()),
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: {
    implied: { details: true },
    outputSchema: false,
    resource: {
      uri: 'parley://flows/{flowId}',
      name: 'flow',
      title: 'Flow',
      description: 'A flow; its configuration is in its versions.',
      watched: 'flow',
    },
  },
  async handler({ stores }, { flowId, details: asked }) {
    // Both go out in one write.
    const [record, active] = await Promise.all([
      stores.flows.find(flowId),
      asked ? stores.flowVersions.active(flowId, longestConfiguration) : undefined,
    ]);
    const flow = found(record, 'flow', flowId);
    if (!active) return flow;
    const { versionId, activeVersion, newestVersion, flowSchema, bytes } = active;
    if (bytes <= longestConfiguration) return { ...flow, activeVersion, newestVersion, flowSchema };
    const hint = `The configuration has ${bytes} bytes. ${callText('get_flow_version', { versionId })} reads it.`;
    return { ...flow, activeVersion, newestVersion, hint };
  },
});
