import { labelSize } from './boxes.ts';
import type { Diagram } from './diagram.ts';
import { rectSvg } from './elements.ts';
import { type LookName, lookOf, looks } from './look.ts';
import { widthOf } from './text.ts';

export const margin = 20;

/** The legend, on one line. Contains only looks that the diagram uses; empty if it needs none. */
export function legendOf({ shapes, isComparison }: Diagram): { svg: string; width: number } {
  const used = new Set(shapes.map((shape) => lookOf(shape, isComparison)));
  const items: { name: string; text: string }[] = [];
  if (shapes.some(({ isEntry }) => isEntry)) items.push({ name: 'key entry', text: 'entry' });
  for (const [name, look] of Object.entries(looks))
    if ('legend' in look && used.has(name as LookName)) items.push({ name, text: look.legend });
  let x = margin;
  const svg = items.map(({ name, text }) => {
    const middle = x + 13;
    const words = `<text class="l key" x="${x + 32}" y="${margin + 6}">${text}</text>`;
    x += 32 + Math.ceil(widthOf(text, labelSize)) + 22;
    return `<g class="${name}">${rectSvg({ x: middle, y: margin + 2, width: 26, height: 14, corner: 3 })}</g>${words}`;
  });
  return { svg: svg.join('\n'), width: x - margin };
}
