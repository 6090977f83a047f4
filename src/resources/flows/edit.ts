import * as v from 'valibot';
import { isObject } from '../../design/value.ts';
import { jsonPointer } from '../../platform/errors.ts';
import type { Edited } from '../designs/edit.ts';

/** Characters of the longest text to find or to write: the longest configuration. */
const longestText = 262_144;

/** Changes a text without sending what surrounds it. */
export const TextReplacement = v.pipe(
  v.strictObject({
    find: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(longestText),
      v.description('A text that occurs once.'),
    ),
    with: v.pipe(v.string(), v.maxLength(longestText), v.description('What to write there.')),
  }),
  v.description('A text that occurs once in the configuration, and what to write there.'),
);

/** Places that an error lists. */
const mostPlaces = 5;

/** Replaces a text that occurs once in all texts of a document. */
export function replaceOnce(document: unknown, replacement: v.InferOutput<typeof TextReplacement>): Edited {
  const { find, with: text } = replacement;
  const places: string[] = [];
  const visit = (value: unknown, place: readonly (string | number)[]): unknown => {
    if (typeof value === 'string') {
      const parts = value.split(find);
      for (let occurrence = 1; occurrence < parts.length; occurrence++) places.push(jsonPointer(place));
      return parts.join(text);
    }
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...place, index]));
    if (!isObject(value)) return value;
    // fromEntries, unlike assignment, makes an own member even of "__proto__".
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, visit(member, [...place, name])]),
    );
  };
  const replaced = visit(document, []);
  if (places.length === 1) return { document: replaced };
  const message =
    places.length === 0
      ? 'Does not occur in the configuration.'
      : `Occurs ${places.length} times, at ${places.slice(0, mostPlaces).join(', ')}. Give more of the text around it.`;
  return { failed: { path: ['replace', 'find'], message } };
}
