import * as v from 'valibot';
import { keyScopes, keyTypes } from '../../tool/access.ts';
import { Cuid } from '../../tool/reference.ts';
import { Timestamp } from '../timestamp.ts';

/** An API key without its text (service-api#api-key). */
export const KeyRecord = v.strictObject({
  id: Cuid,
  projectId: Cuid,
  name: v.string(),
  keyType: v.picklist(keyTypes),
  scope: v.picklist(keyScopes),
  keyPrefix: v.string(),
  last4: v.string(),
  status: v.picklist(['active', 'revoked']),
  lastUsedAt: v.nullable(Timestamp),
});
