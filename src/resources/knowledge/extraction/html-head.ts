import { oneLine } from './clean-text.ts';
import { textOf } from './html-tables.ts';
import { attribute, type Element, type Node, tagOf, walk } from './html-tree.ts';

/** The metadata and links of a page. */
export interface PageHead {
  readonly title?: string | undefined;
  readonly lang?: string | undefined;
  /** Absolute, without fragments, each once. */
  readonly links: string[];
  readonly canonical?: string | undefined;
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

/** The rest of a page's links is ignored. */
const mostLinks = 5000;

/** Reads the metadata and links of a page. Without a `url`, as for a file, relative links are ignored. */
export function pageHead(document: Node, url: string | undefined): PageHead {
  let title: string | undefined;
  let siteName = '';
  let lang: string | undefined;
  let base: string | undefined;
  let canonical: string | undefined;
  const robots = new Set<string>();
  const hrefs: string[] = [];
  const readers: Record<string, (element: Element) => void> = {
    html: (element) => {
      lang = attribute(element, 'lang') ?? attribute(element, 'xml:lang');
    },
    title: (element) => {
      title ??= titleText(element);
    },
    base: (element) => {
      base ??= absolute(attribute(element, 'href'), url);
    },
    meta: (element) => {
      const content = attribute(element, 'content') ?? '';
      if (attribute(element, 'property') === 'og:site_name') siteName = oneLine(content);
      if (/^(?:robots|parley)$/i.test(attribute(element, 'name') ?? ''))
        for (const word of content.toLowerCase().split(/[\s,]+/)) robots.add(word);
    },
    link: (element) => {
      if (hasRelation(element, 'canonical')) canonical ??= attribute(element, 'href');
    },
    a: (element) => {
      const href = attribute(element, 'href');
      if (href !== undefined && !hasRelation(element, 'nofollow')) hrefs.push(href);
    },
  };
  readers['area'] = readers['a'] ?? (() => undefined);
  walk(document, {
    enter(element) {
      readers[tagOf(element)]?.(element);
      return false;
    },
  });
  const nofollow = robots.has('nofollow') || robots.has('none');
  const from = base ?? url;
  const links = new Set(
    nofollow ? [] : hrefs.slice(0, mostLinks).flatMap((href) => absolute(href, from) ?? []),
  );
  return {
    title: title && withoutSite(title, siteName),
    lang,
    links: [...links],
    canonical: absolute(canonical, from),
    noindex: robots.has('noindex') || robots.has('none'),
    nofollow,
  };
}

/** An absolute web address without its fragment; undefined if it is none. */
function absolute(href: string | undefined, base: string | undefined): string | undefined {
  const url = href === undefined ? null : URL.parse(href, base);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = '';
  return url.href;
}

function hasRelation(element: Element, relation: string): boolean {
  return (attribute(element, 'rel') ?? '').toLowerCase().split(/\s+/).includes(relation);
}

function titleText(element: Element): string | undefined {
  return textOf(element).slice(0, 300) || undefined;
}

/** Removes the site's name from the start or end of a title. */
function withoutSite(title: string, siteName: string): string {
  const parts = title.split(/\s+[|–—·•»-]\s+/);
  const rest = parts.filter((part) => part !== siteName);
  return siteName && rest.length > 0 && rest.length < parts.length ? rest.join(' – ') : title;
}
