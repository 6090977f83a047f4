import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { versionChoice } from '../../src/resources/conversations/schema.ts';
import { editInputs, exactlyOneOf, patchProblems } from '../../src/resources/designs/edit.ts';
import { DesignDocument, designHintAt } from '../../src/resources/designs/schema.ts';
import { playProblems, simulated, simulationInputs } from '../../src/resources/playable/simulated.ts';
import { conversationOnly, ownerIn, ownerProblems } from '../../src/resources/record/design-owner.ts';
import { briefReport, shortenedReport } from '../../src/resources/simulations/report.ts';
import {
  callerOnMcp,
  expectOnMcp,
  mocksOnMcp,
  SimulationReport,
} from '../../src/resources/simulations/schema.ts';
import { simulateFlow } from './simulate-flow.ts';
import { simulateNewDesign } from './simulate-new-design.ts';

export const simulateConversation = defineTool({
  name: 'simulate_conversation',
  title: 'Simulate a conversation',
  description:
    'Plays a call through a version, an edit of it, a design, or a flow, and stores nothing. Without a script it returns what the agent says first; to go on, send a longer one.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/simulations',
    from: { conversationId: 'path:id' },
    omitsInputs: ['flowId'],
  },
  input: v.strictObject({
    conversationId: v.exactOptional(ref('conversation')),
    flowId: v.exactOptional(ref('flow')),
    version: v.exactOptional(versionChoice('The newest if left out.')),
    design: v.exactOptional(DesignDocument),
    ...editInputs,
    ...simulationInputs,
  }),
  output: SimulationReport,
  access: 'draft',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 502: ['internal_error'], 501: ['not_yet_supported', 'unsupported_step'] },
  special: { projectStatus: ['active'] },
  mcp: {
    covers: [simulateFlow, simulateNewDesign],
    openWorld: true,
    inputs: {
      design: { type: 'object', description: 'A cd/1 design.' },
      patch: { type: 'array', items: { type: 'object' }, description: 'A JSON Patch.' },
      merge: { type: 'object', description: 'JSON Merge Patch.' },
      caller: callerOnMcp,
      mocks: mocksOnMcp,
      expect: expectOnMcp,
    },
    hintAt: designHintAt,
    leavesOut: ['state', 'coverage.*.missed'],
    shorten: (report) => shortenedReport(report as SimulationReport),
    brief: briefReport,
  },
  check: ({ design, patch, merge, version, ...input }) => [
    // A new design has no owner.
    ...(design === undefined || input.flowId !== undefined ? ownerProblems(input) : []),
    ...conversationOnly(input, { design, patch, merge }),
    ...((design ?? patch ?? merge)
      ? exactlyOneOf(['design', 'patch', 'merge'], { design, patch, merge })
      : []),
    ...patchProblems({ patch }),
    ...(design !== undefined && version !== undefined
      ? [{ path: ['version'] as const, message: 'Can be combined with patch or merge only.' }]
      : []),
    ...playProblems(input),
  ],
  handler: (context, { conversationId, flowId, ...input }) =>
    simulated(
      context,
      conversationId === undefined && flowId === undefined
        ? { projectId: context.caller.projectId }
        : ownerIn({ conversationId, flowId }),
      input,
    ),
});
