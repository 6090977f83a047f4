/** A token of RFC 9110 (section 5.6.2). */
const token = /^[!#$%&'*+.^_`|~\da-z-]+$/;

/** Headers that belong to the connection. A request that could set them could speak to another host behind a proxy. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers by which a receiver knows a webhook (Standard Webhooks 1.0). Parley sets them. */
const ofWebhook: ReadonlySet<string> = new Set(['webhook-id', 'webhook-timestamp']);

/** Headers that say something else, which the signature would replace. */
const ofContent: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'content-encoding',
  'content-type',
  'cookie',
  'user-agent',
]);

/** The header that carries the signature of a webhook if its design names none. */
export const usualSignatureHeader = 'webhook-signature';

/** What a header is for: a value of a fetch, a value of a webhook, or the signature of a webhook. */
export type HeaderUse = 'fetch' | 'webhook' | 'signature';

/** Says why a header cannot be set, in words that fit after "The header NAME"; undefined if it can. */
export function headerNameProblem(name: string, use: HeaderUse): string | undefined {
  const lower = name.toLowerCase();
  if (!token.test(lower)) return 'has characters that cannot be sent';
  if (ofConnection.has(lower)) return 'belongs to the connection';
  if (use !== 'fetch' && ofWebhook.has(lower)) return 'identifies the webhook, and Parley sets it';
  if (use === 'signature' && ofContent.has(lower)) return 'cannot carry a signature';
  return undefined;
}

export function isSameHeader(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
