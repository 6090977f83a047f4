import { createHmac, randomBytes } from 'node:crypto';
import { usualSignatureHeader } from './header-names.ts';

const prefix = 'whsec_';
/** Bytes of a secret; Standard Webhooks 1.0 recommends 24 to 64. */
const secretBytes = 24;

/** Makes a secret for signatures of webhooks. */
export function mintSigningSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

/** How a webhook is signed. */
export interface Signing {
  /** `whsec_` with base64, or any other text, whose UTF-8 bytes are the key then. */
  readonly secret: string;
  /** The header that carries the signature, if it is not `webhook-signature`. */
  readonly header?: string | undefined;
}

/**
 * The headers by which a receiver knows and checks a webhook (Standard Webhooks 1.0): `webhook-id`,
 * `webhook-timestamp`, and the signature `v1,…` if there is a secret.
 */
export function signedHeaders(
  id: string,
  time: Date,
  body: string,
  signing: Signing | undefined,
): Record<string, string> {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)) };
  if (!signing) return headers;
  const { secret, header = usualSignatureHeader } = signing;
  const key = secret.startsWith(prefix)
    ? Buffer.from(secret.slice(prefix.length), 'base64')
    : Buffer.from(secret);
  const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  return { ...headers, [header.toLowerCase()]: `v1,${signature}` };
}
