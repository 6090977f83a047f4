import type { Language } from './language.ts';
import { match } from './patterns.ts';
import type { Token } from './tokens.ts';

/** "not with a person but with an AI", "no human here, it is an AI": the place before what the denial had too. */
export function repeated(
  tokens: readonly Token[],
  at: number,
  { small, copulas, contrasts }: Language,
): number {
  const [before, word] = [tokens[at - 2], tokens[at - 1]];
  if (word === undefined || before === undefined) return at;
  if (small.has(word) && contrasts.has(before)) return at - 1;
  return copulas.has(word) && (contrasts.has(before) || before.kind === 'mark') ? at - 1 : at;
}

/** Where, shortly before a place, somebody says that no human is here or that he is none. */
export function deniedHuman(
  tokens: readonly Token[],
  end: number,
  language: Language,
  names: ReadonlySet<string>,
): number | undefined {
  const from = Math.max(0, end - 14);
  const before = tokens.slice(from, end);
  const human = language.humans.some((human) =>
    before.some((_, index) => match(before, index, human, 1) !== undefined),
  );
  const negation = before.findIndex((token) => language.negations.has(token));
  const anchored =
    before.some(
      (token, at) => language.places.has(token) || isNamed(token, before[at + 1], language, names),
    ) ||
    language.frames.some(
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
