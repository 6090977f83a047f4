import { folded } from './folded.ts';
import { isList, isObject } from './value.ts';

/** A text of a design, and the JSON pointer to it. */
export interface Line {
  readonly pointer: string;
  readonly text: string;
}

/** The texts of a design that contain these words, in any case; not what the service has written about them. */
export function linesWith(design: object, words: string): Line[] {
  const wanted = folded(words);
  const { compliance: _, ...written } = design as { readonly compliance?: unknown };
  return linesOf(written).filter(({ text }) => folded(text).includes(wanted));
}

/** Every text of a JSON value, in its order. A stack of its own, because imported documents may be nested deeply. */
export function linesOf(document: unknown): Line[] {
  const lines: Line[] = [];
  const values: [pointer: string, value: unknown][] = [['', document]];
  for (let next = values.pop(); next; next = values.pop()) {
    const [pointer, value] = next;
    if (typeof value === 'string') lines.push({ pointer, text: value });
    else if (isList(value))
      for (let index = value.length - 1; index >= 0; index--)
        values.push([`${pointer}/${index}`, value[index]]);
    else if (isObject(value))
      for (const key of Object.keys(value).toReversed())
        values.push([`${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, value[key]]);
  }
  return lines;
}
