import type { SimulationRun } from '../../src/calls/simulate.ts';

/** A scripted caller, as `blind/README.md` describes it. */
export interface Caller {
  readonly agent: string;
  readonly name: string;
  readonly wish: string;
  /** What the caller says if asked what they want. Without it, a fact that says it, or the opening. */
  readonly statesWish?: string;
  /** '': silence. */
  readonly opening: string;
  readonly facts: readonly Fact[];
  readonly gives: 'all' | 'one';
  readonly yes: string;
  readonly no: string;
  readonly otherwise: string;
  readonly interjections?: readonly Interjection[];
  readonly correction?: Correction;
  readonly served: {
    readonly ending: Ending;
    readonly kept: readonly string[];
    readonly hears?: readonly (readonly string[])[];
    readonly why: string;
  };
}

export type Ending = 'taken' | 'answered' | 'transferred' | 'ended' | 'emergency';

export interface Fact {
  readonly topic: string;
  readonly hears?: readonly string[];
  readonly says: string;
  /** Said in place of `says` the first time, in a format that nobody can use. */
  readonly first?: string;
  readonly value: readonly string[];
}

export interface Interjection {
  readonly at: number;
  readonly says: string;
  /** Empty: any reply will do. */
  readonly then: readonly string[];
  /** What is different about the caller from then on. */
  readonly becomes?: Partial<Caller>;
}

export interface Correction {
  /** `said`: the turn after the one that said the fact. */
  readonly at: 'readBack' | 'said' | number;
  readonly says: string;
  readonly topic: string;
  readonly value: readonly string[];
  readonly not: readonly string[];
}

export interface Line {
  readonly who: 'agent' | 'caller';
  readonly text: string;
}

/** A call as the judge sees it. */
export interface PlayedCall {
  readonly lines: readonly Line[];
  readonly ended: SimulationRun['ended'];
  readonly variables: SimulationRun['variables'];
  readonly requests: SimulationRun['requests'];
  /** True if the correction was said. */
  readonly isCorrected: boolean;
}

const digits: Readonly<Record<string, string>> = {
  oh: '0',
  zero: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
};

const hourNames = 'twelve one two three four five six seven eight nine ten eleven twelve'.split(' ');
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** True if the text contains one of the forms, compared without case, spaces and punctuation. */
export function containsOne(text: string, forms: readonly string[]): boolean {
  const words = wordsOf(expanded(text));
  // "two" is kept as 2.
  const inDigits = (form: string) =>
    form.toLowerCase().replaceAll(/\p{L}+/gu, (word) => digits[word] ?? word);
  return forms.some((form) => contains(words, wordsOf(form)) || contains(words, wordsOf(inDigits(form))));
}

const shortestStem = 4;

function isStem(form: string): boolean {
  return form.length >= shortestStem && /^\p{L}+$/u.test(form);
}

/** The last digits of a telephone number, or all but its country, at least. */
const fewestLastDigits = 4;

function isEndOfNumber(form: string): boolean {
  return form.length >= fewestLastDigits && /^\d+$/.test(form);
}

/**
 * Forms start with whole words, and short ones end with them, so that "4" is not in "48213", nor "AI" in "again". A number is
 * also named by its last digits.
 */
function contains(words: readonly string[], form: readonly string[]): boolean {
  const wanted = form.join('');
  if (isEndOfNumber(wanted) && words.some((word) => /^\d+$/.test(word) && word.endsWith(wanted))) return true;
  return words.some((_, start) => {
    let joined = '';
    for (let end = start; end < words.length && joined.length < wanted.length; end++) joined += words[end];
    // "drip" is in "dripping", and "dog" in "dogs".
    return joined === wanted || joined === `${wanted}s` || (isStem(wanted) && joined.startsWith(wanted));
  });
}

/** "9 p.m." and "9pm" have the same words, as have "don't" and "dont", "app's" and "app". */
function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll(/(?<=\p{L}{2})['’]s\b/gu, '')
      .replaceAll(/['’]/g, '')
      .replaceAll(/\b([ap])\.\s?m\b\.?/g, '$1m')
      .match(/\d+|\p{L}+/gu) ?? []
  );
}

/** Adds the digits of numbers that are spelt out, the names of ISO dates, and hours after noon. */
function expanded(text: string): string {
  const spoken = text
    .toLowerCase()
    .replaceAll(/\b(double|triple)[\s-]+(\w+)/g, (_, times: string, word: string) =>
      `${word} `.repeat(times === 'double' ? 2 : 3),
    )
    .replaceAll(/\p{L}+/gu, (word) => digits[word] ?? word);
  const dates = [...text.matchAll(/\b(\d{4})-(\d\d)-(\d\d)\b/g)].map(([iso, , month, day]) => {
    const name = months[Number(month) - 1];
    const weekday = days[new Date(`${iso}T00:00:00Z`).getUTCDay()];
    return `${weekday} ; ${name} ${Number(day)} ; ${Number(day)} ${name} ; ${iso === '2026-11-25' ? 'tomorrow' : ''}`;
  });
  const hours = [...text.matchAll(/\b([01]\d|2[0-3]):(\d\d)\b/g)].map(([, hour = '', minutes]) => {
    const onClock = Number(hour) % 12 === 0 ? 12 : Number(hour) % 12;
    const half = Number(hour) < 12 ? 'am' : 'pm';
    const names = minutes === '00' ? `${onClock} ${half} ; ${onClock} ; ${hourNames[onClock]}` : '';
    return `${onClock}:${minutes} ; ${names} ; ${hour === '12' ? 'noon' : ''}`;
  });
  return [text, spoken, ...dates, ...hours].join(' ; ');
}
