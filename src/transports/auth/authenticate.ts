import { unauthorized } from '../../platform/errors.ts';
import { fingerprint, hashKey, isWellFormedKey } from '../../resources/keys/key.ts';

const maximumCached = 10_000;

/**
 * Returns a function that finds the caller of a credential, at once if it is cached. The cache holds only what never
 * changes about a key; whether the key is still active is read with every call.
 * @param find the caller whose key has this SHA-256
 * @param isWellFormed whether a credential is worth a query
 * @throws ToolError `unauthorized` for a missing, malformed or unknown key
 */
export function authenticator<Caller extends object>(
  find: (hash: Buffer) => Promise<Caller | undefined>,
  isWellFormed = isWellFormedKey,
): (credential: string | undefined) => Caller | Promise<Caller> {
  const cache = new Map<string, Caller>();
  const findAndCache = async (credential: string | undefined) => {
    if (credential === undefined || !isWellFormed(credential)) throw unauthorized();
    const caller = await find(hashKey(credential));
    if (!caller) throw unauthorized();
    const oldest = cache.size >= maximumCached ? cache.keys().next().value : undefined;
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(fingerprint(credential), caller);
    return caller;
  };
  return (credential) => {
    const cached = credential === undefined ? undefined : cache.get(fingerprint(credential));
    return cached ?? findAndCache(credential);
  };
}
