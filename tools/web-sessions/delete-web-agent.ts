import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { deletionInWords } from '../../src/resources/record/consequences.ts';
import { Deleted, deleted } from '../../src/resources/record/deleted.ts';

export const deleteWebAgent = defineTool({
  name: 'delete_web_agent',
  title: 'Delete a web agent',
  description:
    'Moves a web agent to the trash; restore_deleted brings it back within 30 days. Its websites can no longer start sessions; update_web_agent can disable it instead.',
  rest: { method: 'DELETE', path: '/v1/web-sessions/agents/{webAgentId}' },
  input: v.strictObject({ webAgentId: ref('webAgent') }),
  output: Deleted,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: false },
  consequences: ({ stores }, { webAgentId }) =>
    deletionInWords(stores, webAgentId, 'web agent', () => 'Its websites can no longer start sessions.'),
  async handler({ stores }, { webAgentId }) {
    return deleted('webAgent', webAgentId, await stores.webAgents.trash(webAgentId));
  },
});
