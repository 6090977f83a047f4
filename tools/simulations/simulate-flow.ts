import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { versionChoice } from '../../src/resources/conversations/schema.ts';
import { playProblems, simulated, simulationInputs } from '../../src/resources/playable/simulated.ts';
import { SimulationReport } from '../../src/resources/simulations/schema.ts';

export const simulateFlow = defineTool({
  name: 'simulate_flow',
  title: 'Simulate a flow',
  description:
    'Plays a call through the design that a flow becomes, and stores nothing. Over MCP, simulate_conversation with flowId does this.',
  rest: { method: 'POST', path: '/v1/flows/{flowId}/simulations' },
  input: v.strictObject({
    flowId: ref('flow'),
    version: v.exactOptional(versionChoice('The newest if left out.')),
    ...simulationInputs,
  }),
  output: SimulationReport,
  access: 'draft',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 502: ['internal_error'], 501: ['not_yet_supported'] },
  special: { projectStatus: ['active'] },
  check: (input) => playProblems(input),
  handler: (context, { flowId, ...input }) => simulated(context, { flowId }, input),
});
