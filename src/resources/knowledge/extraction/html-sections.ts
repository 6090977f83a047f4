import type { Heading, Section } from './blocks.ts';
import { lines } from './clean-text.ts';
import { isBoilerplate, isUnseen } from './html-boilerplate.ts';
import { ListReader } from './html-lists.ts';
import { isMain, type Measure, measured } from './html-measures.ts';
import { isDataTable, tableBlock, textOf } from './html-tables.ts';
import { attribute, type Element, isElement, type Node, tagOf, type Visitor, walk } from './html-tree.ts';
import { Outline, sizeOf } from './outline.ts';

const inline = new Set(
  `a abbr acronym b bdi bdo big br button cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp
   small span strike strong sub sup time tt u var wbr`.split(/\s+/),
);
/** A copyright line, which pages also have outside of a footer. */
const copyright = /^(?:©|\(c\)|copyright\b).{0,150}$/i;
/** The share of the content that the main part must contain to be used alone: broken pages end it too early. */
const leastMain = 0.75;

/** The sections of a page without boilerplate; with it, if nothing else is left. */
export function pageSections(document: Node): Section[] {
  const measures = measured(document);
  const whole = new PageReader(measures, true).read(document);
  if (whole.length === 0) return new PageReader(measures, false).read(document);
  const main = mainOf(measures);
  const found = main ? new PageReader(measures, true).read(main) : [];
  return withoutPreamble(lengthOf(found) > lengthOf(whole) * leastMain ? found : whole);
}

function lengthOf(sections: readonly Section[]): number {
  return sections.reduce(
    (sum, { blocks }) => sum + blocks.reduce((size, block) => size + sizeOf(block), 0),
    0,
  );
}

/** Removes text above the first heading that has no sentence: it is an unmarked menu. */
function withoutPreamble(sections: readonly Section[]): Section[] {
  const [first, ...rest] = sections;
  const isHeaded = rest.some(({ path }) => path[0]?.level === 1);
  const hasSentence = first?.blocks.some((block) => block.kind !== 'text' || /[.!?…:]$/.test(block.text));
  return first?.path.length === 0 && isHeaded && !hasSentence ? rest : [...sections];
}

/** The element that a page marks as its main part. */
function mainOf(measures: ReadonlyMap<Element, Measure>): Element | undefined {
  const elements = [...measures.keys()];
  const articles = elements.filter((element) => tagOf(element) === 'article');
  return elements.find(isMain) ?? (articles.length === 1 ? articles[0] : undefined);
}

class PageReader implements Visitor {
  readonly #measures: ReadonlyMap<Element, Measure>;
  readonly #skipBoilerplate: boolean;
  readonly #pageCharacters: number;
  readonly #outline = new Outline();
  /** The heading paths outside of each open `details`. */
  readonly #outside: (readonly Heading[])[] = [];
  #text = '';
  #list: ListReader | undefined;
  #contentDepth = 0;
  #preDepth = 0;

  constructor(measures: ReadonlyMap<Element, Measure>, skipBoilerplate: boolean) {
    this.#measures = measures;
    this.#skipBoilerplate = skipBoilerplate;
    // The root's measure is the last one.
    this.#pageCharacters = [...measures.values()].at(-1)?.characters ?? 0;
  }

  read(root: Node): Section[] {
    if (isElement(root)) {
      this.#contentDepth = 1;
      const title = [...this.#measures.keys()].find((element) => tagOf(element) === 'h1');
      if (title && !isInside(title, root)) this.#outline.heading(1, textOf(title));
    }
    walk(root, this);
    this.#flush();
    return this.#outline.finished();
  }

  text(value: string): void {
    this.#text += this.#preDepth > 0 ? value : value.replaceAll(/\s+/g, ' ');
  }

  enter(element: Element): boolean {
    const tag = tagOf(element);
    if (tag === 'br') this.#text += '\n';
    const measure = this.#measures.get(element);
    if (isUnseen(element) || !measure) return true;
    const place = { inContent: this.#contentDepth > 0, pageCharacters: this.#pageCharacters };
    if (this.#skipBoilerplate && isBoilerplate(element, measure, place)) {
      this.#flush();
      this.#outline.skip();
      return true;
    }
    if (inline.has(tag)) return tag === 'button';
    this.#flush();
    const level = levelOf(element);
    if (level !== undefined) this.#outline.heading(level, textOf(element));
    else if (tag === 'table' && isDataTable(element, measure)) this.#outline.add(tableBlock(element));
    else {
      this.#open(element, tag, measure);
      return tag === 'summary' && !this.#list;
    }
    return true;
  }

  leave(element: Element): void {
    const tag = tagOf(element);
    if (inline.has(tag)) return;
    this.#flush();
    if (isContent(element)) this.#contentDepth--;
    if (tag === 'pre') this.#preDepth--;
    if (tag === 'details') this.#outline.restore(this.#outside.pop() ?? []);
    if (!this.#list || !isList(tag) || !this.#list.close()) return;
    const block = this.#list.block();
    this.#list = undefined;
    if (block) this.#outline.add(block);
  }

  #open(element: Element, tag: string, { holdsStructure }: Measure): void {
    if (isContent(element)) this.#contentDepth++;
    if (tag === 'pre') this.#preDepth++;
    if (tag === 'details') this.#outside.push(this.#outline.path);
    // A `summary` is often a question, with its answer in the `details`.
    if (tag === 'summary' && !this.#list) this.#outline.heading(6, textOf(element));
    // A list of cards, each with its own heading, is not a list.
    if (isList(tag) && (this.#list || !holdsStructure)) {
      this.#list ??= new ListReader();
      this.#list.open(tag === 'ol');
    }
    if (tag === 'li' || tag === 'dt') this.#list?.item(tag === 'dt');
  }

  #flush(): void {
    const text = lines(this.#text);
    this.#text = '';
    if (!text || copyright.test(text)) return;
    if (this.#list) this.#list.add(text);
    else this.#outline.add({ kind: 'text', text });
  }
}

function levelOf(element: Element): number | undefined {
  const tag = tagOf(element);
  if (/^h[1-6]$/.test(tag)) return Number(tag.slice(1));
  if (attribute(element, 'role') !== 'heading') return undefined;
  const level = Number(attribute(element, 'aria-level') ?? 2);
  return level >= 1 && level <= 6 ? Math.floor(level) : 2;
}

function isContent(element: Element): boolean {
  return isMain(element) || /^(?:article|section)$/.test(tagOf(element));
}

function isList(tag: string): boolean {
  return /^(?:ul|ol|dl)$/.test(tag);
}

function isInside(element: Element, root: Element): boolean {
  let at: Node | null = element;
  while (at && at !== root) at = 'parentNode' in at ? at.parentNode : null;
  return at === root;
}
