import * as v from 'valibot';
import { accesses, accessOfKey, keyScopes, keyTypes } from '../../operation/access.ts';
import { Cuid } from '../../operation/reference.ts';
import { details } from '../record/details.ts';
import { Timestamp, toSeconds } from '../record/timestamp.ts';
import type { RestrictableKey } from './store.ts';

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

/** What a key may do, and when it ends. A publishable key has no access: it starts web sessions and nothing else. */
const keyLimits = { access: v.array(v.picklist(accesses)), expiresAt: v.nullable(Timestamp) };

export const RestrictedKey = v.strictObject({ ...KeyRecord.entries, ...keyLimits });

/** A key as it is read, with its limits if the call has `details`. */
export const KeyRead = v.strictObject({
  ...KeyRecord.entries,
  access: v.exactOptional(keyLimits.access),
  expiresAt: v.exactOptional(keyLimits.expiresAt),
});

/** A key as it is listed. */
export const ListedKey = v.strictObject({
  ...KeyRead.entries,
  oauthClient: v.exactOptional(v.nullable(v.string())),
});

export const LimitDetails = details('access and expiresAt');
export const ListDetails = details('access, expiresAt and oauthClient');

export function withLimits({
  narrowedTo,
  expiresAt,
  oauthClient: _,
  ...key
}: RestrictableKey): v.InferOutput<typeof RestrictedKey> {
  const access = key.keyType === 'publishable' ? [] : [...accessOfKey(key.scope, narrowedTo)];
  return { ...key, access, expiresAt };
}

/** A key, with its limits if the call asked for them. */
export function keyRead(key: RestrictableKey, asked: boolean | undefined): v.InferOutput<typeof KeyRead> {
  const { access, expiresAt, ...record } = withLimits(key);
  return asked ? { ...record, access, expiresAt } : record;
}

/** A key of the list, with its limits and the client that signed in with it if the call asked for them. */
export function listedKey(key: RestrictableKey, asked: boolean | undefined): v.InferOutput<typeof ListedKey> {
  const record = keyRead(key, asked);
  return asked ? { ...record, oauthClient: key.oauthClient } : record;
}

/** A key as MCP lists it: what it may do and when it was used, in words. Nobody knows the text of a sign-in. */
export function briefKey(key: v.InferOutput<typeof ListedKey>) {
  const {
    id,
    name,
    keyType,
    keyPrefix,
    last4,
    status,
    lastUsedAt,
    access = [],
    expiresAt,
    oauthClient,
  } = key;
  return {
    id,
    name,
    ...(oauthClient ? { signedInThroughOAuth: oauthClient } : { key: `${keyPrefix}…${last4}` }),
    may: keyType === 'publishable' ? 'start web sessions only' : access.join(', '),
    lastUsed: lastUsedAt === null ? 'never' : toSeconds(lastUsedAt),
    ...(status === 'active' ? {} : { status }),
    ...(expiresAt && { expires: toSeconds(expiresAt) }),
  };
}
