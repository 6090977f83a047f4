import { parse } from 'parse5';
import type { Content } from './blocks.ts';
import { type PageHead, pageHead } from './html-head.ts';
import { pageSections } from './html-sections.ts';

export interface Page extends Content, Omit<PageHead, 'title' | 'lang'> {}

/** Reads HTML as browsers do, broken or not; of a page that asks not to be indexed no text is read. */
export function readHtml(html: string, url?: string): Page {
  const document = parse(html);
  const head = pageHead(document, url);
  // Who sends a file wants it to be read.
  const isLeftOut = head.noindex && url !== undefined;
  return { ...head, sections: isLeftOut ? [] : pageSections(document) };
}
