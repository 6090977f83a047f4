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
  return [...linesOf(written, '')].filter(({ text }) => folded(text).includes(wanted));
}

function* linesOf(value: unknown, pointer: string): Generator<Line> {
  if (typeof value === 'string') yield { pointer, text: value };
  else if (isList(value))
    for (const [index, item] of value.entries()) yield* linesOf(item, `${pointer}/${index}`);
  else if (isObject(value))
    for (const [key, member] of Object.entries(value))
      yield* linesOf(member, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}
