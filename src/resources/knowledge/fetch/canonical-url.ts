import { normalEscapes } from './percent-encoding.ts';

/** Characters. Nobody links to a longer URL by hand. */
const longest = 2_000;

/** Parameters that newsletters, advertisements and analytics add to links. They never select a page. */
const tracking =
  /^(?:utm_\w*|hsa_\w*|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|mc_cid|mc_eid|mkt_tok|_ga|_gl|_hsenc|_hsmi)$/i;

/**
 * The canonical form of a URL, so that no page is fetched twice: without fragment, tracking parameters and default port,
 * with dot segments resolved, the host in lower case and the fewest escapes. Undefined if the text is not an http or
 * https URL, has a user, or is longer than 2,000 characters.
 * @param base the URL that a relative one is resolved against
 */
export function canonicalUrl(text: string, base?: string): string | undefined {
  const url = URL.parse(text, base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  url.hash = '';
  // `example.com.` is the same host; the dot only turns off search domains.
  if (/[^.]\.$/.test(url.hostname)) url.hostname = url.hostname.slice(0, -1);
  url.pathname = normalEscapes(url.pathname);
  const query = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !tracking.test(normalEscapes(pair.replace(/=.*/s, ''))))
    .join('&');
  // The setter removes the first `?`, even if it belongs to the query.
  url.search = query && `?${normalEscapes(query)}`;
  return url.href.length <= longest ? url.href : undefined;
}
