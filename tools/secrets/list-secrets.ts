import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { limitOr, NameCursor, NextCursor } from '../../src/resources/record/page.ts';
import { Secret } from '../../src/resources/secrets/schema.ts';

export const listSecrets = defineTool({
  name: 'list_secrets',
  title: 'List secrets',
  description: 'Lists secrets and where they may be sent. No operation returns their values.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/secrets' },
  input: v.strictObject({ projectId: ref('project'), limit: limitOr(50), cursor: NameCursor }),
  output: v.strictObject({ secrets: v.array(Secret), nextCursor: NextCursor }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false, pages: { items: 'secrets', cursor: 'name', prefix: 'name:' } },
  async handler({ stores }, { limit, cursor }) {
    const { items, ...more } = await stores.secrets.list({ limit, cursor });
    return { secrets: items, ...more };
  },
});
