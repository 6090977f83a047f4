import type { Language } from './language.ts';
import { matches } from './patterns.ts';
import type { Sentence, Token } from './tokens.ts';

/** A mention of an AI: the term, with the noun for what speaks if it has one ("AI assistant"). */
export interface Mention {
  readonly start: number;
  readonly end: number;
  /** Contains a noun for what speaks: "AI assistant". */
  readonly agentive: boolean;
  readonly acronym: boolean;
}

/** The mentions that can be something that speaks. "AI team", "AI Labs" and "expert in AI" are not. */
export function mentionsOf({ tokens }: Sentence, language: Language): Mention[] {
  const terms = language.terms
    .in(tokens)
    .flatMap((term) => matches(tokens, term).map(([start, end]) => ({ start, end, acronym: false })));
  const acronyms = tokens.flatMap((token, start) =>
    token.kind === 'word' && language.acronyms.has(token.raw)
      ? [{ start, end: start + 1, acronym: true }]
      : [],
  );
  return [...terms, ...acronyms].flatMap((term) => {
    const mention = withNoun(tokens, term, language);
    return mention && isComplete(tokens, mention, language) ? [mention] : [];
  });
}

const functionWordLists = [
  'functionWords',
  'determiners',
  'negations',
  'contrasts',
  'joints',
  'that',
  'copulas',
  'adverbs',
  'or',
  'conditions',
] as const;

/** True for a content word: one that is in none of the language's lists of function words. */
export function isContent(token: Token, language: Language): boolean {
  return token.kind === 'word' && !functionWordLists.some((list) => language[list].has(token));
}

/** Extends a term by its noun. */
function withNoun(
  tokens: readonly Token[],
  { start, end, acronym }: Omit<Mention, 'agentive'>,
  language: Language,
): Mention | undefined {
  const first = tokens[start];
  // "Sprach-KI" is a mention, "Anti-KI" is not.
  if (first?.joined && !tiesTo(tokens[start - 1], language)) return undefined;
  const from = first?.joined ? start - 1 : start;
  const bracketed = bracketedNoun(tokens, from, end, language);
  if (bracketed !== undefined) return { start: bracketed, end: end + 1, agentive: true, acronym };
  const right = endOfNoun(tokens, end, language);
  const left = startOfNoun(tokens, from, language);
  if (tokens[right ?? end]?.joined) return undefined;
  const agentive = right !== undefined || left !== undefined;
  if (first?.spaced && !agentive) return undefined;
  // Initials: "it's A.I. Newman".
  if (
    !agentive &&
    tokens[end]?.raw === '.' &&
    tokens[end + 1]?.capital &&
    !isIn(language.determiners, tokens[from - 1])
  )
    return undefined;
  return { start: left ?? from, end: right ?? end, agentive, acronym };
}

/** The start of the noun in "agent conversationnel (IA)". */
function bracketedNoun(
  tokens: readonly Token[],
  from: number,
  end: number,
  language: Language,
): number | undefined {
  const isBracketed = tokens[from - 1]?.raw === '(' && tokens[end]?.raw === ')';
  return isBracketed ? startOfNoun(tokens, from - 1, language) : undefined;
}

function tiesTo(token: Token | undefined, { modifiers, agentNouns }: Language): boolean {
  return token !== undefined && (modifiers.has(token) || agentNouns.has(token));
}

/** The end of a noun after the term: "AI assistant", "KI-Telefonassistentin", "AI-powered voice agent". */
function endOfNoun(tokens: readonly Token[], from: number, language: Language): number | undefined {
  let end: number | undefined;
  let unknown = 0;
  for (let at = from; at < from + 5; at++) {
    const token = tokens[at];
    if (token?.kind === 'mark' && token.raw === '.' && at === from) continue;
    if (token?.kind !== 'word' || language.otherNouns.has(token)) break;
    if (language.agentNouns.has(token)) end = at + 1;
    else if (end !== undefined && !token.joined) break;
    else if (!language.modifiers.has(token) && !token.joined) {
      unknown += 1;
      if (!language.headFinal || unknown > 2 || !isContent(token, language)) break;
    }
  }
  return end;
}

/** The start of a noun before the term: "assistante vocale basée sur l'IA", "agent of ours powered by AI". */
function startOfNoun(tokens: readonly Token[], from: number, language: Language): number | undefined {
  let at = from - 1;
  while (at >= from - 5 && isIn(language.links, tokens[at])) at -= 1;
  if (language.headFinal && at === from - 1) return undefined;
  for (let skipped = 0; skipped <= 2; skipped++, at--) {
    const token = tokens[at];
    if (token?.kind !== 'word' || language.otherNouns.has(token) || language.verbs.has(token))
      return undefined;
    if (language.agentNouns.has(token)) return headOf(tokens, at, language);
    if (!(language.modifiers.has(token) || isContent(token, language))) return undefined;
    if (isIn(language.links, tokens[at - 1])) at -= 1;
  }
  return undefined;
}

/** The start of a compound noun: "agente de voz". */
function headOf(tokens: readonly Token[], at: number, { links, agentNouns }: Language): number {
  return isIn(links, tokens[at - 1]) && isIn(agentNouns, tokens[at - 2]) ? at - 2 : at;
}

function isIn(set: { has(token: Token): boolean }, token: Token | undefined): boolean {
  return token !== undefined && set.has(token);
}

/** False if the words that follow turn the mention into another noun: "AI Labs", "AI team", "AI's owner". */
function isComplete(
  tokens: readonly Token[],
  { start, end, agentive, acronym }: Mention,
  language: Language,
): boolean {
  let at = end;
  // "AI sales manager"
  if (!agentive && language.headFinal) while (isIn(language.modifiers, tokens[at])) at += 1;
  const next = tokens[at];
  if (next === undefined || next.kind === 'mark') return true;
  if (next.kind === 'placeholder') return agentive;
  // "asystentka AI firmy Contoso"
  if (language.bareGenitive && language.genitives.has(next)) return true;
  if (language.otherNouns.has(next)) return false;
  if (next.word === "'s") return tokens[at + 1] === undefined || tokens[at + 1]?.kind === 'mark';
  if (agentive || !isContent(next, language) || language.after.has(next) || language.verbs.has(next))
    return true;
  // "als AI slaap ik nooit"
  if (!next.capital && isIn(language.firstPerson, tokens[at + 1])) return true;
  // "une IA francophone"
  if (language.bareGenitive || !language.headFinal) return !(acronym && next.capital);
  // "die KI Lena"
  if (next.capital)
    return (language.capitalNouns || !acronym) && isIn(language.determiners, tokens[start - 1]);
  return language.capitalNouns || language.modifiers.has(next);
}
