import type { InputProblem } from '../../tool/define.ts';

/** `scheme://host[:port]` in any case. */
const originForm = /^([a-z][a-z0-9+.-]*):\/\/[a-z0-9._~-]+(?::[0-9]{1,5})?$/i;
const wildcard = 'https://*.';
/** Schemes of no page, or whose pages have the origin `null`. */
const withoutOrigin = new Set(['about', 'blob', 'data', 'file', 'ftp', 'javascript', 'ws', 'wss']);
/** One or more labels of a host name. */
const labels = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/**
 * True if a page of this origin may use the web agent. The list contains the origin itself, or `https://*.host` and the
 * page is on a subdomain of any depth, on the default port.
 */
export function isAllowedOrigin(allowed: readonly string[], origin: string): boolean {
  return allowed.some((entry) => {
    if (!entry.startsWith(wildcard)) return entry === origin;
    const domain = entry.slice(wildcard.length - 1);
    if (!origin.startsWith('https://') || !origin.endsWith(domain)) return false;
    return labels.test(origin.slice('https://'.length, -domain.length));
  });
}

/** Returns a problem for each entry that cannot match the origin of any page. */
export function originProblems(name: string, origins: readonly string[] = []): InputProblem[] {
  return origins.flatMap((entry, index) => {
    const message = whyNeverMatched(entry);
    return message === undefined ? [] : [{ path: [name, index], message }];
  });
}

function whyNeverMatched(entry: string): string | undefined {
  if (entry.startsWith(wildcard)) {
    const host = entry.slice(wildcard.length);
    const example = `https://a.${host}`;
    return labels.test(host) && originOf(example) === example
      ? undefined
      : 'Expected https://*.host, with the host in lower case and ASCII and nothing after it.';
  }
  if (entry.includes('*')) return 'A * stands for subdomains only, as in https://*.example.com.';
  if (/^https?:/i.test(entry)) {
    const origin = originOf(entry);
    if (origin === entry) return undefined;
    return origin === undefined
      ? 'Expected scheme://host[:port], such as https://www.example.com.'
      : `No page has this origin. Browsers write it ${origin}.`;
  }
  const scheme = originForm.exec(entry)?.[1];
  if (scheme === undefined || withoutOrigin.has(scheme.toLowerCase()))
    return 'Expected scheme://host[:port], such as https://www.example.com.';
  return entry === entry.toLowerCase() ? undefined : `Browsers write it ${entry.toLowerCase()}.`;
}

/** Returns the origin as browsers write it (URL Standard): host in lower case and ASCII, no default port. */
function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}
