import * as v from 'valibot';
import { Deleted } from '../../src/resources/deleted.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const deleteScenario = defineTool({
  name: 'delete_scenario',
  title: 'Delete a scenario',
  description: 'Deletes a scenario with its results, for good.',
  rest: { method: 'DELETE', path: '/v1/scenarios/{id}', from: { scenarioId: 'path:id' } },
  input: v.strictObject({ scenarioId: ref('scenario') }),
  output: Deleted,
  access: 'draft',
  effect: { readOnly: false, destructive: true, idempotent: false },
  async handler({ stores }, { scenarioId }) {
    found((await stores.scenarios.remove(scenarioId)) || undefined, 'scenario', scenarioId);
    return { id: scenarioId, deleted: true as const };
  },
});
