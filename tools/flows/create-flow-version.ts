import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { greetingWarnings } from '../../src/resources/designs/greeting.ts';
import { DesignWarning } from '../../src/resources/designs/schema.ts';
import { activateFlow } from '../../src/resources/flows/activate-flow.ts';
import { flowLossInWords } from '../../src/resources/flows/activation-loss.ts';
import { furtherVersionProblems, storedFlowSchema } from '../../src/resources/flows/format.ts';
import { FlowSchema, FlowVersion } from '../../src/resources/flows/schema.ts';
import {
  Activate,
  Answers,
  activateAccess,
  activatedAtOnce,
} from '../../src/resources/versions/activation.ts';
import { flowDraftPage } from '../../src/resources/versions/draft-link.ts';
import { inheritRejections } from '../../src/resources/versions/rejection.ts';

/** create_flow describes the format; a second time would cost every client tokens. */
const wholeConfiguration = {
  type: 'object',
  description: 'The whole configuration; create_flow describes its format.',
};

export const createFlowVersion = defineTool({
  name: 'create_flow_version',
  title: 'Create a flow version',
  description:
    'Stores a configuration as the next version of a flow, a draft unless activate is true. To change a part, use edit_flow.',
  rest: { method: 'POST', path: '/v1/flows/{flowId}/versions', status: 201, omits: ['answers', 'warnings'] },
  input: v.strictObject({ flowId: ref('flow'), flowSchema: FlowSchema, activate: Activate }),
  output: v.strictObject({
    ...FlowVersion.entries,
    answers: v.exactOptional(Answers),
    warnings: v.exactOptional(v.array(DesignWarning)),
  }),
  access: 'draft',
  inputAccess: { activate: activateAccess },
  effect: { readOnly: false, destructive: true, idempotent: false },
  errors: {
    ...simpleAgentErrors,
    409: ['version_rejected'],
    422: ['flow_schema_invalid', 'simple_agent_invalid'],
  },
  mcp: {
    inputs: { flowSchema: wholeConfiguration },
    link: flowDraftPage,
    leavesOut: ['flowSchema'],
    furtherProblems: furtherVersionProblems('flowSchema'),
  },
  async consequences({ stores }, { flowId, flowSchema, activate }) {
    if (!activate) return undefined;
    return flowLossInWords(stores, flowId, flowSchema, 'this configuration');
  },
  async handler({ stores }, { flowId, flowSchema, activate }) {
    const { type } = found(await stores.flows.find(flowId), 'flow', flowId);
    const stored = storedFlowSchema(type, flowSchema);
    const version = found(await stores.flowVersions.create(flowId, stored), 'flow', flowId);
    const handler = { kind: 'flow', id: flowId } as const;
    const written = { version: version.version, document: flowSchema };
    const rejected = await inheritRejections(stores, handler, written, {
      builtOn: [version.version - 1],
      activate,
    });
    const shown = activate ? await activatedAtOnce(activateFlow(stores, version.id)) : version;
    const warnings = [...rejected, ...greetingWarnings(flowSchema)];
    return { ...shown, ...(warnings.length > 0 && { warnings }) };
  },
});
