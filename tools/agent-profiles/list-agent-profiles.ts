import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { withFlowNames } from '../../src/resources/agent-profiles/flow-names.ts';
import { AgentProfile } from '../../src/resources/agent-profiles/schema.ts';
import { details } from '../../src/resources/record/details.ts';
import { idCursor, Limit, NextCursor, wholeList } from '../../src/resources/record/page.ts';

export const listAgentProfiles = defineTool({
  name: 'list_agent_profiles',
  title: 'List agent profiles',
  description: 'Lists agent profiles, newest first: who speaks, with which voice, which flows.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/agent-profiles' },
  input: v.strictObject({
    projectId: ref('project'),
    limit: Limit,
    cursor: idCursor('agentProfile'),
    details: details('flowNames'),
  }),
  output: v.strictObject({
    agentProfiles: v.array(
      v.strictObject({ ...AgentProfile.entries, flowNames: v.exactOptional(v.array(v.string())) }),
    ),
    nextCursor: NextCursor,
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { implied: { details: true }, outputSchema: false, pages: { items: 'agentProfiles', cursor: 'id' } },
  handler: async ({ stores }, { limit, cursor, details: asked }) =>
    wholeList({ limit, cursor }, async (page) => {
      const { items, ...more } = await stores.agentProfiles.list(page);
      return { agentProfiles: asked ? await withFlowNames(stores, items) : items, ...more };
    }),
});
