import { parse } from 'parse5';
import type { Content } from './blocks.ts';
import { type PageHead, pageHead } from './html-head.ts';
import { pageSections } from './html-sections.ts';

export interface Page extends Content, Omit<PageHead, 'title' | 'lang'> {}

/** Parses HTML as browsers do, broken or not. A page with `noindex` has no sections, a file with it does. */
export function readHtml(html: string, url?: string): Page {
  const document = parse(html);
  const head = pageHead(document, url);
  // Whoever uploads a file wants it to be read.
  const isExcluded = head.noindex && url !== undefined;
  return { ...head, sections: isExcluded ? [] : pageSections(document) };
}
