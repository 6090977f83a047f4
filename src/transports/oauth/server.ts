import type { IncomingMessage } from 'node:http';
import Router, { type RouterContext, type RouterMiddleware } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type Provider from 'oidc-provider';
import { type Access, accesses } from '../../operation/access.ts';
import type { Authenticate, Caller } from '../../operation/context.ts';
import type { Log } from '../../platform/log.ts';
import type { GuessingThrottle } from '../auth/guessing.ts';
import type { RequestState } from '../http/request-state.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import { type Addresses, mcpPath, openAddresses, resourceMetadataPath } from './addresses.ts';
import { type IdentityProvider, identityProviderCallers, jwtForm } from './identity-provider.ts';
import { paths } from './paths.ts';
import type { ProviderParts } from './provider.ts';
import { type SignInParts, signIn } from './sign-in.ts';
import type { OAuthStore } from './store.ts';
import { type TokenCallers, tokenCallers } from './token-callers.ts';

export interface OAuthOptions {
  readonly runtime: ServerRuntime;
  /** Finds the caller of a key. */
  readonly authenticate: Authenticate;
  readonly store: OAuthStore;
  readonly log: Log;
  readonly throttle: GuessingThrottle;
  /** The address of this server for browsers and other machines, besides loopback. */
  readonly publicUrl: string | undefined;
  /** The public address, or else the one on which the server listens. */
  readonly address: () => string;
  /** Makes tokens in place of Parley. Undefined: people sign in with keys. */
  readonly identityProvider?: IdentityProvider | undefined;
  readonly demoKey?: SignInParts['demoKey'];
  readonly hasDemo?: SignInParts['hasDemo'];
}

/** Lets MCP clients in that know nothing but the URL of the server (MCP, Authorization; OAuth 2.1). */
export interface OAuth extends TokenCallers {
  /** Serves the metadata, the authorization server and its sign-in page, and passes on any other request. */
  readonly middleware: Middleware;
  /**
   * The `WWW-Authenticate` of a request to the MCP endpoint that needs another token (RFC 6750, RFC 9728).
   * @param error `invalid_token` for a wrong credential, `insufficient_scope` with the access that the request needs
   */
  challenge(ctx: Context, error?: 'invalid_token' | 'insufficient_scope', needed?: readonly Access[]): string;
}

/** What a client asks for if it says nothing: `admin` has to be asked for by name. */
const usualScopes: readonly Access[] = ['read', 'run', 'draft', 'publish'];

/** Seconds for which browsers remember that another origin may send a request. */
const preflightAge = '3600';

/** Where requests come from that oidc-provider serves: its contexts do not have the state of ours. */
const clientAddresses = new WeakMap<IncomingMessage, string>();
const addressOf = (request: IncomingMessage) => clientAddresses.get(request);

/** Returns the authorization server of this installation, and what the MCP endpoint needs of it. */
export function openOAuth(options: OAuthOptions): OAuth {
  const { publicUrl, address, store, authenticate, runtime, log, identityProvider } = options;
  const addresses = openAddresses(publicUrl, address);
  const callers = identityProvider
    ? callersOf(identityProvider, options, addresses)
    : tokenCallers(store, authenticate, addresses);
  let opened: { readonly issuer: string; readonly provider: Promise<Provider> } | undefined;
  /** Opened with the first request, so that the start does not wait for it. The issuer changes only in tests. */
  const provider = () => {
    const issuer = addresses.issuer();
    if (opened?.issuer !== issuer)
      opened = { issuer, provider: load({ issuer, addresses, store, runtime, log, addressOf }) };
    return opened.provider;
  };
  const router = new Router({ sensitive: true, strict: true });

  const resourceMetadata: Middleware = (ctx) => {
    setRoute(ctx, resourceMetadataPath);
    allowEveryOrigin(ctx, 'GET');
    if (ctx.method === 'OPTIONS') return;
    ctx.body = {
      resource: `${addresses.typed(ctx.req)}${mcpPath}${ctx.search}`,
      authorization_servers: [identityProvider?.issuer ?? addresses.issuer()],
      scopes_supported: usualScopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Parley',
    };
  };
  for (const path of [resourceMetadataPath, `${resourceMetadataPath}${mcpPath}`])
    router.register(path, ['GET', 'OPTIONS'], resourceMetadata);

  const challenge: OAuth['challenge'] = (ctx, error, needed = []) => {
    const scopes = error === 'insufficient_scope' ? needed : wantedBy(ctx);
    const metadata = `${addresses.typed(ctx.req)}${resourceMetadataPath}${mcpPath}${ctx.search}`;
    const parameters = {
      ...(error && { error }),
      scope: scopes.join(' '),
      resource_metadata: metadata.replaceAll('"', '%22').replaceAll('\\', '%5C'),
    };
    const text = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
    return `Bearer ${text.join(', ')}`;
  };
  if (identityProvider) return { ...callers, middleware: router.routes() as Middleware, challenge };

  const pass = async (ctx: Context) => handOver(ctx, await provider(), addresses.issuer());
  for (const path of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    paths.jwks,
  ])
    router.register(path, ['GET', 'OPTIONS'], routed(path, pass));
  for (const path of [paths.token, paths.revocation])
    router.register(path, ['POST', 'OPTIONS'], routed(path, pass));
  router.get(`${paths.authorization}/:uid`, routed(`${paths.authorization}/{uid}`, pass));
  router.get(
    paths.authorization,
    routed(paths.authorization, async (ctx) => {
      ctx.req.url = withKnownScopes(ctx.url);
      await pass(ctx);
    }),
  );
  router.register(
    paths.registration,
    ['POST', 'OPTIONS'],
    routed(paths.registration, async (ctx) => {
      allowEveryOrigin(ctx, 'POST');
      if (ctx.method === 'POST') await pass(ctx);
    }),
  );
  const signInParts = { demoKey: undefined, hasDemo: () => false, ...options, addresses };
  router.register(
    `${paths.signIn}/:uid`,
    ['GET', 'POST'],
    routed(`${paths.signIn}/{uid}`, async (ctx) => {
      await signIn(await provider(), signInParts)(ctx, ctx.params['uid'] ?? '');
    }),
  );

  return {
    ...callers,
    middleware: router.routes() as Middleware,
    challenge,
  };
}

/** The callers with keys, and with tokens of an identity provider, which only it can step up. */
function callersOf(
  identityProvider: IdentityProvider,
  { store, authenticate, log }: OAuthOptions,
  addresses: Addresses,
): TokenCallers {
  const find = identityProviderCallers(identityProvider, store, addresses, log);
  const expiries = new WeakMap<Caller, number>();
  return {
    async authenticate(credential) {
      if (credential === undefined || !jwtForm.test(credential)) return authenticate(credential);
      const { caller, expiresAt } = await find(credential);
      expiries.set(caller, expiresAt);
      return caller;
    },
    canStepUp: () => false,
    expiryOf: (caller) => expiries.get(caller),
  };
}

async function load(parts: ProviderParts): Promise<Provider> {
  const { openProvider } = await import('./provider.ts');
  return openProvider(parts);
}

/** Names the route for the log, which must not show what the address holds. */
function routed(route: string, serve: (ctx: RouterContext) => Promise<void>): RouterMiddleware {
  return async (ctx) => {
    setRoute(ctx, route);
    await serve(ctx);
  };
}

function setRoute(ctx: Context, route: string): void {
  (ctx.state as RequestState).route = route;
}

/** Lets pages of every origin call: no cookie takes part. */
function allowEveryOrigin(ctx: Context, method: string): void {
  ctx.set('access-control-allow-origin', '*');
  if (ctx.method !== 'OPTIONS') return;
  ctx.set({
    'access-control-allow-methods': method,
    'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
    'access-control-max-age': preflightAge,
  });
  ctx.status = 204;
}

/** Hands a request over to oidc-provider. */
async function handOver(ctx: Context, provider: Provider, issuer: string): Promise<void> {
  underIssuer(ctx, issuer);
  const { client } = ctx.state as RequestState;
  if (client?.address) clientAddresses.set(ctx.req, client.address);
  ctx.respond = false;
  await provider.callback()(ctx.req, ctx.res);
}

/** Makes oidc-provider build its addresses from the issuer, whatever a client or a proxy says about them. */
function underIssuer({ req }: Context, issuer: string): void {
  const { protocol, host, pathname } = new URL(issuer);
  req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  req.headers['x-forwarded-host'] = host;
  if (pathname !== '/') Object.assign(req, { originalUrl: `${pathname}${req.url}` });
}

/** Ignores scopes that Parley does not know (RFC 6749 section 3.3), and fills in the usual ones. */
function withKnownScopes(url: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  // A repeated parameter is refused later.
  if (parameters.getAll('scope').length > 1) return url;
  const asked = parameters.get('scope')?.split(' ') ?? [];
  const known = accesses.filter((access) => asked.includes(access));
  parameters.set('scope', (known.length > 0 ? known : usualScopes).join(' '));
  return `${path}?${parameters}`;
}

/** What a client should ask for: what the address of the MCP endpoint is narrowed to, else the usual scopes. */
function wantedBy(ctx: Context): readonly Access[] {
  const narrowed = new URLSearchParams(ctx.search).get('access')?.split(',') ?? [];
  const known = accesses.filter((access) => narrowed.includes(access));
  return known.length > 0 ? known : usualScopes;
}
