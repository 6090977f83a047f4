import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './fences.ts';
import { anchorsOf, linesOf, type Place, pages, proseOf } from './markdown.ts';

const sources = globSync('{src,tools,test,scripts,bench,bin}/**/*.{ts,js,mjs,sh}', { cwd: root })
  .filter((file) => !/(?:^|\/)node_modules\//.test(file))
  .toSorted();
const lines = [...sources, ...pages].flatMap(linesOf);

/** The pages that comments name without their folder, such as `decisions#ids`. */
const namedPages: Readonly<Record<string, string>> = {
  decisions: 'docs/contract/decisions.md',
  'service-api': 'docs/contract/service-api.md',
  reliability: 'docs/reliability.md',
  mcp: 'docs/mcp.md',
  performance: 'docs/performance.md',
};
const names = Object.keys(namedPages).join('|');

/** Reports of old measurements name files as they were called at that time. */
const isMeasured = ({ file }: Place) => file.startsWith('docs/measurements/');

const anchors = new Map(pages.map((page) => [page, anchorsOf(page)]));

/** Returns the matches of a pattern for which `isWrong` holds, as `file:line: text`. */
function wrongIn(
  places: readonly Place[],
  pattern: RegExp,
  isWrong: (groups: string[], file: string) => boolean,
) {
  return places.flatMap(({ file, line, text }) =>
    [...text.matchAll(pattern)]
      .filter(([, ...groups]) => isWrong(groups, file))
      .map(([found]) => `${file}:${line}: ${found}`),
  );
}

test('every reference to a heading, such as decisions#ids, leads to one', () => {
  const pattern = new RegExp(`(?<![\\w./-])(${names})#([\\w-]+)`, 'g');
  const isWrong = ([name = '', anchor = '']: string[]) =>
    anchors.get(namedPages[name] ?? '')?.has(anchor) !== true;
  expect(wrongIn(lines, pattern, isWrong)).toEqual([]);
});

test('no reference names a part of a page by a number', () => {
  const pattern = new RegExp(
    `\`(${names})\` (?:parts? |promises? |rows? )?\\d|\\b(decisions|service-api) part \\d`,
    'g',
  );
  expect(wrongIn(lines, pattern, () => true)).toEqual([]);
});

test('every page under docs/ that a file names exists, with its heading', () => {
  const pattern = /(?<![\w./-])(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g;
  const isWrong = ([page = '', anchor]: string[]) => {
    const known = anchors.get(page);
    return known === undefined || (anchor !== undefined && !known.has(anchor));
  };
  expect(wrongIn(lines, pattern, isWrong)).toEqual([]);
});

test('every relative link of a page leads to a file, and to a heading if it names one', () => {
  const pattern = /\]\((?![a-z][a-z0-9+.-]*:)([^)#\s]*)(?:#([^)\s]*))?\)/gi;
  const isWrong = ([target = '', anchor]: string[], file: string) => {
    const linked = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
    if (!existsSync(path.join(root, linked))) return true;
    return anchor !== undefined && anchors.get(linked)?.has(anchor) !== true;
  };
  expect(wrongIn(pages.flatMap(proseOf), pattern, isWrong)).toEqual([]);
});

test('every file of the repository that a page names exists', () => {
  const pattern = /`((?:src|tools|test|scripts|bench|bin|docs)\/[\w./-]*(?:\.\w+|\/))`/g;
  const prose = pages.flatMap(proseOf).filter((place) => !isMeasured(place));
  expect(wrongIn(prose, pattern, ([file = '']) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('every promise of docs/reliability.md names a test', () => {
  const promises = proseOf('docs/reliability.md')
    .map(({ text }) => text)
    .join('\n')
    .split(/^## Not kept yet$/m, 1)[0]
    ?.split('\n')
    .filter((text) => text.startsWith('|') && !/^\| (?:Promise |-)/.test(text));
  expect(promises?.length).toBeGreaterThan(50);
  expect(promises?.filter((text) => !/`test\/[\w./-]+\.ts`/.test(text))).toEqual([]);
});
