import { marked } from 'marked';
import type { Content } from './blocks.ts';
import { readHtml } from './html.ts';

const frontMatter = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*\r?\n/;

/** Reads GitHub Flavored Markdown: converts it to HTML and reads that. The front matter gives only the title. */
export function readMarkdown(text: string): Content {
  const matter = frontMatter.exec(text);
  const title = /^title:[ \t]*(["']?)(.+?)\1[ \t]*$/m.exec(matter?.[1] ?? '')?.[2];
  const html = marked.parse(text.slice(matter?.[0].length ?? 0), { async: false, gfm: true });
  return { ...readHtml(`<main>${html}</main>`), title };
}
