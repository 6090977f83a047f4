import { type DefaultTreeAdapterTypes, html } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;
export type Node = DefaultTreeAdapterTypes.Node;

export interface Visitor {
  text?(value: string): void;
  /** Returns true to skip the element's content; `leave` is then not called for it. */
  enter(element: Element): boolean;
  leave?(element: Element): void;
}

/** Walks the nodes below `root` in reading order. A loop, because a page may be nested deeper than the call stack. */
export function walk(root: Node, visitor: Visitor): void {
  const open: { readonly node: Node; next: number }[] = [{ node: root, next: 0 }];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const child: Node | undefined = 'childNodes' in top.node ? top.node.childNodes[top.next++] : undefined;
    if (!child) {
      open.pop();
      if (open.length > 0 && isElement(top.node)) visitor.leave?.(top.node);
    } else if (isElement(child)) {
      if (!visitor.enter(child)) open.push({ node: child, next: 0 });
    } else if ('value' in child) visitor.text?.(child.value);
  }
}

export function isElement(node: Node): node is Element {
  return 'tagName' in node;
}

/** The name of an HTML element; empty for an element of another namespace, such as SVG. */
export function tagOf(element: Element): string {
  return element.namespaceURI === html.NS.HTML ? element.tagName : '';
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}
