import type { Content, Heading } from './blocks.ts';

const separator = /\s+[|–—·•»-]\s+/;

/**
 * How a document's paths of headings start: with its single heading of level 1, below the title where that says
 * something else; with the title where there is no such heading, where each chapter has one, and where it is the
 * site's name.
 */
export function titlePath({ title = '', sections }: Content): (path: readonly Heading[]) => string[] {
  const found = new Set(sections.flatMap(({ path }) => (path[0]?.level === 1 ? path[0].text : [])));
  const [heading] = found.size === 1 ? found : [];
  if (heading === undefined) return (path) => withStart(title, path.map(textOf));
  const [start = '', ...more] = title.split(separator);
  if (more.includes(heading))
    return (path) =>
      withStart(
        start,
        path.map(textOf).filter((text) => text !== heading),
      );
  const isSaid = [start, ...more].some((part) => part && saysTheSame(part, heading));
  return (path) => withStart(isSaid ? '' : start, path.map(textOf));
}

function withStart(start: string, path: string[]): string[] {
  return start && path[0] !== start ? [start, ...path] : path;
}

function saysTheSame(one: string, other: string): boolean {
  const [first = '', second = ''] = [one, other].map((text) => text.toLowerCase());
  return first.includes(second) || second.includes(first);
}

function textOf({ text }: Heading): string {
  return text;
}
