import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Tells an element's styles where it begins on the page, as `--top` in pixels, so that they can let it end at the bottom of
 * the window.
 */
export function useHeightToBottom(): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = element;
    const parent = current?.parentElement;
    if (!current || !parent) return undefined;
    // The parent stays in its place if the element sticks to the window.
    const measure = () =>
      current.style.setProperty('--top', `${parent.getBoundingClientRect().top + globalThis.scrollY}px`);
    measure();
    // What stands above moves the element when it changes its height, and with it the height of the page.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return element;
}
