import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importsOf } from './helpers/find-imports.ts';

const roots = ['src', 'tools', 'web', 'test', 'bench', 'evals', 'scripts'];

/** What each folder of `web` may import from the others. */
const webLayers: Readonly<Record<string, readonly string[]>> = {
  api: [],
  ui: ['api'],
  versions: ['api', 'ui'],
  studio: ['api', 'ui', 'versions'],
  'design-app': ['api', 'ui', 'versions'],
  widget: [],
};

type Edge = readonly [from: string, to: string];

/** The files that a file imports by a relative path. */
function edgesOf(file: string, text: string): Edge[] {
  return importsOf(file, text).flatMap(({ specifier }) =>
    specifier?.startsWith('.') ? [[file, path.posix.join(path.posix.dirname(file), specifier)]] : [],
  );
}

/** Every import that lies on a circle, as `from -> to`. */
function circlesOf(edges: readonly Edge[]): string[] {
  const next = Map.groupBy(edges, ([from]) => from);
  const leadsTo = (start: string, goal: string): boolean => {
    const seen = new Set([start]);
    for (const at of seen) for (const [, to] of next.get(at) ?? []) seen.add(to);
    return seen.has(goal);
  };
  return edges.filter(([from, to]) => from === to || leadsTo(to, from)).map((edge) => edge.join(' -> '));
}

/**
 * Each folder's entries (files, and folders as wholes) with the imports between them. A folder's file may import from its
 * subfolders, and they from it, as long as this makes no circle of one file and one subfolder.
 */
function foldersOf(edges: readonly Edge[]): Map<string, Edge[]> {
  const folders = new Map<string, Edge[]>();
  for (const [from, to] of edges) {
    const a = from.split('/');
    const b = to.split('/');
    const at = a.findIndex((name, index) => name !== b[index]);
    const folder = a.slice(0, at).join('/');
    // The roots are not layers: tests check the benches, which use the tests' worlds.
    if (at < 1 || at >= b.length) continue;
    folders.set(folder, [...(folders.get(folder) ?? []), [a[at] ?? '', b[at] ?? '']]);
  }
  return folders;
}

function folderCirclesOf(edges: readonly Edge[]): string[] {
  return [...foldersOf(edges)].flatMap(([folder, inside]) => {
    const unique = [...new Map(inside.map((edge) => [edge.join(), edge])).values()];
    return circlesOf(unique).map((edge) => `${folder}: ${edge}`);
  });
}

function wrongLayersOf(edges: readonly Edge[]): string[] {
  return edges.flatMap(([from, to]) => {
    const [root, layer = ''] = from.split('/');
    const [, target = ''] = to.split('/');
    if (root !== 'web' || !webLayers[layer] || layer === target || webLayers[layer].includes(target))
      return [];
    return `${from}: web/${layer} may not import ${to}`;
  });
}

const root = path.resolve(import.meta.dirname, '..');
const files = globSync(
  roots.map((name) => `${name}/**/*.{ts,tsx,mts,mjs}`),
  { cwd: root, exclude: ['web/.built', '**/node_modules'] },
);
const edges = files
  .flatMap((file) => edgesOf(file, readFileSync(path.join(root, file), 'utf8')))
  .filter(([, to]) => files.includes(to));

test('no file imports another in a circle, lazily or for types', () => {
  expect(edges.length).toBeGreaterThan(1000);
  expect(circlesOf(edges)).toEqual([]);
});

test('no folder imports another in a circle', () => {
  expect(folderCirclesOf(edges)).toEqual([]);
});

test('each layer of web imports only the layers below it', () => {
  expect(wrongLayersOf(edges)).toEqual([]);
});

test.for<[text: string]>([
  ["import './tabs.ts';"],
  ["export * from './tabs.ts';"],
  ["export const load = async () => import('./tabs.ts');"],
  ['export const load = async () => import(`./tabs.ts`);'],
  ["export const tabs = require('./tabs.ts');"],
  ["export type Tab = import('./tabs.ts').Tab;"],
])('reports a circle made by %s', ([text]) => {
  const circle = [
    ...edgesOf('web/studio/page.ts', text),
    ...edgesOf('web/studio/tabs.ts', "import './page.ts';"),
  ];
  expect(circlesOf(circle)).toHaveLength(2);
});

test('reports a circle of folders, and an import of a higher layer', () => {
  const lazy = edgesOf('web/ui/button.tsx', "const page = import('../studio/talk/talk-tab.tsx');");
  const back = edgesOf('web/studio/main.tsx', "import '../ui/card.tsx';");
  expect(folderCirclesOf([...lazy, ...back])).toEqual(['web: ui -> studio', 'web: studio -> ui']);
  expect(wrongLayersOf(lazy)).toHaveLength(1);
});
