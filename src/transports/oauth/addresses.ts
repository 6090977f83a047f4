import type { IncomingMessage } from 'node:http';
import { ToolError } from '../../platform/errors.ts';
import { loopbackHosts } from '../http/guard.ts';

/** The path of the MCP endpoint, and of its metadata below `/.well-known`. */
export const mcpPath = '/mcp';
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

/** The addresses under which people and clients reach this server. */
export interface Addresses {
  /** The issuer of tokens: the public address, without a slash at its end. */
  issuer(): string;
  /**
   * The address that a request came to, as its client typed it, without a path: the public address or a loopback one.
   * @throws ToolError `forbidden` for another Host
   */
  typed(request: IncomingMessage): string;
  /** True if an address is that of the MCP endpoint, under any of its names and with any query. */
  isMcp(address: string): boolean;
}

/**
 * @param publicUrl the address for other machines, besides loopback
 * @param address the public address, or else the one on which the server listens
 */
export function openAddresses(publicUrl: string | undefined, address: () => string): Addresses {
  const publicBase = publicUrl?.replace(/\/$/, '');
  const publicHost = publicBase === undefined ? undefined : new URL(publicBase);
  return {
    issuer: () => address(),

    typed({ headers: { host = '' } }) {
      const url = URL.parse(`http://${host}`);
      if (url && url.host !== publicHost?.host && loopbackHosts.includes(url.hostname)) return url.origin;
      if (publicBase !== undefined && url?.hostname === publicHost?.hostname) return publicBase;
      throw new ToolError(
        'forbidden',
        'This Host is not served here. Set PARLEY_PUBLIC_URL to the public address of the server.',
      );
    },

    isMcp(text) {
      const url = URL.parse(text);
      if (url?.username !== '' || url.password !== '' || text.includes('#')) return false;
      const place = `${url.origin}${url.pathname}`;
      if (place === `${publicBase}${mcpPath}` || place === `${address()}${mcpPath}`) return true;
      return url.protocol === 'http:' && loopbackHosts.includes(url.hostname) && url.pathname === mcpPath;
    },
  };
}
