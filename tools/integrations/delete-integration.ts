import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { ToolError } from '../../src/platform/errors.ts';
import { deletionInWords } from '../../src/resources/record/consequences.ts';
import { Deleted, deleted } from '../../src/resources/record/deleted.ts';

export const deleteIntegration = defineTool({
  name: 'delete_integration',
  title: 'Delete an integration',
  description:
    'Moves an integration that no active design names to the trash; restore_deleted brings it back within 30 days.',
  rest: { method: 'DELETE', path: '/v1/integrations/{integrationId}' },
  input: v.strictObject({ integrationId: ref('integration') }),
  output: Deleted,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  errors: { 409: ['in_use'] },
  consequences: ({ stores }, { integrationId }) => deletionInWords(stores, integrationId, 'integration'),
  async handler({ stores }, { integrationId }) {
    const references = found(
      await stores.integrations.referrers(integrationId),
      'integration',
      integrationId,
    );
    if (references.length > 0)
      throw new ToolError('in_use', `Active designs name the integration ${integrationId}.`, {
        details: { references },
        hint: 'Activate versions of these conversations that do not name it, then call again.',
      });
    return deleted('integration', integrationId, await stores.integrations.trash(integrationId));
  },
});
