import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './fences.ts';

const isPage = (file: string) =>
  !/(?:^|\/)node_modules\//.test(file) && !file.startsWith('test/resources/knowledge/documents/');

/** Every Markdown page of the repository, as a path from its root. */
export const pages: readonly string[] = globSync(['*.md', '{bench,docs,src,test}/**/*.md'], { cwd: root })
  .filter(isPage)
  .toSorted();

/** A piece of text in a file, with its line, from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** The lines of a file. */
export function linesOf(file: string): Place[] {
  return readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ file, line: index + 1, text }));
}

/** The lines of a page that are prose: without fenced blocks. */
export function proseOf(page: string): Place[] {
  let isFenced = false;
  return linesOf(page).filter(({ text }) => {
    const isFence = text.trimStart().startsWith('```');
    if (isFence) isFenced = !isFenced;
    return !isFence && !isFenced;
  });
}

/** The anchors that GitHub gives to the headings of a page. The second of two equal ones ends in `-1`. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const anchors = proseOf(page).flatMap(({ text }) => {
    const heading = /^#{1,6} +(.+?)(?: +#+)?$/.exec(text)?.[1];
    if (heading === undefined) return [];
    const slug = slugOf(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set(anchors);
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}
