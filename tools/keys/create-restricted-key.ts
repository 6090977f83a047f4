import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { accesses } from '../../src/operation/access.ts';
import { ref } from '../../src/operation/reference.ts';
import { unauthorized } from '../../src/platform/errors.ts';
import { RestrictedKey, withLimits } from '../../src/resources/keys/schema.ts';

const day = 86_400_000;

export const createRestrictedKey = defineTool({
  name: 'create_restricted_key',
  title: 'Create a restricted key',
  description:
    'Creates a secret key with at most the access of the key in use, and ending with it at the latest. Only this response shows it.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/restricted-keys', status: 201 },
  input: v.strictObject({
    projectId: ref('project'),
    name: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxCodePoints(100),
      v.description('Who or what the key is for.'),
    ),
    access: v.pipe(
      v.array(v.picklist(accesses)),
      v.minLength(1),
      v.maxLength(accesses.length),
      v.description(
        'All that it may do. run: models and sessions; draft: what callers do not meet yet; publish: what they meet.',
      ),
    ),
    days: v.exactOptional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(3650),
        v.description('Expires after so many days.'),
      ),
    ),
  }),
  output: v.strictObject({ ...RestrictedKey.entries, key: v.string() }),
  access: 'draft',
  inputAccess: { access: { access: 'listed', hint: 'A key cannot give more access than it has.' } },
  effect: { readOnly: false, destructive: false, idempotent: false },
  special: {
    secretOutput: {
      member: 'key',
      instead: 'Revoke that key (details.result.id) with an admin key, and create another.',
    },
    securityEvent: true,
  },
  async handler({ stores, services, caller }, { name, access, days }) {
    // A key that is revoked at the same moment takes the new one with it, or makes none.
    const own = (await stores.keys.lock([caller.keyId])).get(caller.keyId);
    if (own?.status !== 'active') throw unauthorized();
    const { text, ...stored } = services.mintKey('secret');
    const record = await stores.keys.createRestricted({
      name,
      keyType: 'secret',
      scope: caller.scope,
      access: accesses.filter((one) => access.includes(one)),
      mintedBy: caller.keyId,
      expiresAt: days === undefined ? null : new Date(Date.now() + days * day),
      ...stored,
    });
    return { ...withLimits(record), key: text };
  },
});
