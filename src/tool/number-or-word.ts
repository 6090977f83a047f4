import * as v from 'valibot';

type Numbers = v.GenericSchema<number, number>;

interface NumberOrWord {
  readonly number: Numbers;
  readonly words: readonly string[];
  readonly description: string;
  /** The description where the words are accepted too. */
  readonly describedWithWords: string;
}

/** The schema of an input that is a number in REST. On MCP and the command line, some words stand for numbers. */
export function numberOrWord<const Word extends string>(
  number: Numbers,
  words: readonly [Word, ...Word[]],
  description: string,
  describedWithWords = description,
) {
  const message = `Expected a number, ${words.join(' or ')}.`;
  const numberOr: NumberOrWord = { number, words, description, describedWithWords };
  return Object.assign(v.union([number, v.picklist(words)], message), { numberOr });
}

/** What such an input takes; undefined if the schema is another. */
export function numberOrWordOf(schema: object): NumberOrWord | undefined {
  if ('wrapped' in schema) return numberOrWordOf(schema.wrapped as object);
  return 'numberOr' in schema ? (schema.numberOr as NumberOrWord) : undefined;
}
