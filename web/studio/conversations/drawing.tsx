import { useLayoutEffect, useRef } from 'react';
import classes from './drawing.module.css';

/** A drawing of the API, inside a shadow root: its style sheet and its ids stay there. */
export function Drawing({ svg, label }: { svg: string; label: string }) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const host = frame.current;
    if (host) show(svg, host.shadowRoot ?? host.attachShadow({ mode: 'open' }));
  }, [svg]);
  return <div ref={frame} role="img" aria-label={label} className={classes.drawing} />;
}

/** The Content-Security-Policy refuses style elements, so their text goes into a sheet that the page itself makes. */
function show(svg: string, root: ShadowRoot): void {
  const sheet = new CSSStyleSheet();
  const unstyled = svg.replace(/<style>([^<]*)<\/style>/, (_, text: string) => {
    sheet.replaceSync(text);
    return '';
  });
  const parsed = new DOMParser().parseFromString(unstyled, 'image/svg+xml').documentElement;
  if (parsed.nodeName !== 'svg') throw new Error('The drawing cannot be read.');
  for (const script of parsed.querySelectorAll('script')) script.remove();
  root.adoptedStyleSheets = [sheet];
  root.replaceChildren(document.adoptNode(parsed));
}
