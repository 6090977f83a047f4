import * as v from 'valibot';
import { Cursor, NextCursor, ShortLimit } from '../../src/resources/page.ts';
import { WebAgent } from '../../src/resources/web-sessions/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

export const listWebAgents = defineTool({
  name: 'list_web_agents',
  title: 'List web agents',
  description: 'Lists the web agents of a project, newest first: which conversation runs on which websites.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/web-sessions/agents' },
  input: v.strictObject({ projectId: ref('project'), limit: ShortLimit, cursor: Cursor }),
  output: v.strictObject({ webAgents: v.array(WebAgent), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false, pages: { items: 'webAgents', cursor: 'id' } },
  async handler({ stores }, { limit, cursor }) {
    const { items, ...more } = await stores.webAgents.list({ limit, cursor });
    return { webAgents: items, ...more };
  },
});
