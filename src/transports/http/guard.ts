import type { IncomingMessage } from 'node:http';
import { invalidRequest, ToolError } from '../../platform/errors.ts';

/**
 * Refuses what RFC 9110 and 9112 forbid and Node.js accepts: other versions of HTTP, a malformed target, a missing,
 * repeated or malformed Host, and any transfer coding but chunked.
 * @throws ToolError `invalid_request`
 */
export function requireWellFormed(request: IncomingMessage): void {
  const { httpVersion, headers, rawHeaders, url = '' } = request;
  const old = httpVersion === '1.0';
  if (!old && httpVersion !== '1.1') throw malformed('Expected HTTP/1.1.');
  if (!isTarget(url)) throw malformed('The request target is not valid.');
  const hosts = valuesOf(rawHeaders, 'host');
  if (hosts.length > 1 || (hosts.length === 0 && !old)) throw malformed('Expected exactly one Host header.');
  if (hosts[0] && !isHost(hosts[0])) throw malformed('The Host header is not a valid host.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    throw malformed('Expected no Transfer-Encoding but chunked.');
}

/** True for the origin, asterisk or absolute form of a request target. */
function isTarget(url: string): boolean {
  return url.startsWith('/') || url === '*' || (/^https?:\/\//i.test(url) && URL.canParse(url));
}

/** The last valid host. Nearly every request has the same one. */
let lastHost = '';

function isHost(host: string): boolean {
  if (host === lastHost) return true;
  if (/[\s/?#@\\]/.test(host) || !URL.canParse(`http://${host}`)) return false;
  lastHost = host;
  return true;
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1];
    if (value !== undefined && rawHeaders[at]?.toLowerCase() === name) values.push(value);
  }
  return values;
}

function malformed(message: string): ToolError {
  return invalidRequest([{ in: 'body', path: '', message }]);
}

/** The names of this machine, as URLs write them. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns a guard against DNS rebinding (MCP, Streamable HTTP, security). The names in Host and, if a browser sends it,
 * Origin must be loopback or the server's public name.
 * @throws ToolError `forbidden`
 */
export function hostGuard(publicUrl: string | undefined): (request: IncomingMessage) => void {
  const allowed = new Set(loopbackHosts);
  if (publicUrl !== undefined) allowed.add(new URL(publicUrl).hostname);
  return ({ headers }) => {
    const { host, origin } = headers;
    if (!allowed.has(hostnameOf(`http://${host ?? ''}`)))
      throw new ToolError(
        'forbidden',
        'This Host is not served here. Set PARLEY_PUBLIC_URL to the public address of the server.',
      );
    if (origin !== undefined && !allowed.has(hostnameOf(origin)))
      throw new ToolError('forbidden', 'This Origin may not call here.');
  };
}

/** Returns the host name of a URL, or `""`, which is never allowed, if the URL is malformed. */
function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
