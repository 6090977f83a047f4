import * as v from 'valibot';
import { unauthorized } from '../../src/errors.ts';
import { KeyRecord } from '../../src/resources/keys/schema.ts';
import { defineTool } from '../../src/tool/define.ts';

export const getCurrentKey = defineTool({
  name: 'get_current_key',
  title: 'Get the current key',
  description:
    'Reads the record of the key in use: its project, its type and the scope that says what it may do.',
  rest: { method: 'GET', path: '/v1/keys/current' },
  input: v.strictObject({}),
  output: KeyRecord,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  async handler({ stores, caller }) {
    const key = await stores.keys.find(caller.keyId);
    if (!key) throw unauthorized();
    return key;
  },
});
