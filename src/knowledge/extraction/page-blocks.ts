import type { Heading, Section } from './blocks.ts';
import { isBoilerplate, isUnseen } from './boilerplate.ts';
import { lines } from './clean.ts';
import { ListReader } from './list-reader.ts';
import { isMain, type Measure, measured } from './measures.ts';
import { Outline } from './outline.ts';
import { isDataTable, tableBlock, textOf } from './tables.ts';
import { attribute, type Element, isElement, type Node, tagOf, type Visitor, walk } from './tree.ts';

const inline = new Set(
  `a abbr acronym b bdi bdo big button cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp
   small span strike strong sub sup time tt u var wbr`.split(/\s+/),
);
/** A main part with less of the page's text than this is none. */
const leastMain = 0.1;

/** The sections of a page without its borders; where nothing is left then, with them. */
export function pageSections(document: Node): Section[] {
  const measures = measured(document);
  const main = mainOf(measures);
  for (const root of main ? [main, document] : [document]) {
    const reader = new PageReader(measures, true);
    const found = reader.read(root);
    if (found.length > 0) return found;
  }
  return new PageReader(measures, false).read(document);
}

/** The part that a page marks as its own, unless that is nearly empty. */
function mainOf(measures: ReadonlyMap<Element, Measure>): Element | undefined {
  const all = [...measures];
  const marked = all.filter(([element]) => isMain(element));
  const articles = all.filter(([element]) => tagOf(element) === 'article');
  const [only] = marked.length > 0 ? marked : articles;
  if (!only || (marked.length === 0 && articles.length > 1)) return undefined;
  return only[1].characters > charactersOf(measures) * leastMain ? only[0] : undefined;
}

/** Of the whole page: the root is left last. */
function charactersOf(measures: ReadonlyMap<Element, Measure>): number {
  return [...measures.values()].at(-1)?.characters ?? 0;
}

class PageReader implements Visitor {
  readonly #measures: ReadonlyMap<Element, Measure>;
  readonly #leaveOutBorders: boolean;
  readonly #pageCharacters: number;
  readonly #outline = new Outline();
  /** The paths outside of the `details` that are open. */
  readonly #outside: (readonly Heading[])[] = [];
  #text = '';
  #list: ListReader | undefined;
  #contentDepth = 0;
  #preDepth = 0;

  constructor(measures: ReadonlyMap<Element, Measure>, leaveOutBorders: boolean) {
    this.#measures = measures;
    this.#leaveOutBorders = leaveOutBorders;
    this.#pageCharacters = charactersOf(measures);
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
    if (this.#leaveOutBorders && isBoilerplate(element, measure, place)) return true;
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
    // A question whose answer can be folded away.
    if (tag === 'summary' && !this.#list) this.#outline.heading(6, textOf(element));
    // A list of cards is no list: each has a heading of its own.
    if (isList(tag) && (this.#list || !holdsStructure)) {
      this.#list ??= new ListReader();
      this.#list.open(tag === 'ol');
    }
    if (tag === 'li' || tag === 'dt') this.#list?.item(tag === 'dt');
  }

  #flush(): void {
    const said = lines(this.#text);
    this.#text = '';
    if (!said) return;
    if (this.#list) this.#list.say(said);
    else this.#outline.add({ kind: 'text', text: said });
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
