import * as v from 'valibot';
import { Flow } from '../../src/resources/flows/schema.ts';
import { Cursor, Limit, NextCursor, wholeList } from '../../src/resources/page.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

export const listFlows = defineTool({
  name: 'list_flows',
  title: 'List flows',
  description: 'Lists the flows of a project, newest first.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/flows' },
  input: v.strictObject({ projectId: ref('project'), limit: Limit, cursor: Cursor }),
  output: v.strictObject({ flows: v.array(Flow), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false, pages: { items: 'flows', cursor: 'id' } },
  handler: async ({ stores }, { limit, cursor }) =>
    wholeList('flows', { limit, cursor }, (page) => stores.flows.list(page)),
});
