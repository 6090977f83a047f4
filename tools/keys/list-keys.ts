import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { briefKey, ListDetails, ListedKey, listedKey } from '../../src/resources/keys/schema.ts';
import { idCursor, limitOr, NextCursor } from '../../src/resources/record/page.ts';

export const listKeys = defineTool({
  name: 'list_keys',
  title: 'List keys',
  description:
    'Lists keys and what each may do, newest first: revoked ones too, OAuth sign-ins until they end.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/keys' },
  input: v.strictObject({
    projectId: ref('project'),
    limit: limitOr(50),
    cursor: idCursor('key'),
    details: ListDetails,
  }),
  output: v.strictObject({ keys: v.array(ListedKey), nextCursor: NextCursor }),
  access: 'admin',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: {
    implied: { details: true },
    outputSchema: false,
    pages: { items: 'keys', cursor: 'id' },
    brief: ({ keys, ...more }) => ({
      keys: (keys as v.InferOutput<typeof ListedKey>[]).map(briefKey),
      ...more,
    }),
  },
  async handler({ stores }, { limit, cursor, details }) {
    const { items, ...more } = await stores.keys.list({ limit, cursor });
    return { keys: items.map((key) => listedKey(key, details)), ...more };
  },
});
