import type { Reading } from './reading.ts';

/** A lexeme of a base's list of words that stands for a word of a question. */
export interface Lexeme {
  readonly lexeme: string;
  /** How many chunks have it; 0 where none is known to. */
  readonly chunks: number;
  /** 1 for the word itself, less for what is only like it. */
  readonly likeness: number;
}

/** A word of a question: whatever stands for it, and its share of the question's weight. */
export interface QuestionWord {
  readonly lexemes: readonly Lexeme[];
  readonly weight: number;
}

/** A question as the chunks of one language understand it. */
export interface Question {
  readonly language: string;
  /** How many chunks there are. */
  readonly total: number;
  /** Those that some chunk has. */
  readonly words: readonly QuestionWord[];
}

/** Words beyond these hardly change the order, and each costs a look at every candidate. */
const mostWords = 24;

/**
 * The words of a question, each once, the most telling ones; undefined where no chunk has any. A word that none has
 * weighs like the rarest: a language that knows little of the question answers it with less.
 */
export function questionOf({ language, total, words }: Reading): Question | undefined {
  const distinct = new Map(
    [...words.values()].map((lexemes) => [lexemes.map(({ lexeme }) => lexeme).join(' '), lexemes]),
  );
  const telling = [...distinct.values()]
    .map((lexemes) => ({ lexemes, weight: weightOf(lexemes, total) }))
    .toSorted((one, other) => other.weight - one.weight);
  const known = telling.filter(({ lexemes }) => isKnown(lexemes)).slice(0, mostWords);
  if (known.length === 0) return undefined;
  const whole = telling.reduce((sum, { weight }) => sum + weight, 0);
  return {
    language,
    total,
    words: known.map(({ lexemes, weight }) => ({ lexemes, weight: weight / whole })),
  };
}

/** A language that knows less of the question than this part of what another one does has no say. */
const leastKnown = 1 / 3;

/** The questions to ask: those in the language of the question, as it seems. */
export function askedOf(questions: readonly Question[]): Question[] {
  const known = ({ words }: Question) => words.reduce((sum, { weight }) => sum + weight, 0);
  const most = Math.max(...questions.map(known));
  return questions.filter((question) => known(question) >= most * leastKnown);
}

export function isKnown(lexemes: readonly Lexeme[]): boolean {
  return lexemes.some(({ chunks }) => chunks > 0);
}

/** The inverse document frequency of BM25 (Robertson, Zaragoza 2009), by the most frequent of the closest lexemes. */
function weightOf(lexemes: readonly Lexeme[], total: number): number {
  const known = lexemes.filter(({ chunks }) => chunks > 0);
  const closest = Math.max(...known.map(({ likeness }) => likeness));
  const frequencies = known.filter(({ likeness }) => likeness === closest).map(({ chunks }) => chunks);
  const within = Math.min(Math.max(0, ...frequencies), total);
  return Math.log(1 + (total - within + 0.5) / (within + 0.5));
}

/** A word, or several of which a candidate has all, and in how many chunks that is to be expected. */
interface Part {
  readonly words: readonly QuestionWord[];
  readonly expected: number;
}

/** Of common words only so many are combined with each other. */
const mostCombined = 6;
/** Words of one subject stand together more often than chance has it. */
const together = 4;

/**
 * Tsqueries whose matches are looked at, so many of each at most: all of the question's words, any of them, unless that
 * would be more chunks than `most`. Then it is the rarest words, and the common ones where several of them meet; where
 * they are all common, also some of the chunks that have the rarest.
 */
export function candidates({ words, total }: Question, most: number): [string, ...string[]] {
  const parts = words
    .map((word): Part => ({ words: [word], expected: chunksWith(word) }))
    .toSorted((one, other) => one.expected - other.expected);
  const chosen: Part[] = [];
  let expected = 0;
  const choose = (offered: readonly Part[]) => {
    let at = 0;
    for (; at < offered.length; at++) {
      const part = offered[at];
      if (part === undefined || expected + part.expected > most) break;
      expected += part.expected;
      chosen.push(part);
    }
    return offered.slice(at);
  };
  const common = choose(parts).slice(0, mostCombined);
  const areAllCommon = chosen.length === 0;
  let smaller = common;
  for (let size = 2; size <= common.length; size++) {
    smaller = smaller.flatMap((part) =>
      common.filter(isAfter(part, common)).map((one) => combined(part, one, total)),
    );
    choose(smaller.toSorted((one, other) => one.expected - other.expected));
  }
  const met = chosen.length > 0 ? chosen.map((part) => part.words) : [common.flatMap((part) => part.words)];
  const [rarest] = common;
  const query = met.map(anyOfEach).join(' | ');
  return areAllCommon && rarest ? [query, anyOfEach(rarest.words)] : [query];
}

/** Each combination once: by the order of the words. */
function isAfter(part: Part, ordered: readonly Part[]): (one: Part) => boolean {
  const last = Math.max(...part.words.map((word) => ordered.findIndex(({ words }) => words[0] === word)));
  return (one) => ordered.indexOf(one) > last;
}

function combined(part: Part, one: Part, total: number): Part {
  const chance = (part.expected * one.expected) / Math.max(total, 1);
  return {
    words: [...part.words, ...one.words],
    expected: Math.min(part.expected, one.expected, chance * together),
  };
}

function chunksWith({ lexemes }: QuestionWord): number {
  return lexemes.reduce((sum, { chunks }) => sum + chunks, 0);
}

function anyOfEach(words: readonly QuestionWord[]): string {
  return `(${words.map(({ lexemes }) => `(${anyOf(lexemes)})`).join(' & ')})`;
}

/** A tsquery that any of the lexemes matches. */
export function anyOf(lexemes: readonly Lexeme[]): string {
  return lexemes.map(({ lexeme }) => `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`).join(' | ');
}
