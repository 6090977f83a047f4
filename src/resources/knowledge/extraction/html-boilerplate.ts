import type { Measure } from './html-measures.ts';
import { attribute, type Element, tagOf } from './html-tree.ts';

/** The position of an element in its page. */
export interface Place {
  /** Whether it is inside `main`, an article or a section, where a header or an aside belongs to the content. */
  readonly inContent: boolean;
  /** Characters of the whole page. */
  readonly pageCharacters: number;
}

const never = new Set(
  `script style noscript template head title link meta base iframe object embed svg canvas audio video map picture img
   select textarea input datalist option progress meter dialog`.split(/\s+/),
);
const boilerplateRoles = new Set(
  'navigation contentinfo search menu menubar tablist toolbar dialog alertdialog'.split(' '),
);
const unseenClasses = /(?:^|\s)(?:visually-?hidden|sr-only|screen-reader-text|d-none|is-hidden)(?:\s|$)/i;

/** Whether a browser shows no text of an element, because it has none or is hidden. */
export function isUnseen(element: Element): boolean {
  const tag = tagOf(element);
  if (never.has(tag) || tag === '') return true;
  const hidden = attribute(element, 'hidden');
  if (hidden !== undefined && hidden !== 'until-found') return true;
  if (attribute(element, 'aria-hidden') === 'true') return true;
  if (/(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(element, 'style') ?? '')) return true;
  const classes = attribute(element, 'class') ?? '';
  if (/^h[1-6]$/.test(tag)) return false;
  // `hidden md:block` hides an element on small screens only.
  return (
    unseenClasses.test(classes) ||
    (/(?:^|\s)hidden(?:\s|$)/.test(classes) && !/:(?:block|flex|grid|inline|table)/.test(classes))
  );
}

/** Whether an element is boilerplate, not content: a menu, banner, sidebar or footer. */
export function isBoilerplate(element: Element, measure: Measure, place: Place): boolean {
  if (measure.holdsCore) return false;
  const tag = tagOf(element);
  const role = attribute(element, 'role') ?? '';
  const mostlyLinks = measure.linkedCharacters > measure.characters * 0.4;
  if (tag === 'nav' || boilerplateRoles.has(role)) return true;
  if (tag === 'footer') return true;
  if (tag === 'header' || role === 'banner') return !place.inContent;
  if (tag === 'aside' || role === 'complementary') return !place.inContent || mostlyLinks;
  // An element with most of the page's text is its layout, whatever its name.
  if (measure.characters * 2 > place.pageCharacters) return false;
  if (isNamedBoilerplate(element, measure, mostlyLinks)) return true;
  return !place.inContent && (isMenu(tag, measure) || asksForConsent(measure));
}

/** Words in the class or id of boilerplate. */
const certain =
  /^(?:breadcrumbs?|crumbs?|pagination|pager|sidebar|sidenav|navbar|nav|navigation|skiplinks?|footer|newsletter|masthead|topbar)$/;
const perhaps =
  /^(?:menu|share|sharing|social|related|recommended|toc|promo|advert|ads?|widget|popup|modal|overlay|tags|login)$/;
const consent = /^(?:cookies?|consent|gdpr|ccpa)$/;

function isNamedBoilerplate(
  element: Element,
  { controls, links, holdsStructure }: Measure,
  mostlyLinks: boolean,
): boolean {
  const words = `${attribute(element, 'class') ?? ''} ${attribute(element, 'id') ?? ''}`
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  // A chapter about cookies has no buttons.
  if (words.some((word) => consent.test(word)))
    return (
      controls > 0 || (links > 0 && words.some((word) => /^(?:banner|bar|notice|popup|consent)$/.test(word)))
    );
  // The footer of a card is content.
  if (words.some((word) => certain.test(word))) return !words.includes('card') || mostlyLinks;
  return words.some((word) => perhaps.test(word)) && (mostlyLinks || (controls > 0 && !holdsStructure));
}

/** Whether an element is a list of short links. */
function isMenu(tag: string, { characters, linkedCharacters, links }: Measure): boolean {
  const short = linkedCharacters < links * 40;
  return /^(?:ul|ol|div|p|table)$/.test(tag) && links >= 4 && short && linkedCharacters > characters * 0.8;
}

/** Whether an element names cookies and has a button. */
function asksForConsent({ namesCookies, controls, characters }: Measure): boolean {
  return namesCookies && controls > 0 && characters < 1500;
}
