/** The origins that an entry of `allowedOrigins` matches: one, or those of all subdomains. */
interface OriginPattern {
  /** The whole origin, or what comes before the subdomains. */
  readonly start: string;
  /** What follows the subdomains: `.host[:port]`. Undefined if the entry matches one origin. */
  readonly end?: string;
}

/** An entry that matches any origin, `null` included. */
const anyOrigin = '*';
/** The origin of sandboxed frames and of files (URL Standard, opaque origins). */
const opaqueOrigin = 'null';
const schemeForm = /^([a-z][a-z0-9+.-]*):\/\//i;
const subdomains = '*.';
/** `host[:port]` under a scheme such as `capacitor`, and a path that does not count. */
const otherHost = /^([a-z0-9._~-]+(?::[0-9]{1,5})?)(?:[/?#]|$)/;
/** Schemes of no page, or whose pages have the origin `null`. */
const withoutOrigin = new Set(['about', 'blob', 'data', 'file', 'ftp', 'javascript', 'ws', 'wss']);
/** Hosts whose pages need no TLS (Secure Contexts, potentially trustworthy origins). */
const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/;
/** One or more labels of a host name. */
const labels = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
/** An address of IPv6 in brackets, or a host name, which may end in a dot. */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)$/;

/** True if a page of this origin, as its browser writes it, may use the web agent. */
export function isAllowedOrigin(allowed: readonly string[], origin: string): boolean {
  return allowed.some(
    (entry) =>
      entry.trim() === anyOrigin ||
      patternsOf(entry).some(({ start, end }) => {
        if (end === undefined) return start === origin;
        if (!origin.startsWith(start) || !origin.endsWith(end)) return false;
        return labels.test(origin.slice(start.length, -end.length));
      }),
  );
}

/** True if the entry matches the origin of some page. */
export function canMatch(entry: string): boolean {
  return entry.trim() === anyOrigin || patternsOf(entry).length > 0;
}

/**
 * The patterns of an entry, normalised as browsers write origins (URL Standard). A path is left out. An entry without a
 * scheme means `https`, and on loopback hosts `http` too.
 */
function patternsOf(entry: string): OriginPattern[] {
  const text = entry.trim();
  if (text.toLowerCase() === opaqueOrigin) return [{ start: opaqueOrigin }];
  const scheme = schemeForm.exec(text)?.[1]?.toLowerCase();
  const address = text.replace(schemeForm, '');
  if (scheme === undefined) {
    // Otherwise "mailto:a@b" would be user, password and host.
    if (address.includes('@')) return [];
    const local = webPattern('http', address).filter(({ start }) => loopback.test(start));
    return [...webPattern('https', address), ...local];
  }
  if (scheme === 'http' || scheme === 'https') return webPattern(scheme, address);
  const host = otherHost.exec(address.toLowerCase())?.[1];
  return host === undefined || withoutOrigin.has(scheme) ? [] : [{ start: `${scheme}://${host}` }];
}

/** The pattern of `host[:port][/path]` or `*.host[:port][/path]`; none if no page can match it. */
function webPattern(scheme: 'http' | 'https', address: string): OriginPattern[] {
  if (!address.startsWith(subdomains)) {
    const origin = originOf(`${scheme}://${address}`);
    return origin === undefined ? [] : [{ start: origin }];
  }
  // The host of a subdomain must be a name: "a.1.2.3.4" is not a valid host.
  const start = `${scheme}://`;
  const origin = originOf(`${start}a.${address.slice(subdomains.length)}`);
  const end = origin?.startsWith(`${start}a.`) ? origin.slice(start.length + 1) : '';
  return /^\.[a-z0-9_-]/.test(end) ? [{ start, end }] : [];
}

/** The origin of an address: host in lower case and ASCII, no default port. Undefined if it has none. */
function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, hostname } = new URL(address);
  // The URL Standard allows a "*" in a host and a "." before it, but no page has such a host.
  return hostForm.test(hostname) ? origin : undefined;
}
