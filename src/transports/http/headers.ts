import type { IncomingHttpHeaders } from 'node:http';

/**
 * True if the client has the current form of what it asks for (RFC 9110 section 13.1.2). A part of `If-None-Match` suffices: it may
 * be a list, and a proxy may have marked the tag as weak.
 * @param etag in quotes
 */
export function hasCurrent({ 'if-none-match': known = '' }: IncomingHttpHeaders, etag: string): boolean {
  return known.trim() === '*' || known.includes(etag);
}

/** True if a body is compressed, or encoded in another way. Names of codings have no case (RFC 9110 section 8.4.1). */
export function isEncoded({ 'content-encoding': codings = '' }: IncomingHttpHeaders): boolean {
  return codings.split(',').some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase()));
}
