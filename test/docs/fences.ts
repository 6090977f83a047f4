import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** A fenced block of a Markdown page. */
export interface Fence {
  /** What follows the opening fence: the language, then what the reader does with the block (`sh server`). */
  readonly info: string;
  readonly text: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
}

/** The pages whose commands a reader pastes, as paths from the root of the repository. */
export const pagesWithCommands: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/guides/*.md', { cwd: root }).toSorted(),
];

/** The fenced blocks of a page, in order. */
export function fencesOf(page: string): Fence[] {
  const text = readFileSync(path.join(root, page), 'utf8');
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(({ 1: info = '', 2: body = '', index }) => ({
    info: info.trim(),
    text: body,
    line: text.slice(0, index).split('\n').length,
  }));
}
