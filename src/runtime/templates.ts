import type { Json } from './json-value.ts';

const placeholder = /\{\{\s*([^{}]+?)\s*\}\}/g;
const secretReference = /\{\{(?=\s*secret\.)/g;

/**
 * Replaces `{{name}}` by the value of a variable. `{{secret.NAME}}` stays: whoever sends the request replaces it, so that no
 * secret enters the state of a call. A name without a value becomes empty, and `miss` is told.
 */
export function fillTemplate(
  text: string,
  read: (name: string) => Json | undefined,
  miss: (name: string) => void,
): string {
  return text.replaceAll(placeholder, (whole, name: string) => {
    if (name.startsWith('secret.')) return whole;
    const value = read(name);
    if (value === undefined || value === null) {
      miss(name);
      return '';
    }
    // Otherwise a caller could name a secret, and whoever sends the request would fill it in.
    return textOf(value).replaceAll(secretReference, '{ {');
  });
}

/** A value as text: a text as it is, anything else as JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
