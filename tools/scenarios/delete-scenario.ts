import * as v from 'valibot';
import { shortName } from '../../src/design/problem.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { Deleted, deleted } from '../../src/resources/record/deleted.ts';
import { requireScenarioGate } from '../../src/resources/scenarios/gate.ts';

export const deleteScenario = defineTool({
  name: 'delete_scenario',
  title: 'Delete a scenario',
  description: 'Moves a scenario to the trash, without its results. A required one needs publish.',
  rest: { method: 'DELETE', path: '/v1/scenarios/{scenarioId}' },
  input: v.strictObject({ scenarioId: ref('scenario') }),
  output: Deleted,
  access: 'draft',
  effect: { readOnly: false, destructive: true, idempotent: false },
  async consequences({ stores }, { scenarioId }) {
    const scenario = await stores.scenarios.find(scenarioId);
    return (
      scenario &&
      `Delete the scenario ${shortName(scenario.name)}? Nobody notices any more if a change breaks what it expects. It goes to the trash without its results.`
    );
  },
  async handler(context, { scenarioId }) {
    const { stores } = context;
    const { conversationId } = found(await stores.scenarios.find(scenarioId), 'scenario', scenarioId);
    await stores.conversations.hold(conversationId);
    const before = found(await stores.scenarios.find(scenarioId), 'scenario', scenarioId);
    await requireScenarioGate(context, conversationId, [{ name: before.name, before, after: undefined }]);
    return deleted('scenario', scenarioId, await stores.scenarios.trash(scenarioId));
  },
});
