import type { Arrow, Diagram, Shape } from './diagram.ts';
import { arrowLook, entryLine, type LookName, lookOf, looks } from './look.ts';
import { lineOf } from './text.ts';

/** Maximum characters of a title, and of a note or of all labels of an arrow together. */
const longestTitle = 80;
const longestLabel = 160;

/** A diagram as a Mermaid flowchart. Text from the design cannot become Mermaid, Markdown or HTML. */
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

/** A name that needs no quotes. The prefix avoids Mermaid's keywords, such as `end`. */
function nameOf({ at, id }: Shape, index: number): string {
  return prefixes[at] + (/^[A-Za-z0-9_]{1,40}$/.test(id) ? `_${id}` : index);
}

function group(name: string, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`  subgraph ${name}["${title}"]`, ...lines, '  end'];
}

function labelOf({ title, detail, notes }: Shape): string {
  return [
    ...[title, detail].map((line) => quoted(line, longestTitle)),
    ...notes.map((note) => quoted(note, longestLabel)),
  ]
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
    for (const look of [lookOf(shape, isComparison), ...(shape.isEntry ? (['entry'] as const) : [])]) {
      const named = members.get(look) ?? [];
      members.set(look, named);
      named.push(names[index] ?? '');
    }
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

/** Text for use in quotes. Characters with a meaning in Mermaid, Markdown or HTML become `#code;`. */
function quoted(text: string, longest: number): string {
  const line = lineOf(text);
  // Most texts are such, and this takes a tenth of the time.
  if (line.length <= longest && plain.test(line)) return line;
  // By code points, because an escape holds one code point.
  const characters = Array.from(line);
  const cut = characters.length > longest ? [...characters.slice(0, longest - 1), '…'] : characters;
  const start = /^\d*[-+.=]/.exec(cut.join(''))?.[0].length ?? 0;
  return cut
    .map((character, index) =>
      harmless.test(character) && index !== start - 1 ? character : `#${character.codePointAt(0)};`,
    )
    .join('');
}

/** Letters and signs of all scripts. Of ASCII, only the signs that have no meaning inside a text. */
const harmless = /^(?:[\w .,/?!+'=@-]|(?![!-~])[\p{L}\p{M}\p{N}\p{S}\p{P}\u200c\u200d])$/u;
/** Text of harmless characters that does not start like a list. */
const plain = /^(?:[A-Za-z][\w .,/?!+'=@·-]*)?$/;
