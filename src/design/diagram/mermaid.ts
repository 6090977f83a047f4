import type { Arrow, Diagram, Shape } from './diagram.ts';
import { arrowLook, entryLine, type LookName, lookOf, looks } from './look.ts';
import { lineOf } from './text.ts';

/** Characters of a title, and of the labels of an arrow together. */
const longestTitle = 80;
const longestLabel = 160;

/** A diagram as the text of a Mermaid flowchart; whatever the design says, it stays text. */
export function mermaidOf({ shapes, arrows, isComparison }: Diagram): string {
  const names = shapes.map((shape, index) => nameOf(shape, index));
  const lines = (at: Shape['at'], indent: string) =>
    shapes.flatMap((shape, index) =>
      shape.at === at ? `${indent}${names[index]}${shapeText(shape, labelOf(shape))}` : [],
    );
  return [
    'flowchart TD',
    ...lines('call', '  '),
    ...group('before', 'Before the call', lines('before', '    ')),
    ...lines('step', '  '),
    ...group('after', 'After the call', lines('after', '    ')),
    ...arrows.map((arrow) => `  ${names[arrow.from]} ${lineText(arrow)} ${names[arrow.to]}`),
    ...styles(shapes, names, isComparison),
    ...arrows.flatMap(({ mark }, index) =>
      mark === undefined ? [] : `  linkStyle ${index} stroke:${arrowLook(mark)},color:${arrowLook(mark)}`,
    ),
    '',
  ].join('\n');
}

const prefixes: Readonly<Record<Shape['at'], string>> = { step: 's', before: 'b', after: 'a', call: 'c' };

/** A name that the text can use bare; the prefix keeps it apart from the words of Mermaid, such as `end`. */
function nameOf({ at, id }: Shape, index: number): string {
  return prefixes[at] + (/^[A-Za-z0-9_]{1,40}$/.test(id) ? `_${id}` : index);
}

function group(name: string, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`  subgraph ${name}["${title}"]`, ...lines, '  end'];
}

function labelOf({ title, detail }: Shape): string {
  return [title, detail]
    .map((line) => quoted(line, longestTitle))
    .filter(Boolean)
    .join('<br/>');
}

function shapeText({ at, kind }: Shape, label: string): string {
  if (at === 'before' || at === 'after') return `[["${label}"]]`;
  if (at === 'call' || kind === 'end' || kind === 'transfer') return `(["${label}"])`;
  return kind === 'route' ? `{{"${label}"}}` : `["${label}"]`;
}

function lineText({ labels, isAside }: Arrow): string {
  const line = isAside ? '-.->' : '-->';
  const label = quoted(labels.map(lineOf).join(', '), longestLabel);
  return label === '' ? line : `${line}|"${label}"|`;
}

function styles(shapes: readonly Shape[], names: readonly string[], isComparison: boolean): string[] {
  const members = new Map<LookName | 'entry', string[]>();
  for (const [index, shape] of shapes.entries())
    for (const look of [lookOf(shape, isComparison), ...(shape.isEntry ? (['entry'] as const) : [])])
      members.set(look, [...(members.get(look) ?? []), names[index] ?? '']);
  return [...members].flatMap(([name, of]) => [
    `  classDef ${name} ${styleOf(name)}`,
    `  class ${of.join(',')} ${name}`,
  ]);
}

function styleOf(name: LookName | 'entry'): string {
  if (name === 'entry') return `stroke:${entryLine},stroke-width:3px`;
  const { fill, line, text } = looks[name];
  const dashes = 'isDashed' in looks[name] ? ',stroke-dasharray:5 4' : '';
  return `fill:${fill},stroke:${line},color:${text}${dashes}`;
}

/** A text inside of quotes: what Mermaid, Markdown or HTML could take for its own stands as `#` code `;`. */
function quoted(text: string, longest: number): string {
  // By code points: each of them stands as one code.
  const characters = Array.from(lineOf(text));
  const cut = characters.length > longest ? [...characters.slice(0, longest - 1), '…'] : characters;
  const start = /^\d*[-+.=]/.exec(cut.join(''))?.[0].length ?? 0;
  return cut
    .map((character, index) =>
      harmless.test(character) && index !== start - 1 ? character : `#${character.codePointAt(0)};`,
    )
    .join('');
}

/** Letters and signs of all scripts; of ASCII's signs only those that mean nothing inside of a text. */
const harmless = /^(?:[\w .,/?!+'=@-]|(?![!-~])[\p{L}\p{M}\p{N}\p{S}\p{P}\u200c\u200d])$/u;
