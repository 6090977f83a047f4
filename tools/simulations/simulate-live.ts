import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { versionChoice } from '../../src/resources/conversations/schema.ts';
import { liveSimulationInputs, playProblems, simulatedLive } from '../../src/resources/playable/simulated.ts';
import { ownerIn, ownerProblems } from '../../src/resources/record/design-owner.ts';
import { briefReport, shortenedReport } from '../../src/resources/simulations/report.ts';
import { SimulationReport } from '../../src/resources/simulations/schema.ts';
import { simulateFlowLive } from './simulate-flow-live.ts';

/** The schema that MCP shows: clients have it from simulate_conversation. */
const asSimulated = { type: 'object', description: 'As in simulate_conversation.' };

export const simulateLive = defineTool({
  name: 'simulate_live',
  title: 'Simulate with real requests',
  description:
    'Plays a call like simulate_conversation, but really sends each request without a mock (webhook, fetch, SMS, CRM, calendar), with secrets. A draft gets placeholders for secrets unless the key may publish.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/live-simulations',
    from: { conversationId: 'path:id' },
    omitsInputs: ['flowId'],
  },
  input: v.strictObject({
    conversationId: v.exactOptional(ref('conversation')),
    flowId: v.exactOptional(ref('flow')),
    version: v.exactOptional(versionChoice('The newest if left out.')),
    ...liveSimulationInputs,
  }),
  output: SimulationReport,
  access: 'run',
  effect: { readOnly: false, destructive: true, idempotent: false, transaction: 'own' },
  errors: { 501: ['not_yet_supported', 'unsupported_step'] },
  special: { projectStatus: ['active'] },
  mcp: {
    covers: [simulateFlowLive],
    inputs: {
      caller: asSimulated,
      mocks: asSimulated,
      variables: { type: 'object', description: 'Values at the start.' },
      expect: { ...asSimulated, type: 'array' },
    },
    leavesOut: ['state', 'coverage.*.missed'],
    outputSchema: false,
    openWorld: true,
    shorten: (report) => shortenedReport(report as SimulationReport),
    brief: briefReport,
  },
  check: (input) => [...ownerProblems(input), ...playProblems(input)],
  handler: (context, { conversationId, flowId, ...input }) =>
    simulatedLive(context, ownerIn({ conversationId, flowId }), input),
});
