import type { Judgement } from './findings.ts';
import type { Language } from './language.ts';
import type { Mention } from './mentions.ts';
import { match } from './patterns.ts';
import { isDisguised } from './scripts.ts';
import type { Sentence, Token } from './tokens.ts';

/** The tokens of a statement in its sentence, from `start` up to `end`. */
export interface Span {
  /** About the speaker, not about the call. */
  readonly self: boolean;
  /** "As an AI I …": a negation that follows does not deny the AI. */
  readonly role: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * Judges a statement about the speaker or the call by the words before, inside and after it. Denial is checked first,
 * because the line must not pass if any reading denies the AI.
 */
export function judgementOf(sentence: Sentence, language: Language, mention: Mention, span: Span): Judgement {
  const { tokens } = sentence;
  const { negations, doubts, conditions } = language;
  const inside = withoutHarmless(tokens, language, span.start, mention.start);
  const clause = clauseStart(tokens, span.start, language);
  const governing = governor(tokens, clause, language);
  const before = withoutHarmless(tokens, language, governing, span.start);
  if (
    some(inside, negations) ||
    some(before, negations) ||
    (!span.role && isDeniedAfter(tokens, language, mention, span))
  )
    return 'negated';
  if (isAsked(sentence, language, mention, span, clause)) return 'asked';
  if (some(before, conditions)) return 'conditional';
  if (some(inside, doubts) || some(before, doubts) || isAlternative(tokens, language, mention))
    return 'doubtful';
  if (isQuoted(tokens, mention)) return 'quoted';
  if (tokens.slice(governing, clauseEnd(tokens, mention.end)).some((token) => isDisguised(token, language)))
    return 'disguised';
  if (span.self) return 'fact';
  if (dependsOnCondition(tokens, clause, language)) return 'conditional';
  const onlyFillers = tokens
    .slice(afterThat(tokens, clause, span.start, language), span.start)
    .every((token, index) => isFiller(token, language, clause + index === 0));
  const own = tokens.slice(0, ownEnd(tokens, span.end, language));
  return onlyFillers && !some(own, language.elsewhere) ? 'fact' : 'elsewhere';
}

function some(tokens: readonly Token[], set: { has(token: Token): boolean }): boolean {
  return tokens.some((token) => set.has(token));
}

/** The tokens from start to end, without phrases such as "don't forget", which deny nothing. */
function withoutHarmless(tokens: readonly Token[], language: Language, start: number, end: number): Token[] {
  const kept: Token[] = [];
  const harmless = start < end ? language.harmlessPhrases.in(tokens) : [];
  for (let at = start; at < end; at++) {
    const phraseEnd = harmless
      .map((phrase) => match(tokens, at, phrase, 1))
      .find((place) => place !== undefined && place <= end);
    const token = tokens[at];
    if (phraseEnd !== undefined && phraseEnd > at) at = phraseEnd - 1;
    else if (token) kept.push(token);
  }
  return kept;
}

/** Tokens to look at on either side, so that the rule stays fast. */
const window = 40;

/** The start of the clause that contains a place: after a mark, or after a word such as "and". */
function clauseStart(tokens: readonly Token[], from: number, { joints, contrasts }: Language): number {
  for (let at = from; at > Math.max(0, from - window); at--) {
    const token = tokens[at - 1];
    if (token && (token.kind === 'mark' || joints.has(token) || contrasts.has(token))) return at;
  }
  return Math.max(0, from - window);
}

function clauseEnd(tokens: readonly Token[], from: number): number {
  const end = tokens.findIndex(({ kind }, at) => at >= from && (kind === 'mark' || at === from + window));
  return end < 0 ? tokens.length : end;
}

/** Where the next statement starts: at "I call" in "…, I call about tomorrow", but not at "but" in "…, but not tomorrow". */
function ownEnd(tokens: readonly Token[], from: number, { joints, contrasts }: Language): number {
  const end = tokens.findIndex((token, at) => {
    const next = tokens[at + 1];
    const isNew = joints.has(token) || (token.kind === 'mark' && next !== undefined && !contrasts.has(next));
    return at >= from && isNew;
  });
  return end < 0 ? tokens.length : end;
}

/** The start of the main clause: of the clause before, if this one starts with "that" or that one ends with "thinks". */
function governor(tokens: readonly Token[], clause: number, language: Language): number {
  const first = tokens[clause];
  const mark = tokens[clause - 1];
  const last = tokens[clause - 2];
  const isGoverned = (first && language.that.has(first)) || (last && language.doubts.has(last));
  if (isGoverned && mark?.kind === 'mark' && mark.raw === ',')
    return clauseStart(tokens, clause - 1, language);
  return clause;
}

function isDeniedAfter(
  tokens: readonly Token[],
  language: Language,
  mention: Mention,
  { end }: Span,
): boolean {
  for (let at = mention.end; at < Math.min(tokens.length, mention.end + window); at++) {
    const token = tokens[at];
    if (token === undefined || token.kind === 'mark') return false;
    if (
      at >= end &&
      (language.joints.has(token) || language.contrasts.has(token) || language.that.has(token))
    )
      return false;
    if (language.negations.has(token))
      return !language.humans.all.some((human) =>
        [1, 2, 3].some((skip) => match(tokens, at + skip, human, 1) !== undefined),
      );
  }
  return false;
}

/** True if a question asks about the statement: it is in the last clause, or its clause starts with a question word. */
function isAsked(
  { tokens, question }: Sentence,
  language: Language,
  mention: Mention,
  { end }: Span,
  clause: number,
): boolean {
  if (!question) return false;
  const first = tokens[clause];
  if (first && language.questions.has(first)) return true;
  const rest = tokens.slice(Math.max(mention.end, end));
  return !rest.some((token) => token.kind === 'mark' || language.joints.has(token));
}

/** "an AI or a colleague" */
function isAlternative(tokens: readonly Token[], { or }: Language, { start, end }: Mention): boolean {
  return some(tokens.slice(Math.max(0, start - 2), start), or) || some(tokens.slice(end, end + 1), or);
}

/** In quotation marks, inside a sentence that is not. */
function isQuoted(tokens: readonly Token[], { start, end }: Pick<Span, 'start' | 'end'>): boolean {
  return (
    tokens.slice(start, end).every(({ quoted }) => quoted) &&
    tokens.some(({ quoted, kind }) => kind === 'word' && !quoted)
  );
}

/** True if an earlier clause is a condition that is not about the speaker. */
function dependsOnCondition(tokens: readonly Token[], clause: number, language: Language): boolean {
  const earlier = withoutHarmless(tokens, language, Math.max(0, clause - window), clause);
  return some(earlier, language.conditions) && !some(earlier, language.firstPerson);
}

/** The start of what follows the last "that", which counts alone: "we inform you that this call …". */
function afterThat(tokens: readonly Token[], start: number, end: number, { that }: Language): number {
  const last = tokens.slice(start, end).findLastIndex((token) => that.has(token));
  return last < 0 ? start : start + last + 1;
}

function isFiller(token: Token, language: Language, first: boolean): boolean {
  if (token.kind === 'placeholder') return true;
  if (token.capital && !first) return true;
  return [language.fillers, language.adverbs, language.that, language.joints].some((set) => set.has(token));
}
