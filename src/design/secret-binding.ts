import { mark } from './addresses.ts';
import { beginsWithSecret } from './secret-reference.ts';

/** Where a secret may be sent (`decisions#secrets`). */
export interface SecretBinding {
  /** `api.example.com`, `*.example.com` or `api.example.com:8443`; `http://` in front of it allows plain http. */
  readonly hosts: readonly string[];
  /** Headers that may hold it, in lower case. */
  readonly headers: readonly string[];
  /** True if the path and the query of a URL may hold it. */
  readonly inUrl: boolean;
}

/** A place of a request that refers to a secret. */
export interface SecretPlace {
  /** Of the request. It may hold placeholders. */
  readonly url: string;
  /** null if the reference stands in the URL or the query. */
  readonly header: string | null;
}

/**
 * Says why a secret may not be sent to a place, in words that fit after "The secret NAME"; undefined if it may.
 * Of a URL that begins with a secret, only the run that fills it in knows the host, and asks again.
 */
export function bindingProblem(
  binding: SecretBinding | null,
  { url, header }: SecretPlace,
): string | undefined {
  const problem = beginsWithSecret(url) ? undefined : hostProblem(binding, url);
  return problem ?? partProblem(binding, header);
}

/** Says why no secret at all may be sent to a URL, in the same words; undefined if one may. */
export function addressProblem(url: string): string | undefined {
  return addressOf(url).problem;
}

function hostProblem(binding: SecretBinding | null, text: string): string | undefined {
  const { url, problem } = addressOf(text);
  if (problem !== undefined) return problem;
  if (binding === null) return `is not bound to hosts yet, so not to ${url.host}`;
  const isBound = binding.hosts.some((bound) => isBoundTo(bound, url));
  return isBound ? undefined : `is not bound to the host ${url.host}`;
}

function partProblem(binding: SecretBinding | null, header: string | null): string | undefined {
  if (binding === null) return 'is not bound to hosts yet';
  if (header === null) return binding.inUrl ? undefined : 'is not allowed in a URL';
  const name = header.toLowerCase();
  return binding.headers.includes(name) ? undefined : `is not allowed in the header ${name.slice(0, 100)}`;
}

/** The input of `set_secret` that allows what {@link bindingProblem} refuses, added to what the binding allows already. */
export function widened(
  name: string,
  binding: SecretBinding | null,
  { url: text, header }: SecretPlace,
): Record<string, unknown> {
  const { hosts, headers, inUrl } = binding ?? { hosts: [], headers: [], inUrl: false };
  const { url } = addressOf(text);
  const isNewHost = url !== undefined && !hosts.some((bound) => isBoundTo(bound, url));
  return {
    name,
    hosts: isNewHost ? [...hosts, url.protocol === 'http:' ? `http://${url.host}` : url.host] : hosts,
    headers: header === null ? headers : [...new Set([...headers, header.toLowerCase()])],
    ...((inUrl || header === null) && { inUrl: true }),
  };
}

/** The host of a request's URL, with its port if that is not the usual one; empty if the text has none. */
export function hostOf(url: string): string {
  return parsed(url)?.host ?? '';
}

/** The schemes of requests. `URL` leaves out their usual ports. */
const usualPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** A URL to which a secret may be sent if it is bound to its host, or why none may. */
type Address =
  | { readonly url: URL; readonly problem?: undefined }
  | { readonly url?: undefined; readonly problem: string };

function addressOf(text: string): Address {
  const url = parsed(text);
  if (!url) return { problem: 'cannot be sent to an address whose host is not fixed' };
  if (usualPorts[url.protocol] === undefined)
    return { problem: 'cannot be sent to an address that begins with neither http nor https' };
  // https://api.example.com@evil.example/ leads to evil.example.
  if (url.username !== '' || url.password !== '')
    return { problem: 'cannot be sent to an address that names a user' };
  return { url };
}

const placeholder = /\{\{[^{}]*\}\}/g;

/** A URL with a mark in place of each placeholder. A host or port with a mark is invalid, so the result has none there. */
function parsed(text: string): URL | undefined {
  return URL.parse(text.replaceAll(placeholder, mark)) ?? undefined;
}

/** Characters of a host and its port (RFC 1035 section 2.3.4). */
const longestHost = 260;

/** A bound host: scheme, wildcard, host, port. A wildcard stands in front of at least two labels. */
const boundHost =
  /^(?:(https?:)\/\/)?(\*\.(?=[^.]+\.))?(\[[\da-f:.]+\]|[a-z\d](?:[a-z\d.-]*[a-z\d])?)(?::([1-9]\d{0,4}))?$/;

function partsOf(bound: string) {
  const [, scheme, wildcard, hostname, port] = boundHost.exec(bound.toLowerCase()) ?? [];
  return { scheme, isWildcard: wildcard !== undefined, hostname, port };
}

/** True for a text that `SecretBinding.hosts` may hold. Its host is written as `URL` writes it, or no request would match it. */
export function isBoundHost(text: string): boolean {
  if (text.length > longestHost) return false;
  const { hostname, port = '' } = partsOf(text);
  return hostname !== undefined && URL.parse(`https://${hostname}:${port}`)?.hostname === hostname;
}

/** True if a request to the URL may hold a secret that is bound to the host. Without a scheme, plain http stays on this machine. */
function isBoundTo(bound: string, url: URL): boolean {
  const { scheme, isWildcard, hostname, port } = partsOf(bound);
  if (hostname === undefined) return false;
  const isScheme =
    scheme === undefined ? url.protocol === 'https:' || isLoopback(url.hostname) : url.protocol === scheme;
  const usualPort = usualPorts[url.protocol];
  const isPort = (url.port || usualPort) === (port ?? usualPort);
  const isHost = isWildcard ? url.hostname.endsWith(`.${hostname}`) : url.hostname === hostname;
  return isScheme && isPort && isHost;
}

/** True for a host of the same machine. */
function isLoopback(hostname: string): boolean {
  return /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/.test(hostname);
}
