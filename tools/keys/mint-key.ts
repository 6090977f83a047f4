import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { keyScopes } from '../../src/operation/access.ts';
import { ref } from '../../src/operation/reference.ts';
import { ToolError } from '../../src/platform/errors.ts';
import { KeyRecord } from '../../src/resources/keys/schema.ts';

export const mintKey = defineTool({
  name: 'mint_key',
  title: 'Mint a publishable key',
  description:
    'Creates a publishable key, which can start web sessions and nothing else. Only this response shows the full key. Secret keys are created on the command line.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/keys', status: 201 },
  input: v.strictObject({
    projectId: ref('project'),
    keyType: v.pipe(v.literal('publishable'), v.description('Publishable, and nothing else.')),
    name: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxCodePoints(100),
        v.description('Where the key is used, such as Homepage.'),
      ),
      'Publishable key',
    ),
    scope: v.optional(
      v.pipe(v.picklist(keyScopes), v.description('Recorded only; it has no effect.')),
      'service_app',
    ),
  }),
  output: v.strictObject({ ...KeyRecord.entries, key: v.string() }),
  access: 'admin',
  effect: { readOnly: false, destructive: false, idempotent: false },
  errors: { 400: ['secret_keys_not_mintable'] },
  special: {
    secretOutput: {
      member: 'key',
      instead: 'Revoke that key (details.result.id) with revoke_key, and mint another.',
    },
    securityEvent: true,
    beforeCheck({ keyType }) {
      if (keyType !== 'secret') return;
      const message = 'This operation creates no secret keys; use parley key create.';
      throw new ToolError('secret_keys_not_mintable', message, {
        hint: 'Only keyType publishable is accepted.',
      });
    },
  },
  async handler({ stores, services }, { keyType, name, scope }) {
    const { text, ...stored } = services.mintKey(keyType);
    return { ...(await stores.keys.create({ name, keyType, scope, ...stored })), key: text };
  },
});
