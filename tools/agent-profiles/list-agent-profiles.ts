import * as v from 'valibot';
import { AgentProfile } from '../../src/resources/agent-profiles/schema.ts';
import { Cursor, Limit, NextCursor, wholeList } from '../../src/resources/page.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

export const listAgentProfiles = defineTool({
  name: 'list_agent_profiles',
  title: 'List agent profiles',
  description:
    'Lists the agent profiles of a project, newest first: who speaks, with which voice, which flows.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/agent-profiles' },
  input: v.strictObject({ projectId: ref('project'), limit: Limit, cursor: Cursor }),
  output: v.strictObject({ agentProfiles: v.array(AgentProfile), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false, pages: { items: 'agentProfiles', cursor: 'id' } },
  handler: async ({ stores }, { limit, cursor }) =>
    wholeList('agentProfiles', { limit, cursor }, (page) => stores.agentProfiles.list(page)),
});
