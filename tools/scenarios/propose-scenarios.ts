import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { numberOf, VersionToRead } from '../../src/resources/conversations/schema.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import { proposedScenarios } from '../../src/resources/scenarios/propose.ts';
import { CoverageRecord, seenIn } from '../../src/resources/scenarios/schema.ts';

export const proposeScenarios = defineTool({
  name: 'propose_scenarios',
  title: 'Propose scenarios',
  description:
    'Derives few scenarios that together take every exit of a version. They expect what it does now; save_scenarios with proposed saves them.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}/proposed-scenarios',
    from: { conversationId: 'path:id' },
  },
  input: v.strictObject({ conversationId: ref('conversation'), version: VersionToRead }),
  output: v.strictObject({
    version: v.number(),
    scenarios: v.array(v.record(v.string(), v.unknown())),
    missed: v.array(v.strictObject({ part: v.string(), reason: v.string() })),
    coverage: CoverageRecord,
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 501: ['not_yet_supported', 'unsupported_step'] },
  mcp: { outputSchema: false },
  async handler(context, { conversationId, version }) {
    const { stores } = context;
    const n = await numberOf(stores, conversationId, version);
    const design = await loadDesign(stores, conversationId, n);
    const { scenarios, missed, coverage } = await proposedScenarios(context, design);
    return {
      version: n,
      scenarios: scenarios.map((scenario) => ({ ...scenario })),
      missed: missed.map((part) => ({ ...part })),
      coverage: {
        steps: seenIn(coverage.steps),
        exits: seenIn(coverage.exits),
        nodes: seenIn(coverage.nodes),
      },
    };
  },
});
