import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { type ScenarioContent, ScenarioRecord } from '../../src/resources/scenarios/schema.ts';

/** Versions whose results are shown. */
const mostResults = 10;

export const getScenario = defineTool({
  name: 'get_scenario',
  title: 'Get a scenario',
  description: 'Returns what a scenario plays and expects, and its results on the newest versions.',
  rest: { method: 'GET', path: '/v1/scenarios/{scenarioId}' },
  input: v.strictObject({ scenarioId: ref('scenario') }),
  output: ScenarioRecord,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false },
  async handler({ stores }, { scenarioId }) {
    const stored = found(await stores.scenarios.find(scenarioId), 'scenario', scenarioId);
    const { content, conversationId: _, ...scenario } = stored;
    const results = await stores.scenarios.results(scenarioId, mostResults);
    return {
      ...scenario,
      ...(content as ScenarioContent),
      results: results.map((result) => ({ ...result, failed: result.failed as { found: string }[] })),
    };
  },
});
