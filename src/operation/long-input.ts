import { LongText, type LongTextEncoding } from '../platform/long-text.ts';
import type { Tool } from './define.ts';
import { encodingOf } from './file-text.ts';
import type { JsonObject } from './result.ts';

/** The inputs of an operation that may be as long as a file, with what they hold. */
export function longInputs({ input, file }: Tool): ReadonlyMap<string, LongTextEncoding> {
  return new Map(
    Object.entries(input.entries).flatMap(([name, schema]) => {
      const encoding = name === file ? 'base64' : encodingOf(schema);
      return encoding ? [[name, encoding] as const] : [];
    }),
  );
}

/** The input with the long texts whose tokens the members of these names hold. */
export function withLongTexts(
  input: JsonObject,
  names: Iterable<string>,
  longTexts: ReadonlyMap<string, LongText>,
): JsonObject {
  if (longTexts.size === 0) return input;
  const found = [...names].flatMap((name) => {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    const longText = typeof value === 'string' ? longTexts.get(value) : undefined;
    return longText ? [[name, longText] as const] : [];
  });
  return { ...input, ...Object.fromEntries(found) };
}

/** Frees the memory of the files in an input, once its call has ended. */
export function releaseLongTexts(input: JsonObject): void {
  for (const value of Object.values(input)) if (value instanceof LongText) value.release();
}
