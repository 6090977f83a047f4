/** A word or a run of digits in a turn, with its position. */
export interface Token {
  readonly said: string;
  /** In lower case without accents. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** What stands between the previous token and this one. */
  readonly gap: string;
}

/** Tokens after these are left unread, so that hostile text costs a bounded time. */
const mostTokens = 1_500;
const wordOrDigits = /\p{L}[\p{L}\p{M}]*|\p{N}+/gu;

/** The text in lower case, without accents, with straight apostrophes. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replaceAll('’', "'");
}

/** Splits a text at spaces, punctuation, hyphens and apostrophes, and between letters and digits. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(wordOrDigits)) {
    if (tokens.length === mostTokens) break;
    const [said] = match;
    tokens.push({
      said,
      word: folded(said),
      start: match.index,
      end: match.index + said.length,
      gap: text.slice(end, match.index),
    });
    end = match.index + said.length;
  }
  return tokens;
}

export function wordsOf(text: string): string[] {
  return tokensOf(text).map(({ word }) => word);
}

/** Part of a turn: tokens from `from`, before `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Found<Value> extends Span {
  readonly value: Value;
}

/** Calls `make` at the first use, and keeps its result. The tables of all languages took 8 MiB and 0.2 s of CPU at each start. */
export function lazily<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type ByFirstWord<Value> = ReadonlyMap<
  string,
  readonly { readonly words: readonly string[]; readonly value: Value }[]
>;

/** Finds the phrases of a table at a token, the longest first. */
export class Phrases<Value> {
  readonly #byFirstWord: () => ByFirstWord<Value>;

  constructor(entries: () => Iterable<readonly [phrase: string, value: Value]>) {
    this.#byFirstWord = lazily(() => {
      const phrasesOf = Map.groupBy(
        [...entries()].map(([phrase, value]) => ({ words: wordsOf(phrase), value })),
        ({ words: [first = ''] }) => first,
      );
      for (const same of phrasesOf.values()) same.sort((one, other) => other.words.length - one.words.length);
      phrasesOf.delete('');
      return phrasesOf;
    });
  }

  at(tokens: readonly Token[], from: number): Found<Value> | undefined {
    const first = tokens[from];
    if (!first) return undefined;
    const fits = this.#byFirstWord()
      .get(first.word)
      ?.find(({ words }) => words.every((word, index) => tokens[from + index]?.word === word));
    return fits && { value: fits.value, from, to: from + fits.words.length };
  }

  has(tokens: readonly Token[], from: number): boolean {
    return this.at(tokens, from) !== undefined;
  }

  /** All phrases of a turn, in order, without overlap. */
  all(tokens: readonly Token[]): Found<Value>[] {
    const found: Found<Value>[] = [];
    for (let index = 0; index < tokens.length; ) {
      const next = this.at(tokens, index);
      if (next) found.push(next);
      index = next?.to ?? index + 1;
    }
    return found;
  }

  isIn(tokens: readonly Token[]): boolean {
    return tokens.some((_, index) => this.has(tokens, index));
  }
}

/** A table of phrases, one a line or separated by `|`, that all mean the same. */
export function phrases(list: string): Phrases<true> {
  return new Phrases(() => separated(list).map((phrase) => [phrase, true]));
}

/** The entries of a list whose separator is `|` or a new line. */
export function separated(list: string): string[] {
  return list
    .split(/[|\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** A set of words without accents. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).map(folded));
}

/** True if a comma, a full stop or the like stands in the gap: another clause begins. */
export function breaksClause(gap: string): boolean {
  return /[,;:.!?…–—]/.test(gap);
}
