import type { Measure } from './html-measures.ts';
import { attribute, type Element, tagOf } from './html-tree.ts';

/** Where an element stands. */
export interface Place {
  /** Inside `main`, an article or a section: its header is a heading's, its aside a note. */
  readonly inContent: boolean;
  /** Characters of the whole page. */
  readonly pageCharacters: number;
}

const never = new Set(
  `script style noscript template head title link meta base iframe object embed svg canvas audio video map picture img
   select textarea input datalist option progress meter dialog`.split(/\s+/),
);
const borderRoles = new Set(
  'navigation contentinfo search menu menubar tablist toolbar dialog alertdialog'.split(' '),
);
const unseenClasses = /(?:^|\s)(?:visually-?hidden|sr-only|screen-reader-text|d-none|is-hidden)(?:\s|$)/i;

/** Whether nobody reads an element: it is no text, or hidden. */
export function isUnseen(element: Element): boolean {
  const tag = tagOf(element);
  if (never.has(tag) || tag === '') return true;
  const hidden = attribute(element, 'hidden');
  if (hidden !== undefined && hidden !== 'until-found') return true;
  if (attribute(element, 'aria-hidden') === 'true') return true;
  if (/(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(element, 'style') ?? '')) return true;
  const classes = attribute(element, 'class') ?? '';
  if (/^h[1-6]$/.test(tag)) return false;
  // With `hidden md:block` only small screens do without.
  return (
    unseenClasses.test(classes) ||
    (/(?:^|\s)hidden(?:\s|$)/.test(classes) && !/:(?:block|flex|grid|inline|table)/.test(classes))
  );
}

/** Whether an element is the border of a page and no part of what the page says: menus, banners, sidebars, footers. */
export function isBoilerplate(element: Element, measure: Measure, place: Place): boolean {
  if (measure.holdsCore) return false;
  const tag = tagOf(element);
  const role = attribute(element, 'role') ?? '';
  const mostlyLinks = measure.linkedCharacters > measure.characters * 0.4;
  if (tag === 'nav' || borderRoles.has(role)) return true;
  if (tag === 'footer') return true;
  if (tag === 'header' || role === 'banner') return !place.inContent;
  if (tag === 'aside' || role === 'complementary') return !place.inContent || mostlyLinks;
  // What holds most of the page is its layout, whatever it is called.
  if (measure.characters * 2 > place.pageCharacters) return false;
  if (isNamedSo(element, measure, mostlyLinks)) return true;
  return !place.inContent && (isMenu(tag, measure) || asksForConsent(measure));
}

/** Names that designers give to borders, as words of a class or an id. */
const certain =
  /^(?:breadcrumbs?|crumbs?|pagination|pager|sidebar|sidenav|navbar|nav|navigation|skiplinks?|footer|newsletter|masthead|topbar)$/;
const perhaps =
  /^(?:menu|share|sharing|social|related|recommended|toc|promo|advert|ads?|widget|popup|modal|overlay|tags|login)$/;
const consent = /^(?:cookies?|consent|gdpr|ccpa)$/;

function isNamedSo(
  element: Element,
  { controls, links, holdsStructure }: Measure,
  mostlyLinks: boolean,
): boolean {
  const words = `${attribute(element, 'class') ?? ''} ${attribute(element, 'id') ?? ''}`
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  // A chapter about cookies asks for no consent.
  if (words.some((word) => consent.test(word)))
    return (
      controls > 0 || (links > 0 && words.some((word) => /^(?:banner|bar|notice|popup|consent)$/.test(word)))
    );
  // A card has a footer as well.
  if (words.some((word) => certain.test(word))) return !words.includes('card') || mostlyLinks;
  return words.some((word) => perhaps.test(word)) && (mostlyLinks || (controls > 0 && !holdsStructure));
}

/** Links and hardly anything else, outside of what is marked as content. */
function isMenu(tag: string, { characters, linkedCharacters, links }: Measure): boolean {
  const short = linkedCharacters < links * 40;
  return /^(?:ul|ol|div|p|table)$/.test(tag) && links >= 4 && short && linkedCharacters > characters * 0.8;
}

/** A word about cookies, and a button. */
function asksForConsent({ namesCookies, controls, characters }: Measure): boolean {
  return namesCookies && controls > 0 && characters < 1500;
}
