import { type Access, accessOfKey } from '../../operation/access.ts';
import type { Authenticate, Caller } from '../../operation/context.ts';
import { unauthorized } from '../../platform/errors.ts';
import { authenticator } from '../auth/authenticate.ts';
import type { Addresses } from './addresses.ts';
import type { OAuthStore } from './store.ts';

/** A caller with an access token. */
interface TokenCaller {
  readonly caller: Caller;
  readonly expiresAt: number;
  readonly audience: string;
  /** What the person could still allow: the access of the key that signed in. */
  readonly grantable: ReadonlySet<Access>;
}

/** The callers of the MCP endpoint. */
export interface TokenCallers {
  /** Finds the caller of a key or of an access token. */
  readonly authenticate: Authenticate;
  /** True if the caller has an access token that lacks this access, and the key that signed in has it. */
  canStepUp(caller: Caller, access: Access): boolean;
  /** When the caller's token expires, in milliseconds since 1970; undefined for a key. */
  expiryOf(caller: Caller): number | undefined;
}

/** The form that oidc-provider gives to tokens of 256 random bits. */
const tokenForm = /^[\w-]{43}$/;

/**
 * Access tokens stand for the key that was made for their grant, so the status of that key, which is read with every call,
 * ends them on every replica. What never changes about a token is cached, as for keys.
 */
export function tokenCallers(store: OAuthStore, keys: Authenticate, addresses: Addresses): TokenCallers {
  const tokens = new WeakMap<Caller, TokenCaller>();
  const find = authenticator(
    (hash) => findCaller(store, hash),
    (text) => tokenForm.test(text),
  );
  const admit = (token: TokenCaller): Caller => {
    if (token.expiresAt <= Date.now() || !addresses.isMcp(token.audience)) throw unauthorized();
    tokens.set(token.caller, token);
    return token.caller;
  };
  return {
    authenticate(credential) {
      if (credential === undefined || !tokenForm.test(credential)) return keys(credential);
      const token = find(credential);
      return token instanceof Promise ? token.then(admit) : admit(token);
    },
    canStepUp: (caller, access) =>
      !caller.access.has(access) && (tokens.get(caller)?.grantable.has(access) ?? false),
    expiryOf: (caller) => tokens.get(caller)?.expiresAt,
  };
}

async function findCaller(store: OAuthStore, hash: Buffer): Promise<TokenCaller | undefined> {
  const row = await store.accessToken(hash);
  if (!row) return undefined;
  const scopes = row.scope?.split(' ') ?? [];
  const ofKey = accessOfKey(row.key_scope, row.access);
  return {
    caller: Object.freeze({
      keyId: row.key_id,
      projectId: row.project_id,
      keyType: 'secret',
      scope: row.key_scope,
      access: new Set([...ofKey].filter((access) => scopes.includes(access))),
    } satisfies Caller),
    expiresAt: row.expires_at.getTime(),
    audience: row.audience ?? '',
    grantable: accessOfKey(row.key_scope, row.signed_in_access),
  };
}
