import * as v from 'valibot';
import { shortName } from '../../src/design/problem.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { ToolError, unauthorized } from '../../src/platform/errors.ts';
import { KeyRecord } from '../../src/resources/keys/schema.ts';

export const revokeKey = defineTool({
  name: 'revoke_key',
  title: 'Revoke a key',
  description: 'Revokes an API key, at once and for good. The key in use cannot revoke itself.',
  rest: { method: 'POST', path: '/v1/keys/{id}/revoke', from: { keyId: 'path:id' } },
  input: v.strictObject({ keyId: ref('key') }),
  output: KeyRecord,
  access: 'admin',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: { 409: ['cannot_revoke_current_key'] },
  special: { projectStatus: ['active', 'paused', 'archived'], securityEvent: true },
  async consequences({ stores }, { keyId }) {
    const key = await stores.keys.find(keyId);
    if (key?.status !== 'active') return undefined;
    const used = key.lastUsedAt === null ? 'It was never used.' : `It was last used at ${key.lastUsedAt}.`;
    if (key.oauthClient !== null)
      return `End the sign-in ${shortName(key.name)}? ${used} ${shortName(key.oauthClient)} loses its access at once, until someone signs in again.`;
    return `Revoke the key ${shortName(key.name)} (${key.keyPrefix}…${key.last4}) for good? ${used} Every request with it fails from now on, and so does every request with a key that was made from it.`;
  },
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
