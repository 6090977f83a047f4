import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { Flow } from '../../src/resources/flows/schema.ts';
import { withNames } from '../../src/resources/names/referred-names.ts';
import { details } from '../../src/resources/record/details.ts';
import { idCursor, Limit, NextCursor, wholeList } from '../../src/resources/record/page.ts';

const profile = { kind: 'agentProfile', id: 'agentProfileId', name: 'agentProfileName' } as const;

export const listFlows = defineTool({
  name: 'list_flows',
  title: 'List flows',
  description: 'Lists flows, newest first.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/flows' },
  input: v.strictObject({
    projectId: ref('project'),
    limit: Limit,
    cursor: idCursor('flow'),
    details: details('agentProfileName'),
  }),
  output: v.strictObject({
    flows: v.array(
      v.strictObject({ ...Flow.entries, agentProfileName: v.exactOptional(v.nullable(v.string())) }),
    ),
    nextCursor: NextCursor,
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { implied: { details: true }, outputSchema: false, pages: { items: 'flows', cursor: 'id' } },
  handler: async ({ stores }, { limit, cursor, details: asked }) =>
    wholeList({ limit, cursor }, async (page) => {
      const { items, ...more } = await stores.flows.list(page);
      return { flows: asked ? await withNames(stores, items, profile) : items, ...more };
    }),
});
