/** Creates an element. Texts become text nodes, so that no markup is parsed (Trusted Types). */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** The paths of the icons, on a grid of 24. */
const icons = {
  chat: 'M4 12a8 8 0 1 1 3.6 6.7L4 20l1.1-3.7A7.96 7.96 0 0 1 4 12Zm5-1h6m-6 3.2h3.5',
  close: 'm6 6 12 12M18 6 6 18',
  down: 'm6 9 6 6 6-6',
  send: 'M12 19V5m-6 6 6-6 6 6',
  phone:
    'M6.2 4 8.9 4.2l1.4 3.7-1.8 1.5a11 11 0 0 0 6.1 6.1l1.5-1.8 3.7 1.4.2 2.7c0 1.2-1 2.2-2.2 2.2C10.6 20 4 13.4 4 6.2 4 5 5 4 6.2 4Z',
  microphone: 'M12 15a3 3 0 0 0 3-3V6a3 3 0 0 0-6 0v6a3 3 0 0 0 3 3Zm-6-3a6 6 0 0 0 12 0m-6 6v3',
  stop: 'M7 7h10v10H7Z',
  spark: 'M12 3.5c.6 4.7 3.2 7.3 8 8-4.8.7-7.4 3.3-8 8-.6-4.7-3.2-7.3-8-8 4.8-.7 7.4-3.3 8-8Z',
} as const;

/** Creates an icon, which screen readers skip. */
export function icon(name: keyof typeof icons): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const drawing = document.createElementNS(namespace, 'svg');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('d', icons[name]);
  drawing.append(path);
  return drawing;
}
