import { normalEscapes } from './percent-encoding.ts';

/** Characters; what is longer than that is no page that somebody links to by hand. */
const longest = 2_000;

/** What newsletters, advertisements and analytics hang on to links: who came from where, never which page. */
const tracking =
  /^(?:utm_\w*|hsa_\w*|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|mc_cid|mc_eid|mkt_tok|_ga|_gl|_hsenc|_hsmi)$/i;

/**
 * The one address under which a page is known, so that none is fetched twice: without fragment, tracking parameters and
 * a default port, dot segments resolved, the host in lower case, escapes as few as can be. Undefined for what is no
 * http or https URL, has a user or more than 2,000 characters.
 * @param base what a relative one starts from
 */
export function canonicalUrl(text: string, base?: string): string | undefined {
  const url = URL.parse(text, base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  url.hash = '';
  // `example.com.` is the same host, asked for without search domains.
  if (/[^.]\.$/.test(url.hostname)) url.hostname = url.hostname.slice(0, -1);
  url.pathname = normalEscapes(url.pathname);
  const query = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !tracking.test(normalEscapes(pair.replace(/=.*/s, ''))))
    .join('&');
  // The setter takes the first `?` away, also where it belongs to the query.
  url.search = query && `?${normalEscapes(query)}`;
  return url.href.length <= longest ? url.href : undefined;
}
