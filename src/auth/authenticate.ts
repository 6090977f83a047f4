import { unauthorized } from '../errors.ts';
import type { Identity } from '../store/identities.ts';
import { fingerprint, hashKey, isWellFormedKey } from './key.ts';

/** The identity behind a request's credential, at once where it was seen before. */
export type Authenticate = (credential: string | undefined) => Identity | Promise<Identity>;

const maximumCached = 10_000;

/**
 * Finds whose key a credential is. Only identities are cached, which never change; whether the key is still
 * active is read with each call.
 * @throws ToolError `unauthorized` for a missing, malformed or unknown key.
 */
export function authenticator(find: (hash: Buffer) => Promise<Identity | undefined>): Authenticate {
  const cache = new Map<string, Identity>();
  const look = async (credential: string | undefined) => {
    if (credential === undefined || !isWellFormedKey(credential)) throw unauthorized();
    const identity = await find(hashKey(credential));
    if (!identity) throw unauthorized();
    const oldest = cache.size >= maximumCached ? cache.keys().next().value : undefined;
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(fingerprint(credential), identity);
    return identity;
  };
  return (credential) =>
    (credential === undefined ? undefined : cache.get(fingerprint(credential))) ?? look(credential);
}
