import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { MinusIcon, PlusIcon } from '../ui/icons.tsx';
import classes from './drawing.module.css';

/** A step, a node of a hook, or a point of the call, as the attributes of a drawing name it: `step menu`. */
export type Place = string;

interface DrawingProps {
  /** What `draw_design` returned. */
  readonly svg: string;
  /** What it shows, for people who do not see it. A list next to it should say the same in words. */
  readonly label: string;
  readonly selected?: Place | undefined;
  readonly onSelect?: ((place: Place) => void) | undefined;
  /** The place that has to be in sight: the selected one by default. */
  readonly inSight?: Place | undefined;
  /** The way of a call, which is drawn over the rest. */
  readonly path?: readonly Place[] | undefined;
}

/** The factors that the buttons and keys go through. */
const zooms = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3];
/** Pixels that a mouse moves before a press counts as a drag. */
const dragThreshold = 4;
/** The smallest factor at which a drawing opens: its words can still be read. */
const readable = 0.75;

/** A drawing of the API that people can click, zoom (buttons, + and -, Ctrl with the wheel) and move (drag, arrow keys). */
export function Drawing({ svg, label, selected, inSight = selected, onSelect, path }: DrawingProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const drag = useRef<{ x: number; y: number; hasMoved: boolean }>(undefined);

  useLayoutEffect(() => {
    if (!canvas.current || !frame.current) return;
    const { width } = show(svg, canvas.current.shadowRoot ?? canvas.current.attachShadow({ mode: 'open' }));
    setZoom(Math.min(1, Math.max(readable, frame.current.clientWidth / width)));
  }, [svg]);

  useLayoutEffect(() => {
    const drawing = canvas.current?.shadowRoot?.querySelector('svg');
    if (!drawing) return;
    const { width, height } = drawing.viewBox.baseVal;
    drawing.setAttribute('width', String(width * zoom));
    drawing.setAttribute('height', String(height * zoom));
  });

  useLayoutEffect(() => {
    const root = canvas.current?.shadowRoot;
    if (root) mark(root, selected, path ?? []);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing has other places
  useLayoutEffect(() => {
    // Before the next paint, and after the render that gives a new drawing its size.
    const frameRequest = requestAnimationFrame(() => {
      const root = canvas.current?.shadowRoot;
      if (root && frame.current) bringInSight(frame.current, root, inSight);
    });
    return () => cancelAnimationFrame(frameRequest);
  }, [svg, inSight]);

  const step = (direction: 1 | -1) =>
    setZoom((now) => {
      const sorted = direction === 1 ? zooms : zooms.toReversed();
      return sorted.find((one) => (one - now) * direction > 0.01) ?? now;
    });
  const fitWidth = () => {
    const width = canvas.current?.shadowRoot?.querySelector('svg')?.viewBox.baseVal.width;
    if (frame.current && width) setZoom(Math.min(1, frame.current.clientWidth / width));
  };

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    // React listens to the wheel passively, which cannot keep the browser from zooming the whole page.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      step(event.deltaY < 0 ? 1 : -1);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  });

  const onPointerMove = (event: PointerEvent) => {
    const from = drag.current;
    if (!from || !frame.current) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.hasMoved && Math.hypot(dx, dy) < dragThreshold) return;
    frame.current.scrollBy(-dx, -dy);
    drag.current = { x: event.clientX, y: event.clientY, hasMoved: true };
  };
  const select = (event: PointerEvent) => {
    const hasMoved = drag.current?.hasMoved;
    drag.current = undefined;
    const [target] = event.nativeEvent.composedPath();
    const place =
      target instanceof Element ? target.closest('[data-place]')?.getAttribute('data-place') : undefined;
    if (!hasMoved && place) onSelect?.(place);
  };

  return (
    <div className={classes.drawing}>
      <div className={classes.tools}>
        <Button
          variant="quiet"
          size="small"
          aria-label="Zoom out"
          icon={<MinusIcon />}
          onClick={() => step(-1)}
        />
        <Button
          variant="quiet"
          size="small"
          aria-label={`${Math.round(zoom * 100)} %, fit to the width`}
          onClick={fitWidth}
        >
          {Math.round(zoom * 100)} %
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label="Zoom in"
          icon={<PlusIcon />}
          onClick={() => step(1)}
        />
      </div>
      <div
        ref={frame}
        className={classes.frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls and zooms it
        tabIndex={0}
        role="img"
        aria-label={label}
        onKeyDown={(event) => {
          if (event.key === '+' || event.key === '=') step(1);
          else if (event.key === '-') step(-1);
          else if (event.key === '0') fitWidth();
        }}
        onPointerDown={(event) => {
          if (event.button === 0 && event.pointerType === 'mouse')
            drag.current = { x: event.clientX, y: event.clientY, hasMoved: false };
        }}
        onPointerMove={onPointerMove}
        onPointerUp={select}
        onPointerLeave={() => {
          drag.current = undefined;
        }}
      >
        <div ref={canvas} className={classes.canvas} data-clickable={onSelect ? '' : undefined} />
      </div>
    </div>
  );
}

/** Marks what is selected and where a call went. The colours come from the page, through custom properties. */
const marks = new CSSStyleSheet();
marks.replaceSync(`
  svg { display: block; }
  :host([data-clickable]) [data-place]:not([data-place^='call ']) { cursor: pointer; }
  :host([data-clickable]) [data-place]:not([data-place^='call ']):hover > rect { stroke-width: 3; }
  .selected > rect { stroke: #3a43c9 !important; stroke-width: 3.5 !important; }
  .has-path > g > :not(.walked, .b) { opacity: 0.35; }
  path.walked { stroke: #3a43c9; stroke-width: 2; }
  @supports (fill: context-stroke) { marker polygon { fill: context-stroke; } }
`);

/**
 * Shows a drawing inside a shadow root, where its style sheet and its ids stay its own. The Content-Security-Policy
 * refuses style elements, so their text goes into a sheet that the page itself makes.
 */
function show(svg: string, root: ShadowRoot): { readonly width: number } {
  const sheet = new CSSStyleSheet();
  const unstyled = svg.replace(/<style>([^<]*)<\/style>/, (_, text: string) => {
    sheet.replaceSync(text);
    return '';
  });
  const parsed = new DOMParser().parseFromString(unstyled, 'image/svg+xml').documentElement;
  if (!(parsed instanceof SVGSVGElement)) throw new Error('The drawing cannot be read.');
  for (const script of parsed.querySelectorAll('script')) script.remove();
  root.adoptedStyleSheets = [sheet, marks];
  root.replaceChildren(document.adoptNode(parsed));
  return parsed.viewBox.baseVal;
}

/** Scrolls to a place, or at first to the middle of the beginning, if it is not in sight. */
function bringInSight(frame: HTMLElement, root: ShadowRoot, place: Place | undefined): void {
  const shape =
    place === undefined
      ? root.querySelector('[data-place]')
      : root.querySelector(`[data-place="${CSS.escape(place)}"]`);
  if (!shape) return;
  const [inner, outer] = [shape.getBoundingClientRect(), frame.getBoundingClientRect()];
  const isInSight =
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom;
  if (isInSight) return;
  frame.scrollBy({
    left: (inner.left + inner.right - outer.left - outer.right) / 2,
    top: place === undefined ? 0 : (inner.top + inner.bottom - outer.top - outer.bottom) / 2,
  });
}

function mark(root: ShadowRoot, selected: Place | undefined, path: readonly Place[]): void {
  const walked = new Set(path);
  const moves = new Set(path.slice(1).map((place, index) => `${path[index]}\n${place}`));
  for (const shape of root.querySelectorAll<SVGElement>('[data-place]')) {
    const { place = '' } = shape.dataset;
    shape.classList.toggle('selected', place === selected);
    shape.classList.toggle('walked', walked.has(place));
  }
  for (const arrow of root.querySelectorAll<SVGElement>('[data-from]'))
    arrow.classList.toggle('walked', moves.has(`${arrow.dataset['from']}\n${arrow.dataset['to']}`));
  root.querySelector('svg')?.classList.toggle('has-path', path.length > 0);
}
