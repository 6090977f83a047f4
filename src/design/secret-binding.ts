/** Where a secret may be sent (`decisions#secrets`). */
export interface SecretBinding {
  /** `api.example.com`, `*.example.com` or `api.example.com:8443`; `http://` in front of it allows plain http. */
  readonly hosts: readonly string[];
  /** Headers that may hold it, in lower case. */
  readonly headers: readonly string[];
  /** True if the path and the query of a URL may hold it. */
  readonly inUrl: boolean;
}

/** A reference in the URL, the query or a header of a request. */
export const secretReference = /\{\{\s*secret\.([^{}]*)\}\}/g;

/** A reference that a URL begins with: the secret may be a whole address, whose host only a run knows. */
export const baseReference = /^\{\{\s*secret\.([^{}]*)\}\}/;

/** Characters of a host and its port (RFC 1035 section 2.3.4). */
const longestHost = 260;
const placeholder = /\{\{[^{}]*\}\}/g;
const loopback = /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/;
/** The form of a bound host: scheme, `*.`, host, port. */
const boundHost =
  /^(?:(https?):\/\/)?(\*\.(?=[^.]+\.))?(\[[\da-f:.]+\]|[a-z\d](?:[a-z\d.-]*[a-z\d])?)(?::(\d{1,5}))?$/;

/** True for a text that `SecretBinding.hosts` may hold. */
export function isBoundHost(text: string): boolean {
  const { host, port = '' } = partsOf(text) ?? {};
  return (
    text.length <= longestHost &&
    host !== undefined &&
    URL.parse(`https://${host}:${port}`)?.hostname === host
  );
}

/** The host of a request's URL, with its port if that is not the usual one; empty if the text is not a URL. */
export function hostOf(url: string): string {
  return urlOf(url)?.host ?? '';
}

/** A place of a request that refers to a secret. */
export interface SecretPlace {
  /** Of the request. It may hold placeholders. */
  readonly url: string;
  /** null if the reference stands in the URL or the query. */
  readonly header: string | null;
}

/** Says that no secret may be sent to this URL, in words that fit after "The secret NAME"; undefined if one may. */
export function addressProblem(text: string): string | undefined {
  // A placeholder that reaches the host, the port or the user shows as a difference between two values of it.
  const [url, other] = ['x', 'yy'].map((value) => URL.parse(text.replaceAll(placeholder, value)));
  const isFixed =
    url &&
    other &&
    url.origin === other.origin &&
    url.username === '' &&
    url.password === '' &&
    other.username === '';
  return isFixed ? undefined : 'cannot be sent to an address whose host is not fixed';
}

/** Says why a secret may not be sent, in words that fit after "The secret NAME"; undefined if it may. */
export function bindingProblem(
  binding: SecretBinding | null,
  { url: text, header }: SecretPlace,
): string | undefined {
  const isBased = baseReference.test(text);
  const problem = isBased ? undefined : addressProblem(text);
  const url = isBased ? undefined : urlOf(text);
  if (problem !== undefined) return problem;
  if (binding === null) return `is not bound to hosts yet${url ? `, so not to ${url.host}` : ''}`;
  if (url && !binding.hosts.some((host) => isBoundTo(host, url)))
    return `is not bound to the host ${url.host}`;
  if (header === null) return binding.inUrl ? undefined : 'is not allowed in a URL';
  if (binding.headers.includes(header.toLowerCase())) return undefined;
  return `is not allowed in the header ${header.toLowerCase().slice(0, 100)}`;
}

/** The input of `set_secret` that allows what {@link bindingProblem} refuses, added to what the binding allows already. */
export function widened(
  name: string,
  binding: SecretBinding | null,
  { url, header }: SecretPlace,
): Record<string, unknown> {
  const { hosts, headers, inUrl } = binding ?? { hosts: [], headers: [], inUrl: false };
  const parsed = urlOf(url);
  const isBound = parsed !== undefined && hosts.some((bound) => isBoundTo(bound, parsed));
  const host = parsed && (parsed.protocol === 'http:' ? `http://${parsed.host}` : parsed.host);
  return {
    name,
    hosts: isBound || host === undefined ? hosts : [...hosts, host],
    headers: header === null ? headers : [...new Set([...headers, header.toLowerCase()])],
    ...((inUrl || header === null) && { inUrl: true }),
  };
}

function isBoundTo(bound: string, { protocol, hostname, port }: URL): boolean {
  const parts = partsOf(bound);
  if (!parts) return false;
  const isSecure = protocol === 'https:';
  if (!isSecure && parts.scheme !== 'http' && !loopback.test(hostname)) return false;
  if (isSecure && parts.scheme === 'http') return false;
  if ((parts.port ?? '') !== port) return false;
  return parts.isWild ? hostname.endsWith(`.${parts.host}`) : hostname === parts.host;
}

function partsOf(text: string) {
  const [, scheme, wild, host, port] = boundHost.exec(text.toLowerCase()) ?? [];
  if (host === undefined) return undefined;
  const usual = scheme === 'http' ? '80' : '443';
  return { scheme, isWild: wild !== undefined, host, port: port === usual ? undefined : port };
}

/** The URL of a request, with a letter in place of each placeholder. */
function urlOf(text: string): URL | undefined {
  return URL.parse(text.replaceAll(placeholder, 'x')) ?? undefined;
}
