import type { Language } from './language.ts';
import { match } from './patterns.ts';
import type { Token } from './tokens.ts';

/**
 * In "not with a person but with an AI" and "no human here, it is an AI", a preposition or "is" may come between the
 * contrast and the mention. Returns the place before that word, or `at` if there is none.
 */
export function skipRepeatedWord(
  tokens: readonly Token[],
  at: number,
  { functionWords, copulas, contrasts }: Language,
): number {
  const [before, word] = [tokens[at - 2], tokens[at - 1]];
  if (word === undefined || before === undefined) return at;
  if (functionWords.has(word) && contrasts.has(before)) return at - 1;
  return copulas.has(word) && (contrasts.has(before) || before.kind === 'mark') ? at - 1 : at;
}

/** Where, in the 14 tokens before a place, the line denies that a human speaks; undefined if it does not. */
export function denialOfHuman(
  tokens: readonly Token[],
  end: number,
  language: Language,
  names: ReadonlySet<string>,
): number | undefined {
  const from = Math.max(0, end - 14);
  const before = tokens.slice(from, end);
  const human = language.humans
    .in(before)
    .some((human) => before.some((_, index) => match(before, index, human, 1) !== undefined));
  const negation = before.findIndex((token) => language.negations.has(token));
  const anchored =
    before.some(
      (token, at) => language.places.has(token) || isNamed(token, before[at + 1], language, names),
    ) ||
    language.frames
      .in(before)
      .some(
        ({ takes, before: words }) =>
          takes === 'both' && before.some((_, index) => match(before, index, words, 1) !== undefined),
      );
  return human && negation >= 0 && anchored ? from + negation : undefined;
}

function isNamed(
  { raw }: Token,
  next: Token | undefined,
  { copulas }: Language,
  names: ReadonlySet<string>,
): boolean {
  return names.has(raw) && next !== undefined && copulas.has(next);
}
