/** An address with https, up to the next space. */
const address = /https:\/\/[^\s<>"'`]+/giu;
/** What follows an address in a sentence, and does not belong to it. */
const trailing = /[.,;:!?…)\]}،؛؟。]+$/u;

/** Returns a text as nodes, in which addresses are links that tell the other site nothing about the page. */
export function withLinks(text: string): Node[] {
  const nodes: Node[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    const href = found.replace(trailing, '');
    // What comes before an @ looks like the host, but is a user.
    if (!URL.canParse(href) || new URL(href).username !== '') continue;
    nodes.push(document.createTextNode(text.slice(end, index)), link(href, href, '_blank'));
    end = index + href.length;
  }
  nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

/** Returns a link that dials a number. */
export function telephoneLink(number: string): HTMLAnchorElement {
  const anchor = link(`tel:${number.replaceAll(/[^\d+*#]/g, '')}`, number);
  anchor.dir = 'ltr';
  return anchor;
}

function link(href: string, text: string, target = ''): HTMLAnchorElement {
  const anchor = document.createElement('a');
  anchor.href = href;
  anchor.textContent = text;
  anchor.target = target;
  anchor.rel = 'noopener noreferrer';
  return anchor;
}
