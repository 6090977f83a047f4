import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from 'koa';
import type Provider from 'oidc-provider';
import { type Access, accesses } from '../../operation/access.ts';
import type { Authenticate, Caller } from '../../operation/context.ts';
import { ToolError, unauthorized } from '../../platform/errors.ts';
import { type Log, logSecurityEvent } from '../../platform/log.ts';
import type { GuessingThrottle } from '../auth/guessing.ts';
import { readBytes } from '../http/body.ts';
import type { RequestState } from '../http/request-state.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import { accountOf } from './account.ts';
import type { Addresses } from './addresses.ts';
import { errorPage, sendPage } from './page.ts';
import { type SignInRequest, signInPage } from './sign-in-page.ts';
import type { GrantKey } from './store.ts';

export interface SignInParts {
  readonly runtime: ServerRuntime;
  readonly authenticate: Authenticate;
  readonly addresses: Addresses;
  /** Slows those who guess keys. */
  readonly throttle: GuessingThrottle;
  readonly log: Log;
  /** Returns the key of the demo to a browser of the user who runs the server. */
  readonly demoKey: ((request: Context['req']) => string) | undefined;
  /** True for such a browser. */
  readonly hasDemo: (request: Context['req']) => boolean;
}

/** Bytes of the form. */
const formLimit = 8_192;
/** Milliseconds in which a client has to redeem its first code; its tokens then prolong the life of the key. */
const firstLife = 300_000;
/** Characters of the name of a key, and of what a client calls itself in it. */
const [longestName, longestClaim] = [100, 40];
/** Sign-ins of one client with one key: a person may use it on several machines, whose sign-ins look alike. */
const mostSignIns = 10;

/** What a person allows. */
interface Allowed {
  /** The key that was made for it. */
  readonly key: GrantKey;
  readonly granted: readonly Access[];
}

/** A sign-in in progress, as oidc-provider has stored it. */
type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Serves the page on which a person lets a client in, and takes the decision. */
export function signIn(provider: Provider, parts: SignInParts) {
  return async (ctx: Context, uid: string): Promise<void> => {
    const interaction = await interactionOf(provider, ctx, uid);
    if (!interaction) {
      errorPage(ctx, 'This sign-in is unknown, over, or was begun in another browser.', 404);
      return;
    }
    const request = await requestOf(provider, interaction, parts.hasDemo(ctx.req));
    if (ctx.method !== 'POST') {
      show(ctx, 200, request, interaction);
      return;
    }
    requireOwnPage(ctx, parts.addresses);
    const form = new URLSearchParams((await readBytes(ctx.req, formLimit)).toString('utf8'));
    const decision = form.get('decision');
    if (decision === 'deny') {
      await finish(provider, ctx, { error: 'access_denied', error_description: 'The person refused.' });
      return;
    }
    const chosen = request.wanted.filter((access) => form.getAll('access').includes(access));
    try {
      const key = decision === 'demo' ? parts.demoKey?.(ctx.req) : form.get('key')?.trim();
      const allowed = await allow(ctx, parts, key, chosen, request);
      const grantId = await storeGrant(provider, interaction, allowed);
      const result = { login: { accountId: accountOf(allowed.key), remember: false }, consent: { grantId } };
      await finish(provider, ctx, result);
    } catch (error) {
      if (!(error instanceof ToolError) || error.status >= 500) throw error;
      const { requestId, client } = ctx.state as RequestState;
      if (error.status === 401) await delay(parts.throttle.refused(client?.network ?? ''));
      logSecurityEvent(parts.log, {
        event: error.code,
        requestId,
        tool: undefined,
        address: client?.address,
        caller: undefined,
      });
      show(ctx, error.status, { ...request, chosen, problem: error.message }, interaction);
    }
  };
}

/** The sign-in of this browser; undefined if its cookie belongs to another one, or it is over. */
async function interactionOf(provider: Provider, { req, res }: Context, uid: string) {
  try {
    const interaction = await provider.interactionDetails(req, res);
    return interaction.uid === uid ? interaction : undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
    throw error;
  }
}

/** A form of another site must not decide, even if it could send the cookie. @throws ToolError `forbidden` */
function requireOwnPage({ req }: Context, addresses: Addresses): void {
  const { origin = '' } = req.headers;
  const site = req.headers['sec-fetch-site'] ?? 'same-origin';
  if (origin !== new URL(addresses.typed(req)).origin || site !== 'same-origin')
    throw new ToolError('forbidden', 'Only the sign-in page itself may send this form.');
}

async function requestOf(
  provider: Provider,
  { params }: Interaction,
  hasDemo: boolean,
): Promise<SignInRequest> {
  const clientId = textIn(params, 'client_id');
  const redirect = new URL(textIn(params, 'redirect_uri'));
  const client = await provider.Client.find(clientId);
  const isWebsite = redirect.protocol === 'https:';
  const wanted = wantedIn(params);
  return {
    source: clientId.startsWith('https://') ? new URL(clientId).host : undefined,
    destination:
      redirect.host === ''
        ? redirect.protocol
        : `${isWebsite ? '' : `${redirect.protocol}//`}${redirect.host}`,
    isApp: !isWebsite,
    claimedName: readable(client?.clientName),
    wanted,
    chosen: wanted,
    hasDemo,
    problem: undefined,
  };
}

/** A parameter of the authorization request, which oidc-provider has checked. */
function textIn(params: Interaction['params'], name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}

function wantedIn(params: Interaction['params']): readonly Access[] {
  const scopes = textIn(params, 'scope').split(' ');
  return accesses.filter((access) => scopes.includes(access));
}

/** A text of the client without characters that are invisible or change the direction of others. */
function readable(text: string | undefined): string | undefined {
  const plain = text?.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  return plain === '' ? undefined : plain;
}

/**
 * Makes a key for the client that ends with the key of the person.
 * @throws ToolError `unauthorized` for a key that is not valid, `forbidden` if the key has none of the access
 */
async function allow(
  ctx: Context,
  { authenticate, runtime, log }: SignInParts,
  key: string | undefined,
  chosen: readonly Access[],
  request: SignInRequest,
): Promise<Allowed> {
  const caller = await authenticate(key === '' ? undefined : key);
  if (caller.keyType !== 'secret') throw unauthorized();
  const granted = chosen.filter((access) => caller.access.has(access));
  if (granted.length === 0)
    throw new ToolError(
      'forbidden',
      chosen.length === 0
        ? 'Choose what the app may do.'
        : `This key has none of the access that you chose; it has ${[...caller.access].join(', ')}.`,
    );
  const { requestId, client } = ctx.state as RequestState;
  const keyId = await makeKey(runtime, caller, granted, clientOf(request), requestId);
  const address = client?.address;
  logSecurityEvent(log, { event: 'oauth_grant', requestId, tool: undefined, address, caller });
  return { key: { projectId: caller.projectId, keyId }, granted };
}

/** The name of a client in lists: its address, which it cannot make up, then the name that it gives itself. */
function clientOf({ source, isApp, destination, claimedName }: SignInRequest): string {
  const claim = claimedName && Array.from(claimedName).slice(0, longestClaim).join('');
  if (isApp && source === undefined) return `app (${claim ?? destination})`;
  return `${source ?? destination}${claim === undefined ? '' : ` (${claim})`}`;
}

/** The key of a grant. Its text is forgotten at once: only tokens of the grant stand for it. */
function makeKey(
  runtime: ServerRuntime,
  caller: Caller,
  granted: readonly Access[],
  client: string,
  requestId: string,
): Promise<string> {
  return runtime.write(caller, async ({ stores, ledger }) => {
    // A key that is revoked at the same moment takes the new one with it, or makes none.
    const own = (await stores.keys.lock([caller.keyId])).get(caller.keyId);
    if (own?.status !== 'active') throw unauthorized();
    for (const ended of await stores.keys.revokeSignIns(own.id, client, mostSignIns - 1))
      ledger.audit({
        keyId: caller.keyId,
        operation: 'revoke_key',
        requestId,
        inputHash: hashed({ keyId: ended.id }),
        outputHash: hashed(ended),
        resourceId: ended.id,
        summary: `${JSON.stringify(ended.name)}; a newer sign-in takes its place`,
      });
    const { text: _, ...minted } = runtime.services.mintKey('secret');
    const name = Array.from(`${own.name} via ${client}`).slice(0, longestName).join('');
    const record = await stores.keys.createRestricted({
      name,
      keyType: 'secret',
      scope: caller.scope,
      access: granted,
      mintedBy: caller.keyId,
      expiresAt: new Date(Date.now() + firstLife),
      oauthClient: client,
      ...minted,
    });
    ledger.audit({
      keyId: caller.keyId,
      operation: 'create_restricted_key',
      requestId,
      inputHash: hashed({ name, access: granted }),
      outputHash: hashed(record),
      resourceId: record.id,
      summary: `${JSON.stringify(name)}; OAuth with ${granted.join(', ')}`,
    });
    return record.id;
  });
}

function hashed(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Stores what the person allows. @returns the id of the grant */
function storeGrant(provider: Provider, { params }: Interaction, { key, granted }: Allowed): Promise<string> {
  const grant = new provider.Grant({ accountId: accountOf(key), clientId: textIn(params, 'client_id') });
  for (const resource of [params['resource']].flat())
    if (typeof resource === 'string') grant.addResourceScope(resource, granted.join(' '));
  return grant.save();
}

async function finish(
  provider: Provider,
  ctx: Context,
  result: Parameters<Provider['interactionResult']>[2],
): Promise<void> {
  const next = await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
  ctx.status = 303;
  ctx.set({ location: next, 'cache-control': 'no-store' });
  ctx.body = '';
}

function show(ctx: Context, status: number, request: SignInRequest, { params }: Interaction): void {
  const { protocol, origin } = new URL(textIn(params, 'redirect_uri'));
  const destination = protocol === 'https:' || protocol === 'http:' ? origin : protocol;
  sendPage(ctx, status, 'Sign in to Parley', signInPage(request), destination);
}
