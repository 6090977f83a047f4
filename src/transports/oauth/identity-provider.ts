import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { accesses, accessOfKey } from '../../operation/access.ts';
import type { Caller } from '../../operation/context.ts';
import { unauthorized } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { type Addresses, mcpPath } from './addresses.ts';
import type { OAuthStore } from './store.ts';

/** An identity provider of the operator (OpenID Connect). */
export interface IdentityProvider {
  readonly issuer: string;
  /** What tokens must be made for. Undefined: the URL of the MCP endpoint. */
  readonly audience: string | undefined;
  /** The first rule that matches a token decides as which key it calls. */
  readonly rules: readonly {
    readonly claim: string;
    readonly value: string;
    readonly projectId: string;
    readonly keyId: string;
  }[];
}

/** Asymmetric algorithms only: with another one, whoever knows the public key could make tokens. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Seconds by which the clocks may differ. */
const clockTolerance = 5;
/** Milliseconds that the identity provider has for its metadata and keys. */
const timeout = 5_000;

/** A JWT in its compact form (RFC 7519). */
export const jwtForm = /^[\w-]{2,16384}\.[\w-]{2,16384}\.[\w-]{2,4096}$/;

/**
 * Returns a function that finds the caller of a token of the identity provider, and when the token expires, in milliseconds
 * since 1970. The provider's keys are read with the first token, and again if it signs with another one. The status of the Parley key is read with every call, as for any.
 * @throws ToolError `unauthorized` for a token that is not valid here
 */
export function identityProviderCallers(
  { issuer, audience, rules }: IdentityProvider,
  store: OAuthStore,
  addresses: Addresses,
  log: Log,
): (token: string) => Promise<{ readonly caller: Caller; readonly expiresAt: number }> {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const keysOfIssuer = () => {
    keys ??= loadKeys(issuer).catch((error: unknown) => {
      // The next token tries again.
      keys = undefined;
      throw error;
    });
    return keys;
  };
  return async (token) => {
    const payload = await verified(token, await keysOfIssuer(), {
      issuer,
      audience: audience ?? `${addresses.issuer()}${mcpPath}`,
      algorithms,
      clockTolerance,
    }).catch((error: unknown) => {
      log.warn({ err: error }, 'a token of the identity provider was refused');
      throw unauthorized();
    });
    const rule = rules.find(({ claim, value }) => hasClaim(payload, claim, value));
    const key = rule && (await store.key(rule));
    if (!key) throw unauthorized();
    const ofKey = accessOfKey(key.scope, key.access);
    const scopes = typeof payload['scope'] === 'string' ? payload['scope'].split(' ') : [];
    const named = accesses.filter((access) => scopes.includes(access));
    const caller: Caller = {
      keyId: key.keyId,
      projectId: key.projectId,
      keyType: 'secret',
      scope: key.scope,
      access: named.length === 0 ? ofKey : new Set(named.filter((access) => ofKey.has(access))),
    };
    return { caller, expiresAt: (payload.exp + clockTolerance) * 1_000 };
  };
}

async function loadKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet } = await import('jose');
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { signal: AbortSignal.timeout(timeout), redirect: 'error' });
  const metadata = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
  // OpenID Connect Discovery 1.0, section 4.3.
  if (metadata.issuer !== issuer || typeof metadata.jwks_uri !== 'string')
    throw new Error(`${address} does not describe the issuer of PARLEY_OIDC_ISSUER`);
  return createRemoteJWKSet(new URL(metadata.jwks_uri), { timeoutDuration: timeout });
}

async function verified(
  token: string,
  keys: JWTVerifyGetKey,
  options: Parameters<typeof import('jose').jwtVerify>[2],
): Promise<JWTPayload & { readonly exp: number }> {
  const { jwtVerify } = await import('jose');
  const { payload } = await jwtVerify(token, keys, options);
  const { exp } = payload;
  if (exp === undefined) throw new Error('the token has no end');
  return { ...payload, exp };
}

function hasClaim(payload: JWTPayload, claim: string, value: string): boolean {
  const found = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
  return Array.isArray(found) ? found.includes(value) : found === value;
}
