import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { Blocked } from './fetch-failure.ts';
import { isPublicAddress } from './public-address.ts';
import type { Resolve } from './resolver.ts';

export interface ConnectorOptions {
  readonly resolve: Resolve;
  /** `host:port` pairs that may be at any address. */
  readonly allowed: ReadonlySet<string>;
  /** Milliseconds for DNS and the connection together. */
  readonly timeout: number;
  /** Whether an address may be dialled; by default those of the open internet. */
  readonly passes?: (address: string) => boolean;
}

/**
 * A connector for undici that checks addresses before it dials. It resolves a name once, all addresses must pass, and it
 * dials only these, so DNS rebinding has no effect. An address in the URL gets the same check. TLS still verifies the
 * name.
 */
export function wallConnector(options: ConnectorOptions): buildConnector.connector {
  const { resolve, allowed, timeout, passes = isPublicAddress } = options;
  const lookupFor = async (host: string): Promise<LookupFunction> => {
    const addresses = isIP(host) === 0 ? await resolve(host) : [host];
    const refused = addresses.find((address) => !passes(address));
    if (refused !== undefined || addresses.length === 0) throw new Blocked(`address ${refused ?? 'missing'}`);
    return (_name, { all }, callback) => {
      const checked = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = checked;
      if (all) callback(null, checked);
      else callback(null, first?.address ?? '', first?.family);
    };
  };
  return (target, callback) => {
    let waiting = true;
    const end = (...outcome: Parameters<buildConnector.Callback>) => {
      if (waiting) callback(...outcome);
      else outcome[1]?.destroy();
      waiting = false;
      clearTimeout(timer);
    };
    // undici's own timers fire up to a second late.
    const timer = setTimeout(() => end(new Error('no connection in time'), null), timeout);
    const dial = (lookup?: LookupFunction) =>
      buildConnector({ allowH2: false, timeout, ...(lookup && { lookup }) })(target, end);
    const port = target.port || (target.protocol === 'https:' ? '443' : '80');
    if (allowed.has(`${urlHost(target.hostname)}:${port}`)) dial();
    else lookupFor(target.hostname).then(dial, (error: unknown) => end(error as Error, null));
  };
}

/** The host as in a URL: undici removes the brackets of an IPv6 address. */
function urlHost(hostname: string): string {
  return isIP(hostname) === 6 ? `[${hostname}]` : hostname;
}
