import { canonicalUrl } from '../fetch/canonical-url.ts';

/** The pages of a website source: its start page, and the pages below that path on the same host. */
export interface Site {
  /** The start page's canonical URL. */
  readonly start: string;
  /** The canonical URL of a page of the site; undefined for any other page. */
  accepts(url: string): string | undefined;
}

/** The page that a server shows for a folder; it stands for the whole folder. */
const indexPage = /\/(?:index|default)\.\w+$/i;

/**
 * The site of a start page. `/help`, `/help/` and `/help/index.html` start the same site: `/help` and everything below
 * `/help/`, but not `/helpdesk`. Other file names are not folders: below `/help/fares.html` is only `/help/fares.html/…`.
 * http and https of one host are the same site, and all pages use the scheme of the start page.
 * @param url canonical, or as a person wrote it
 * @returns undefined if the URL has no canonical form
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
