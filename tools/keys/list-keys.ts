import * as v from 'valibot';
import { briefKey, KeyRead, keyRead, LimitDetails } from '../../src/resources/keys/schema.ts';
import { Cursor, NextCursor, ShortLimit } from '../../src/resources/page.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

export const listKeys = defineTool({
  name: 'list_keys',
  title: 'List keys',
  description:
    'Lists the API keys and what each may do, revoked ones included, newest first. Never the keys themselves.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/keys' },
  input: v.strictObject({
    projectId: ref('project'),
    limit: ShortLimit,
    cursor: Cursor,
    details: LimitDetails,
  }),
  output: v.strictObject({ keys: v.array(KeyRead), nextCursor: NextCursor }),
  access: 'admin',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: {
    implied: { details: true },
    outputSchema: false,
    pages: { items: 'keys', cursor: 'id' },
    brief: ({ keys, ...more }) => ({
      keys: (keys as v.InferOutput<typeof KeyRead>[]).map(briefKey),
      ...more,
    }),
  },
  async handler({ stores }, { limit, cursor, details }) {
    const { items, ...more } = await stores.keys.list({ limit, cursor });
    return { keys: items.map((key) => keyRead(key, details)), ...more };
  },
});
