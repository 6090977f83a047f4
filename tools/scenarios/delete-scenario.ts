import * as v from 'valibot';
import { shortName } from '../../src/design/problem.ts';
import { Deleted, deleted } from '../../src/resources/deleted.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

export const deleteScenario = defineTool({
  name: 'delete_scenario',
  title: 'Delete a scenario',
  description: 'Moves a scenario to the trash, without its results.',
  rest: { method: 'DELETE', path: '/v1/scenarios/{id}', from: { scenarioId: 'path:id' } },
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
  async handler({ stores }, { scenarioId }) {
    return deleted('scenario', scenarioId, await stores.scenarios.trash(scenarioId));
  },
});
