import * as v from 'valibot';

type Numbers = v.GenericSchema<number, number> | v.GenericSchema<number | number[], number | number[]>;

interface NumberOrWord {
  readonly number: Numbers;
  readonly words: readonly string[];
  readonly description: string;
  /** The description where the words are accepted too. */
  readonly describedWithWords: string;
  /** True if the input also takes a list. */
  readonly takesList: boolean;
}

/** The schema of an input that is a number in REST. On MCP and the command line, some words stand for numbers. */
export function numberOrWord<const Word extends string>(
  number: v.GenericSchema<number, number>,
  words: readonly [Word, ...Word[]],
  description: string,
  describedWithWords = description,
) {
  const message = `Expected a number, ${words.join(' or ')}.`;
  const numberOr: NumberOrWord = { number, words, description, describedWithWords, takesList: false };
  return Object.assign(v.union([number, v.picklist(words)], message), { numberOr });
}

/** The schema of an input that takes the same, or a list of at most `most` of them. */
export function numbersOrWords<const Word extends string>(
  number: v.GenericSchema<number, number>,
  words: readonly [Word, ...Word[]],
  {
    most,
    description,
    describedWithWords,
  }: { readonly most: number; readonly description: string; readonly describedWithWords: string },
) {
  const listOf = <Item extends v.GenericSchema>(item: Item) =>
    v.pipe(v.array(item), v.minLength(1), v.maxLength(most));
  const one = numberOrWord(number, words, description);
  const numberOr: NumberOrWord = {
    number: v.union([number, listOf(number)]),
    words,
    description,
    describedWithWords,
    takesList: true,
  };
  const message = `Expected a number, ${words.join(' or ')}, or a list of at most ${most}.`;
  return Object.assign(v.union([one, listOf(one)], message), { numberOr });
}

/** The places in such an input, a value or a list, at which there is a text. */
export function wordsIn(value: unknown): (readonly number[])[] {
  if (typeof value === 'string') return [[]];
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index) => (typeof item === 'string' ? [[index]] : []));
}

/** What such an input takes; undefined if the schema is another. */
export function numberOrWordOf(schema: object): NumberOrWord | undefined {
  if ('wrapped' in schema) return numberOrWordOf(schema.wrapped as object);
  return 'numberOr' in schema ? (schema.numberOr as NumberOrWord) : undefined;
}
