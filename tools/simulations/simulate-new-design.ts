import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { DesignDocument, designHintAt } from '../../src/resources/designs/schema.ts';
import { playProblems, simulated, simulationInputs } from '../../src/resources/playable/simulated.ts';
import { SimulationReport } from '../../src/resources/simulations/schema.ts';

export const simulateNewDesign = defineTool({
  name: 'simulate_new_design',
  title: 'Simulate a new design',
  description:
    'Plays a call through a design that belongs to no conversation yet, and stores nothing. Over MCP, simulate_conversation with design alone does this.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/simulations' },
  input: v.strictObject({ projectId: ref('project'), design: DesignDocument, ...simulationInputs }),
  output: SimulationReport,
  access: 'draft',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 502: ['internal_error'] },
  special: { projectStatus: ['active'] },
  mcp: { hintAt: designHintAt },
  check: (input) => playProblems(input),
  handler: (context, { projectId, ...input }) => simulated(context, { projectId }, input),
});
