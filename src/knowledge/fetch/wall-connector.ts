import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { Blocked } from './fetch-failure.ts';
import { isPublicAddress } from './public-address.ts';
import type { Resolve } from './resolver.ts';

export interface ConnectorOptions {
  readonly resolve: Resolve;
  /** `host:port` that may be anywhere. */
  readonly allowed: ReadonlySet<string>;
  /** Milliseconds for a name's addresses and the connection together. */
  readonly timeout: number;
  /** Which addresses may be dialled: those of the open internet. */
  readonly passes?: (address: string) => boolean;
}

/**
 * Opens undici's connections. A name is resolved once, all of its addresses have to pass, and only these are dialled;
 * an address that stands in the URL passes the same check. The name stays what TLS asks for and compares.
 */
export function wallConnector(options: ConnectorOptions): buildConnector.connector {
  const { resolve, allowed, timeout, passes = isPublicAddress } = options;
  const lookupFor = async (host: string): Promise<LookupFunction> => {
    const addresses = isIP(host) === 0 ? await resolve(host) : [host];
    const refused = addresses.find((address) => !passes(address));
    if (refused !== undefined || addresses.length === 0) throw new Blocked(`address ${refused ?? 'missing'}`);
    return (_name, { all }, answer) => {
      const checked = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = checked;
      if (all) answer(null, checked);
      else answer(null, first?.address ?? '', first?.family);
    };
  };
  return (wanted, callback) => {
    let waiting = true;
    const end = (...outcome: Parameters<buildConnector.Callback>) => {
      if (waiting) callback(...outcome);
      else outcome[1]?.destroy();
      waiting = false;
      clearTimeout(timer);
    };
    // undici's own timers are up to a second late.
    const timer = setTimeout(() => end(new Error('no connection in time'), null), timeout);
    const dial = (lookup?: LookupFunction) =>
      buildConnector({ allowH2: false, timeout, ...(lookup && { lookup }) })(wanted, end);
    const port = wanted.port || (wanted.protocol === 'https:' ? '443' : '80');
    if (allowed.has(`${urlHost(wanted.hostname)}:${port}`)) dial();
    else lookupFor(wanted.hostname).then(dial, (error: unknown) => end(error as Error, null));
  };
}

/** As a URL writes it: undici takes the brackets of an IPv6 address away. */
function urlHost(hostname: string): string {
  return isIP(hostname) === 6 ? `[${hostname}]` : hostname;
}
