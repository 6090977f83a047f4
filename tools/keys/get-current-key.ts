import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { unauthorized } from '../../src/platform/errors.ts';
import { KeyRead, keyRead, LimitDetails } from '../../src/resources/keys/schema.ts';

export const getCurrentKey = defineTool({
  name: 'get_current_key',
  title: 'Get the current key',
  description: 'Reads the key in use: its project, what it may do (access), and when it ends.',
  rest: { method: 'GET', path: '/v1/keys/current' },
  input: v.strictObject({ details: LimitDetails }),
  output: KeyRead,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { keeps: ['projectId', 'lastUsedAt'], implied: { details: true } },
  async handler({ stores, caller }, { details }) {
    const key = await stores.keys.find(caller.keyId);
    if (!key) throw unauthorized();
    return keyRead(key, details);
  },
});
