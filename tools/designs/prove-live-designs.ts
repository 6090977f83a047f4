import * as v from 'valibot';
import { builtInProperties } from '../../src/design/proof/properties.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { namesOfOneDesign, proveLive } from '../../src/resources/designs/live-proof.ts';
import { PropertiesToProve, selectorProblems } from '../../src/resources/designs/proof-input.ts';
import { ProvedVersions } from '../../src/resources/designs/proof-result.ts';

export const proveLiveDesigns = defineTool({
  name: 'prove_live_designs',
  title: 'Prove all live designs',
  description:
    'Proves properties of the active version of every flow and conversation of a project. Over MCP, prove_design without a conversation does this.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/designs/prove' },
  input: v.strictObject({ projectId: ref('project'), properties: PropertiesToProve }),
  output: ProvedVersions,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  check: ({ properties = [] }) => [...selectorProblems(properties), ...namesOfOneDesign(properties)],
  handler: (context, { properties = builtInProperties }) => proveLive(context, properties),
});
