import type { IncomingMessage } from 'node:http';
import { invalidRequest, ToolError } from '../errors.ts';

/**
 * What Node.js lets pass and RFC 9110 and 9112 do not: other versions of HTTP, a target that is no address, a
 * Host that is missing, repeated or no host, a transfer coding that nobody undoes.
 * @throws ToolError `invalid_request`
 */
export function requireWellFormed(request: IncomingMessage): void {
  const { httpVersion, headers, rawHeaders, url = '' } = request;
  const old = httpVersion === '1.0';
  if (!old && httpVersion !== '1.1') throw malformed('Expected HTTP/1.1.');
  if (!isTarget(url)) throw malformed('The request target is not a valid one.');
  const hosts = valuesOf(rawHeaders, 'host');
  if (hosts.length > 1 || (hosts.length === 0 && !old)) throw malformed('Expected exactly one Host header.');
  if (hosts[0] && !isHost(hosts[0])) throw malformed('Host is not the name of a host.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    throw malformed('Expected no Transfer-Encoding but chunked.');
}

/** Origin-form, asterisk-form, or absolute-form of HTTP. */
function isTarget(url: string): boolean {
  return url.startsWith('/') || url === '*' || (/^https?:\/\//i.test(url) && URL.canParse(url));
}

/** Nearly every request names the same one. */
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

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A guard against DNS rebinding (MCP, Streamable HTTP, security): the names in Host and, where a browser
 * sends one, in Origin have to be loopback or the server's public name.
 * @throws ToolError `forbidden`
 */
export function hostGuard(publicUrl: string | undefined): (request: IncomingMessage) => void {
  const allowed = new Set(loopback);
  if (publicUrl !== undefined) allowed.add(new URL(publicUrl).hostname);
  return ({ headers }) => {
    const { host, origin } = headers;
    if (!allowed.has(hostnameOf(`http://${host ?? ''}`)))
      throw new ToolError(
        'forbidden',
        'This Host is not served here. PARLEY_PUBLIC_URL names the public one.',
      );
    if (origin !== undefined && !allowed.has(hostnameOf(origin)))
      throw new ToolError('forbidden', 'This Origin may not call here.');
  };
}

/** The name in a URL; `""`, which is never allowed, where it is none. */
function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
