import type { Point } from './geometry.ts';

/** A rectangle around its centre; `corner` is the radius of its corners. All in pixels. */
export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
  readonly corner: number;
}

export function rectSvg({ x, y, width, height, corner }: Rectangle): string {
  return `<rect x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${width}" height="${height}" rx="${corner}"/>`;
}

/** A line of text, centred at `x` unless a style of its classes says otherwise. */
export function textSvg(classes: string, x: number, y: number, text: string): string {
  return `<text class="${classes}" x="${round(x)}" y="${round(y)}">${escaped(text)}</text>`;
}

export function pair({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

/** Rounds to a tenth of a pixel, which keeps files small. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Escapes the text of an element or of an attribute in double quotes. `lineOf` has already removed characters that XML
 * does not allow.
 */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
