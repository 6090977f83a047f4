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
  let filled = '';
  /** Where the references to secrets begin that the design itself makes. */
  const own = new Set<number>();
  for (const part of textParts(text)) {
    if (filled.length > longestFilled) break;
    if (!isValueName(part.name)) {
      if (part.name !== undefined) own.add(filled.length);
      filled += part.text;
      continue;
    }
    const value = read(part.name);
    if (value === undefined || value === null) miss(part.name);
    else filled += textOf(value);
  }
  filled = filled.slice(0, longestFilled);
  // Otherwise a caller could name a secret, also with two values in a row, and whoever sends the request would fill it in.
  return filled.replaceAll(secretReference, (braces, at: number) => (own.has(at) ? braces : '{ {'));
}

/** A value as text: a text as it is, anything else as JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
