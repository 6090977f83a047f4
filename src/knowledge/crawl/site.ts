import { canonicalUrl } from '../fetch/canonical-url.ts';

/** What belongs to a website source: its page and the pages below its path on the same host. */
export interface Site {
  /** The start page's canonical URL. */
  readonly start: string;
  /** The canonical URL of a page that belongs to the site; undefined for any other. */
  accepts(url: string): string | undefined;
}

/** What a server shows for a folder. Nothing is below such a page, and everything beside it is below its folder. */
const indexPage = /\/(?:index|default)\.\w+$/i;

/**
 * `/help`, `/help/` and `/help/index.html` begin the same site: `/help` and all below `/help/`, and not `/helpdesk`.
 * Other file names stand for themselves: below `/help/fares.html` there is only `/help/fares.html/…`. Between http and
 * https of one host there is no difference: pages are asked for as the start page was.
 * @param url canonical, or as a person wrote it; undefined comes of one that has no canonical form
 */
export function siteOf(url: string): Site | undefined {
  const start = canonicalUrl(url);
  if (start === undefined) return undefined;
  const { host, protocol, pathname } = new URL(start);
  const folder = pathname.replace(indexPage, '/').replace(/\/+$/, '');
  return {
    start,
    accepts(text) {
      const canonical = canonicalUrl(text);
      if (canonical === undefined) return undefined;
      const page = new URL(canonical);
      page.protocol = protocol;
      const below = page.pathname === folder || page.pathname.startsWith(`${folder}/`);
      return page.host === host && below ? page.href : undefined;
    },
  };
}
