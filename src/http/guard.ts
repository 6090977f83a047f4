import type { IncomingMessage } from 'node:http';
import { ToolError } from '../errors.ts';

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
