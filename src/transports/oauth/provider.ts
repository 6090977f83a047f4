import { generateKeyPairSync } from 'node:crypto';
import { errors, interactionPolicy, type JWK, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { accesses } from '../../operation/access.ts';
import type { Log } from '../../platform/log.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import { keyOfAccount } from './account.ts';
import { type AddressOf, storageOn } from './adapter.ts';
import { type Addresses, mcpPath } from './addresses.ts';
import { completeMetadata } from './client-metadata.ts';
import { errorPage } from './page.ts';
import { paths } from './paths.ts';
import type { OAuthStore } from './store.ts';

const minute = 60;
const hour = 3_600;
const day = 86_400;

/** Seconds. Any of them ends earlier with the key that signed in. */
const lifetimes = {
  Interaction: 15 * minute,
  Session: 15 * minute,
  AuthorizationCode: minute,
  AccessToken: hour,
  RefreshToken: 30 * day,
  Grant: 365 * day,
};

/** Bytes of a metadata document, and of the keys of a client. */
const longestDocument = 16_384;
/** Seconds for which a replica remembers a metadata document. */
const documentAge = { min: 5 * minute, max: day };
/** Seconds that the server of a metadata document has. */
const documentTimeout = 3;

export interface ProviderParts {
  readonly issuer: string;
  readonly addresses: Addresses;
  readonly store: OAuthStore;
  readonly runtime: ServerRuntime;
  readonly log: Log;
  readonly addressOf: AddressOf;
}

/**
 * Opens the authorization server of an issuer. Tokens are opaque and live in Postgres, so nothing is signed but cookies,
 * with keys that follow the secret key of the installation.
 */
export function openProvider({ issuer, addresses, store, runtime, log, addressOf }: ProviderParts): Provider {
  const { authorization, token, registration, revocation, jwks } = paths;
  const provider = new Provider(issuer, {
    adapter: storageOn(store, addressOf),
    routes: { authorization, token, registration, revocation, jwks },
    responseTypes: ['code'],
    scopes: [...accesses],
    claims: {},
    clientAuthMethods: ['none', 'private_key_jwt'],
    clientDefaults: { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' },
    // oidc-provider calls the validator once for each of its properties, before it checks the others.
    extraClientMetadata: {
      properties: ['software_id'],
      validator: (_ctx, _property, _value, metadata) => completeMetadata(metadata),
    },
    // No cookie takes part at the endpoints that browsers of other origins may call.
    clientBasedCORS: () => true,
    cookies: {
      keys: [...runtime.digests('oauth cookies')],
      names: { interaction: 'parley_sign_in', resume: 'parley_authorization', session: 'parley_none' },
      short: { httpOnly: true, sameSite: 'lax', secure: issuer.startsWith('https:') },
      long: { httpOnly: true, sameSite: 'lax', secure: issuer.startsWith('https:') },
    },
    jwks: { keys: [unusedKey()] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    ttl: lifetimes,
    interactions: {
      policy: alwaysAsk(),
      url: (_ctx, { uid }) => `${new URL(issuer).pathname.replace(/\/$/, '')}${paths.signIn}/${uid}`,
    },
    findAccount: async (_ctx, accountId) => {
      const status = await runtime.keyStatus(keyOfAccount(accountId));
      return status?.keyStatus === 'active' ? { accountId, claims: () => ({ sub: accountId }) } : undefined;
    },
    fetch: async (url) => {
      const { status, body } = await runtime.services.requests.send(
        {
          method: 'GET',
          url: new Request(url).url,
          query: {},
          headers: { accept: 'application/json' },
          body: null,
          timeoutSeconds: documentTimeout,
          isWebhook: false,
        },
        undefined,
        new AbortController().signal,
      );
      return new Response(body, { status: status === 200 ? 200 : 502 });
    },
    fetchResponseBodyLimits: { 'client_id metadata document': longestDocument, jwks_uri: longestDocument },
    renderError: (ctx, { error, error_description: description }) => {
      errorPage(ctx, `${error}${description === undefined ? '' : `: ${description}`}`);
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: documentAge },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => {
          const [first = `${issuer}${mcpPath}`] = oneOf ?? [];
          return first;
        },
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          if (!addresses.isMcp(resource)) throw new errors.InvalidTarget();
          return {
            scope: accesses.join(' '),
            audience: resource,
            accessTokenTTL: lifetimes.AccessToken,
            accessTokenFormat: 'opaque',
          };
        },
      },
    },
  });
  // `openProvider` names the public address in these headers, whatever a proxy sent.
  provider.proxy = true;
  provider.use((ctx: KoaContextWithOIDC, next) => next().then(() => removeIdentity(ctx)));
  provider.on('authorization.error', requirePage);
  provider.on('server_error', (_ctx, err) => log.error({ err }, 'an OAuth request failed'));
  provider.on('grant.revoked', (_ctx, grantId) => log.info({ grantId }, 'an OAuth grant ended'));
  return provider;
}

/**
 * Keeps an error on a page of this server until a person has decided on the sign-in page. Anyone can register a client, and
 * would otherwise turn this server into an open redirector (RFC 9700 section 4.11.2).
 */
function requirePage({ oidc }: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  if (oidc.entities.Interaction?.result === undefined) error.allow_redirect = false;
}

/** Parley gives out no identity, but oidc-provider lists the scope `openid` and its claims whatever it is configured for. */
function removeIdentity({ oidc, body }: KoaContextWithOIDC): void {
  if (oidc?.route !== 'discovery') return;
  Object.assign(body as object, { scopes_supported: accesses, claims_supported: undefined });
}

/** oidc-provider requires a key for ID tokens. Parley issues none, so each process makes a key that signs nothing. */
function unusedKey(): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' };
}

/** Each authorization asks a person for a key, whatever the client wants. */
function alwaysAsk(): interactionPolicy.DefaultPolicy {
  const { base, Check, Prompt } = interactionPolicy;
  const policy = base();
  policy.clear();
  const isUnanswered = new Check('sign_in', 'a person must sign in', (ctx) => {
    const { oidc } = ctx;
    return oidc.result?.login === undefined || oidc.result.consent === undefined;
  });
  policy.add(new Prompt({ name: 'login', requestable: true }, isUnanswered));
  policy.add(new Prompt({ name: 'consent', requestable: true }));
  return policy;
}
