import { attribute, type Element, type Node, tagOf, walk } from './html-tree.ts';

/** What an element contains, at any depth. */
export interface Measure {
  characters: number;
  linkedCharacters: number;
  links: number;
  /** Buttons and fields. */
  controls: number;
  /** Whether its text contains the word `cookie`. */
  namesCookies: boolean;
  /** Whether it contains the main part of the page or an `h1`, and so is not boilerplate. */
  holdsCore: boolean;
  /** Whether it contains headings or a table, which items of a list and cells of a data table do not. */
  holdsStructure: boolean;
}

const controls = new Set(['button', 'input', 'select', 'textarea']);
const structure = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table']);
const unread = new Set(['script', 'style', 'noscript', 'template']);

/** The measure of each element below a node, children before their parents. */
export function measured(root: Node): Map<Element, Measure> {
  const measures = new Map<Element, Measure>();
  const open: Measure[] = [];
  let linked = 0;
  walk(root, {
    text(value) {
      const measure = open.at(-1);
      const { length } = value.trim();
      if (!measure) return;
      measure.characters += length;
      measure.namesCookies ||= /cookie/i.test(value);
      if (linked > 0) measure.linkedCharacters += length;
    },
    enter(element) {
      const tag = tagOf(element);
      if (unread.has(tag)) return true;
      const isLink = tag === 'a' && attribute(element, 'href') !== undefined;
      if (isLink) linked++;
      open.push({
        characters: 0,
        linkedCharacters: 0,
        links: isLink ? 1 : 0,
        controls: controls.has(tag) ? 1 : 0,
        namesCookies: false,
        holdsCore: tag === 'h1' || isMain(element),
        holdsStructure: false,
      });
      return false;
    },
    leave(element) {
      const measure = open.pop();
      if (!measure) return;
      measures.set(element, measure);
      const tag = tagOf(element);
      if (tag === 'a' && attribute(element, 'href') !== undefined) linked--;
      const parent = open.at(-1);
      if (!parent) return;
      parent.characters += measure.characters;
      parent.linkedCharacters += measure.linkedCharacters;
      parent.links += measure.links;
      parent.controls += measure.controls;
      parent.namesCookies ||= measure.namesCookies;
      parent.holdsCore ||= measure.holdsCore;
      parent.holdsStructure ||= measure.holdsStructure || structure.has(tag);
    },
  });
  return measures;
}

/** Whether an element is the main part of a page, by its tag, role or a customary id. */
export function isMain(element: Element): boolean {
  if (tagOf(element) === 'main' || attribute(element, 'role') === 'main') return true;
  return /^(?:(?:main|page)-?)?content$|^main$/i.test(attribute(element, 'id') ?? '');
}
