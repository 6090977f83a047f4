import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { Integration } from '../../src/resources/integrations/schema.ts';
import { idCursor, Limit, NextCursor, wholeList } from '../../src/resources/record/page.ts';

export const listIntegrations = defineTool({
  name: 'list_integrations',
  title: 'List integrations',
  description:
    'Lists the CRMs, calendars and knowledge services that designs can name, newest first, without their credentials.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/integrations' },
  input: v.strictObject({ projectId: ref('project'), limit: Limit, cursor: idCursor('integration') }),
  output: v.strictObject({ integrations: v.array(Integration), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false, pages: { items: 'integrations', cursor: 'id' } },
  handler: async ({ stores }, { limit, cursor }) =>
    wholeList({ limit, cursor }, async (page) => {
      const { items, ...more } = await stores.integrations.list(page);
      return { integrations: items, ...more };
    }),
});
