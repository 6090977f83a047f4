import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { Design } from '../../src/design/schema/design.ts';

/** An element of an SVG, with its own text and its children. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Parses an SVG. Throws if it is not well-formed XML. */
export function parsedSvg(svg: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    const element = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(svg).close();
  const [svgElement] = root.children;
  if (!svgElement) throw new Error('no element');
  return svgElement;
}

/** All descendants with this name. */
export function elements(tree: Element, name: string): Element[] {
  return [...(tree.name === name ? [tree] : []), ...tree.children.flatMap((child) => elements(child, name))];
}

/** The full name of a shape or an arrow: its `<title>`. */
export function titleOf({ children }: Element): string {
  return children.find(({ name }) => name === 'title')?.text ?? '';
}

/** A parsed Mermaid flowchart. */
export interface Flowchart {
  /** Labels by name. */
  readonly nodes: ReadonlyMap<string, string>;
  readonly links: readonly { readonly from: string; readonly to: string; readonly label: string }[];
  /** Names of nodes by class. */
  readonly classes: ReadonlyMap<string, readonly string[]>;
  /** Colours of links by index. */
  readonly linkColours: ReadonlyMap<number, string>;
}

const label = String.raw`"((?:#\d+;|<br/>|[^"#;<>&\[\](){}|\x60\\%$~^*:\p{Cc}])*)"`;
const name = '[sbac]\\w+';
const lines = {
  node: new RegExp(
    String.raw`^ +(${name})(?:\[${label}\]|\(\[${label}\]\)|\{\{${label}\}\}|\[\[${label}\]\])$`,
    'u',
  ),
  link: new RegExp(String.raw`^ {2}(${name}) (?:-->|-\.->)(?:\|${label}\|)? (${name})$`, 'u'),
  members: new RegExp(`^ {2}class (${name}(?:,${name})*) (\\w+)$`, 'u'),
  colour: /^ {2}linkStyle (\d+) stroke:(#[\da-f]{6}),color:\2$/,
  other:
    /^(?:flowchart TD| {2}subgraph (?:before|after)\["[\w ]+"\]| {2}end| {2}classDef \w+ (?:[a-z-]+:[#\w ]+,?)+|)$/,
};

/** Parses a flowchart with a grammar that allows only the expected lines. Throws at any other line. */
export function parsedMermaid(text: string): Flowchart {
  const nodes = new Map<string, string>();
  const links: { from: string; to: string; label: string }[] = [];
  const classes = new Map<string, string[]>();
  const linkColours = new Map<number, string>();
  for (const line of text.split('\n')) {
    const [, node, ...labels] = lines.node.exec(line) ?? [];
    const [, from, said, to] = lines.link.exec(line) ?? [];
    const [, members, of] = lines.members.exec(line) ?? [];
    const [, number, colour] = lines.colour.exec(line) ?? [];
    if (node !== undefined) nodes.set(node, decoded(labels.find((found) => found !== undefined)));
    else if (from !== undefined && to !== undefined) links.push({ from, to, label: decoded(said) });
    else if (members !== undefined && of !== undefined) classes.set(of, members.split(','));
    else if (number !== undefined && colour !== undefined) linkColours.set(Number(number), colour);
    else if (!lines.other.test(line)) throw new Error(`unexpected line: ${line}`);
  }
  return { nodes, links, classes, linkColours };
}

function decoded(text = ''): string {
  return text
    .replaceAll('<br/>', '\n')
    .replaceAll(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

/** Four steps, one of them unreachable, and a node in each hook. */
export const small: Design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: { kind: 'greeting', name: 'Welcome', on: { next: 'menu' } },
    menu: {
      kind: 'route',
      options: [{ id: 'hours', target: 'bye' }, { id: 'other' }],
      on: { fallback: 'bye' },
    },
    island: { kind: 'message', text: 'Nobody hears this.', on: { next: 'bye' } },
    bye: { kind: 'end' },
  },
  hooks: {
    before: {
      rootNodeId: 'mark',
      nodes: { mark: { id: 'mark', setVariable: { variableId: 'x', value: '1' } } },
    },
    after: {
      entryPoints: { bye: 'log' },
      prematureHangupNodeId: 'log',
      nodes: { log: { id: 'log', name: 'Write it down' } },
    },
  },
};
