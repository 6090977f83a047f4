import { errors } from 'oidc-provider';

/** What a client says about itself (RFC 7591), from its metadata document or its registration. Nothing of it is verified. */
export type ClientMetadata = Record<string, unknown>;

const mostRedirects = 20;
const longestRedirect = 2_000;
/** Code points. */
const longestName = 100;

/** A host goes into the Content-Security-Policy of the sign-in page, where `;` would begin another directive. */
const plainHost = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/;

/**
 * The scheme of an app. RFC 8252 section 7.1 asks for a domain name of its maker, reversed: `com.example.app:`. Any other scheme
 * may start a program of the system, such as `search-ms:`, and so do those of Windows' own apps.
 */
const reversedDomain = /^(?!microsoft\.)[a-z]{2,63}(?:\.[a-z0-9-]+)+:$/;
/** Apps whose schemes are older than that rule. */
const knownApps: ReadonlySet<string> = new Set([
  'claude:',
  'cursor:',
  'vscode:',
  'vscode-insiders:',
  'vscodium:',
  'windsurf:',
  'zed:',
]);

/** The members that Parley reads; it keeps no other. */
const readMembers: ReadonlySet<string> = new Set([
  'client_id',
  'client_id_issued_at',
  'client_name',
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
  'jwks',
  'jwks_uri',
]);

/**
 * Reduces the metadata of a client to what Parley reads, and fills in what clients leave out. Without an `application_type`
 * they would count as web sites, although the redirects of Claude Code (loopback) and Cursor (a private scheme) are those
 * of native apps.
 * @throws InvalidClientMetadata if a redirect could send a code to someone else
 */
export function completeMetadata(metadata: ClientMetadata): void {
  for (const member of Object.keys(metadata)) if (!readMembers.has(member)) delete metadata[member];
  const redirects = metadata['redirect_uris'];
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > mostRedirects)
    throw refusal(`redirect_uris must have 1 to ${mostRedirects} addresses`);
  const isNative = redirects.map(checkedRedirect).some((kind) => kind === 'app');
  metadata['application_type'] = isNative ? 'native' : 'web';
  const { client_name: name } = metadata;
  if (typeof name === 'string') metadata['client_name'] = Array.from(name).slice(0, longestName).join('');
  const grants = metadata['grant_types'];
  const refreshes = Array.isArray(grants) && grants.includes('refresh_token');
  metadata['grant_types'] = ['authorization_code', ...(refreshes ? ['refresh_token'] : [])];
  metadata['response_types'] = ['code'];
  // Parley gives out no secrets: PKCE protects the codes.
  if (metadata['token_endpoint_auth_method'] === 'private_key_jwt') return;
  metadata['token_endpoint_auth_method'] = 'none';
  delete metadata['token_endpoint_auth_signing_alg'];
  delete metadata['jwks'];
  delete metadata['jwks_uri'];
}

/** Returns whether a redirect leads to a website or to an app on the person's own device. */
function checkedRedirect(redirect: unknown): 'website' | 'app' {
  if (typeof redirect !== 'string' || redirect.length > longestRedirect)
    throw refusal(`each of redirect_uris must be a text of at most ${longestRedirect} characters`);
  const url = URL.parse(redirect);
  if (!url || /[\s\\]/.test(redirect)) throw refusal('redirect_uris has a malformed address');
  if (redirect.includes('#')) throw refusal('redirect_uris must have no fragments');
  if (url.username !== '' || url.password !== '')
    throw refusal('redirect_uris must name no user and no password');
  if (url.protocol === 'https:' || url.protocol === 'http:') {
    if (!plainHost.test(url.hostname)) throw refusal('redirect_uris has a malformed host');
    // For an app, oidc-provider accepts http on loopback only, and with any port (RFC 8252 section 7.3).
    return url.protocol === 'http:' ? 'app' : 'website';
  }
  if (!reversedDomain.test(url.protocol) && !knownApps.has(url.protocol))
    throw refusal(
      `redirect_uris has a scheme that Parley does not allow. Use https, http on loopback, a reversed domain name such as com.example.app:, or ${[...knownApps].join(', ')}`,
    );
  return 'app';
}

function refusal(message: string): Error {
  return new errors.InvalidClientMetadata(message);
}
