import { accessOfKey } from '../operation/access.ts';
import type { Authenticate, Caller } from '../operation/context.ts';
import type { PreparedReader } from '../postgres/prepared.ts';
import { findIdentity } from '../resources/keys/identities.ts';
import { authenticator } from '../transports/auth/authenticate.ts';

/** Returns a function that finds the caller of a key, with the reader of the moment. */
export function callersIn(reader: () => PreparedReader): Authenticate {
  return authenticator((hash) => findCaller(reader(), hash));
}

/** The caller whose key has this SHA-256. */
async function findCaller(reader: PreparedReader, hash: Buffer): Promise<Caller | undefined> {
  const identity = await findIdentity(reader, hash);
  if (!identity) return undefined;
  const { keyId, projectId, keyType, scope } = identity;
  return Object.freeze({ keyId, projectId, keyType, scope, access: accessOfKey(scope, identity.access) });
}
