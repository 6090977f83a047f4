import * as v from 'valibot';
import { ToolError, unauthorized } from '../../src/errors.ts';
import { KeyRecord } from '../../src/resources/keys/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const revokeKey = defineTool({
  name: 'revoke_key',
  title: 'Revoke a key',
  description:
    'Revokes an API key, at once and for good: no request that starts after the response succeeds with it. The key in use cannot revoke itself.',
  rest: { method: 'POST', path: '/v1/keys/{id}/revoke', from: { keyId: 'path:id' } },
  input: v.strictObject({ keyId: ref('key') }),
  output: KeyRecord,
  access: 'admin',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: { 409: ['cannot_revoke_current_key'] },
  special: { projectStatus: ['active', 'paused', 'archived'], securityEvent: true },
  async handler({ stores, caller }, { keyId }) {
    const locked = await stores.keys.lock([caller.keyId, keyId]);
    // If two keys revoke each other at once, the second finds here that it is revoked.
    if (locked.get(caller.keyId)?.status !== 'active') throw unauthorized();
    found(locked.get(keyId), 'key', keyId);
    if (keyId === caller.keyId)
      throw new ToolError('cannot_revoke_current_key', 'A key cannot revoke itself; use another one.');
    return found(await stores.keys.revoke(keyId), 'key', keyId);
  },
});
