import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { versionChoice } from '../../src/resources/conversations/schema.ts';
import { liveSimulationInputs, playProblems, simulatedLive } from '../../src/resources/playable/simulated.ts';
import { SimulationReport } from '../../src/resources/simulations/schema.ts';

export const simulateFlowLive = defineTool({
  name: 'simulate_flow_live',
  title: 'Simulate a flow with real requests',
  description:
    'Plays a call through a flow like simulate_flow, but really sends every webhook and text message without a mock. Over MCP, simulate_live with flowId does this.',
  rest: { method: 'POST', path: '/v1/flows/{flowId}/live-simulations' },
  input: v.strictObject({
    flowId: ref('flow'),
    version: v.exactOptional(versionChoice('The newest if left out.')),
    ...liveSimulationInputs,
  }),
  output: SimulationReport,
  access: 'run',
  effect: { readOnly: false, destructive: true, idempotent: false, transaction: 'own' },
  errors: { 501: ['not_yet_supported'] },
  special: { projectStatus: ['active'] },
  check: (input) => playProblems(input),
  handler: (context, { flowId, ...input }) => simulatedLive(context, { flowId }, input),
});
