import { isValueName, textParts } from '../design/placeholders.ts';
import type { Json } from './json-value.ts';

/** Characters of a filled text: a text may contain a variable twice, and that variable another one. */
export const longestFilled = 100_000;
const secretReference = /\{\{(?=\s*secret\.)/g;

/**
 * Replaces `{{name}}` by the value of a variable. `{{secret.NAME}}` stays: whoever sends the request replaces it, so that no
 * secret enters the state of a call. A filled text ends after `longestFilled` characters. A name without a value becomes empty, and `miss` is told.
 */
export function fillTemplate(
  text: string,
  read: (name: string) => Json | undefined,
  miss: (name: string) => void,
): string {
  const put = (name: string) => {
    const value = read(name);
    if (value !== undefined && value !== null) return textOf(value);
    miss(name);
    return '';
  };
  return filledText(text, put, longestFilled, '{ {').slice(0, longestFilled);
}

/**
 * A text with what `put` returns in place of each value. It ends soon after `longest` characters: it may have a long value
 * many times. References to secrets stay, and no value makes another one: `braces` replaces those of what looks like one.
 */
export function filledText(
  text: string,
  put: (name: string) => string,
  longest: number,
  braces: string,
): string {
  let filled = '';
  /** Where the references to secrets begin that the design itself makes. */
  const own = new Set<number>();
  for (const part of textParts(text)) {
    if (filled.length > longest) break;
    if (isValueName(part.name)) {
      filled += put(part.name);
      continue;
    }
    if (part.name !== undefined) own.add(filled.length);
    filled += part.text;
  }
  // Otherwise a caller could name a secret, also with two values in a row, and whoever sends the request would fill it in.
  return filled.replaceAll(secretReference, (written, at: number) => (own.has(at) ? written : braces));
}

/** A value as text: a text as it is, anything else as JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
