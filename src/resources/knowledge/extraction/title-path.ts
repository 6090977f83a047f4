import type { Content, Heading } from './blocks.ts';

const separator = /\s+[|–—·•»-]\s+/;

/**
 * Decides how the heading paths of a document start. They start with its single `h1`, and with the title above it if
 * that differs. They start with the title alone if there is no single `h1`, or if the `h1` is the site's name.
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
  const isSame = [start, ...more].some((part) => part && eitherContains(part, heading));
  return (path) => withStart(isSame ? '' : start, path.map(textOf));
}

function withStart(start: string, path: string[]): string[] {
  return start && path[0] !== start ? [start, ...path] : path;
}

function eitherContains(one: string, other: string): boolean {
  const [first = '', second = ''] = [one, other].map((text) => text.toLowerCase());
  return first.includes(second) || second.includes(first);
}

function textOf({ text }: Heading): string {
  return text;
}
