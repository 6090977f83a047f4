import type { Point } from './geometry.ts';

/** A rectangle by its middle; `corner` is how round it is, in pixels. */
export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
  readonly corner: number;
}

export function rectSvg({ x, y, width, height, corner }: Rectangle): string {
  return `<rect x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${width}" height="${height}" rx="${corner}"/>`;
}

/** A line of text, around `x` unless its style says otherwise. */
export function textSvg(name: string, x: number, y: number, text: string, style = ''): string {
  return `<text class="${name}" x="${round(x)}" y="${round(y)}"${style}>${escaped(text)}</text>`;
}

/** A point as paths have it. */
export function pair({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

/** To a tenth of a pixel, which nobody sees. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text of an element. Characters that XML has no place for are gone before (`lineOf`). */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? '');
}
