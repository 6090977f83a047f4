import { either, negations, refusals, takesBackAt } from './correction-words.ts';
import type { Language } from './languages.ts';
import { breaksClause, type Found, phrases, type Span, type Token } from './words.ts';

/** The values of one kind that a turn names, those apart that the caller says are not meant. */
export interface Choice<Value> {
  readonly chosen: Found<Value> | undefined;
  readonly refused: readonly Found<Value>[];
}

/** Later candidates are not looked at, so that hostile text costs a bounded time. */
const mostCandidates = 40;

/**
 * Which of several values the caller means: a later one if the caller takes the former back, none if they stay open. In a turn that
 * corrects, the last one counts.
 */
export function choose<Value>(
  all: readonly Found<Value>[],
  tokens: readonly Token[],
  language: Language,
  isCorrection = false,
): Choice<Value> {
  const candidates = all.slice(0, mostCandidates);
  const refused = candidates.filter((candidate) => isRefused(candidate, candidates, tokens, language));
  const meant = candidates.filter((candidate) => !refused.includes(candidate));
  let chosen: Found<Value> | undefined;
  for (const next of meant) {
    if (
      chosen &&
      hasBetween(chosen, next, tokens, (index) => either.has(tokens, index)) &&
      isShort(chosen, next)
    ) {
      if (!hasBetween(chosen, next, tokens, (index) => takesBackAt(tokens, index, language)))
        return { chosen: undefined, refused };
    }
    if (
      !chosen ||
      isCorrection ||
      hasBetween(chosen, next, tokens, (index) => takesBackAt(tokens, index, language))
    )
      chosen = next;
  }
  return { chosen, refused };
}

function isShort(one: Span, other: Span): boolean {
  return other.from - one.to <= 3;
}

function hasBetween(
  one: Span,
  other: Span,
  tokens: readonly Token[],
  test: (index: number) => boolean,
): boolean {
  for (let index = one.to; index < other.from; index += 1) if (tokens[index] && test(index)) return true;
  return false;
}

/** "Wednesday would be better than Monday" */
const worse = phrases(
  `better than|rather than|instead of|lieber als|besser als|statt|plutôt que|mejor que|meglio di|liever dan|beter dan|melhor que|lepiej niż`,
);

/** How far a negation stands from its value. */
const reach = 3;

function isRefused(
  candidate: Span,
  candidates: readonly Span[],
  tokens: readonly Token[],
  language: Language,
): boolean {
  for (let index = candidate.from - 1; index >= candidate.from - reach; index -= 1) {
    const next = tokens[index + 1];
    if (index < 0 || !next || breaksClause(next.gap)) break;
    if (negations[language].has(tokens[index]?.word ?? '') || worse.at(tokens, index)?.to === candidate.from)
      return true;
  }
  for (let index = candidate.to; index <= candidate.to + reach; index += 1) {
    const token = tokens[index];
    if (!token || breaksClause(token.gap) || isConjunction(token.word)) break;
    if (refusals[language].has(token.word)) return !isAheadOf(index, candidates, tokens);
  }
  return false;
}

/** In "five not four" the negation belongs to what follows. */
function isAheadOf(negation: number, candidates: readonly Span[], tokens: readonly Token[]): boolean {
  for (let index = negation + 1; index <= negation + reach; index += 1) {
    const token = tokens[index];
    if (!token || breaksClause(token.gap)) return false;
    if (candidates.some(({ from }) => from === index)) return true;
  }
  return false;
}

function isConjunction(word: string): boolean {
  return /^(but|and|aber|und|sondern|mais|et|pero|y|ma|e|maar|en|mas|ale|a|i|if|wenn|si|se|als)$/.test(word);
}
