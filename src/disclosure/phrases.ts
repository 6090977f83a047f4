import type { Language } from './language.ts';
import { isContent, type Mention } from './mentions.ts';
import { match, type Pattern } from './patterns.ts';
import type { Sentence, Token } from './tokens.ts';

/** A place where the noun phrase of a mention may start. */
export interface Opening {
  readonly at: number;
  /** An article or possessor comes before the mention. */
  readonly determined: boolean;
}

/** The places where the noun phrase of a mention may start, nearest first: before "new" and "our" in "our new AI". */
export function openings({ tokens, shouted }: Sentence, language: Language, mention: Mention): Opening[] {
  const { determiners, modifiers, adverbs, negations, firstPerson } = language;
  const found: Opening[] = [];
  const asides = language.asides.in(tokens);
  let determined = false;
  /** Content words that no list contains. */
  let unknown = 0;
  let possessor = 0;
  let named = 0;
  // "a Nova IA" names a company.
  const isName = ({ capital }: Token, at: number) =>
    capital && at > 1 && !mention.agentive && !language.capitalNouns;
  for (let at = mention.start; at >= mention.start - 12; at--) {
    const token = tokens[at - 1];
    const sure = determined || possessor > 0;
    const bare = !mention.agentive && (shouted || (mention.acronym && token?.capital === true && at > 1));
    if ((unknown === 0 || sure) && (sure || !bare || isStart(token, language)))
      found.push({ at, determined: sure });
    if (token === undefined || token.kind === 'mark') break;
    const before = aside(tokens, at, asides);
    if (before !== undefined) {
      at = before + 1;
      continue;
    }
    if (firstPerson.has(token)) break;
    if (determiners.has(token)) determined = true;
    else if (token.word === "'s") possessor = 3;
    else if (adverbs.has(token) || negations.has(token) || (modifiers.has(token) && !isName(token, at)))
      continue;
    else if (possessor > 0 && !language.functionWords.has(token)) possessor -= 1;
    else if (
      (token.capital || token.kind === 'placeholder') &&
      // In "Erfinder der KI" the capital does not mark a name.
      (determined ? !language.capitalNouns : mention.agentive) &&
      named < 3
    )
      named += 1;
    else if (language.headFinal && !determined && unknown === 0 && isContent(token, language)) unknown += 1;
    else break;
  }
  return found;
}

/** The start of a phrase such as "in fact" that ends at a place. */
function aside(tokens: readonly Token[], end: number, asides: readonly Pattern[]): number | undefined {
  for (const phrase of asides) {
    const start = match(tokens, end - 1, phrase, -1);
    if (start !== undefined) return start + 1;
  }
  return undefined;
}

function isStart(token: Token | undefined, language: Language): boolean {
  return token === undefined || !isContent(token, language);
}

/** The start of a pattern that ends at a place, or before an aside between commas: "I am, I confess, an AI". */
export function startBefore(tokens: readonly Token[], at: number, before: Pattern): number | undefined {
  const start = match(tokens, at - 1, before, -1);
  if (start !== undefined) return start + 1;
  if (tokens[at - 1]?.kind !== 'mark') return undefined;
  for (let left = at - 2; left >= at - 8 && left > 0; left--)
    if (tokens[left]?.kind === 'mark') {
      const outer = match(tokens, left - 1, before, -1);
      return outer === undefined ? undefined : outer + 1;
    }
  return undefined;
}

/** False if a verb follows, because the mention is then its subject. */
export function endsPhrase(tokens: readonly Token[], { end }: Mention, language: Language): boolean {
  const next = tokens[end];
  if (next === undefined || next.kind !== 'word' || next.capital) return true;
  if (language.verbs.has(next)) return false;
  if (language.bareGenitive && isContent(next, language)) return true;
  return (
    language.genitives.has(next) ||
    language.joints.has(next) ||
    language.that.has(next) ||
    language.after.has(next) ||
    (language.functionWords.has(next) && !language.copulas.has(next) && !language.firstPerson.has(next))
  );
}

/** True if the tokens can be a name: determiners, prepositions and up to four unknown words, but no new statement. */
export function isPartOfName(
  tokens: readonly Token[],
  from: number,
  to: number,
  language: Language,
): boolean {
  const token = tokens[from];
  if (token === undefined || language.firstPerson.has(token) || language.copulas.has(token)) return false;
  if (language.negations.has(token) || language.doubts.has(token) || language.conditions.has(token))
    return false;
  let unknown = 0;
  for (let at = from; at < to; at++) {
    const other = tokens[at];
    if (other && other.kind === 'word' && !other.capital && isContent(other, language)) unknown += 1;
  }
  return unknown <= 4;
}

/** The end of the clause, in the next 12 tokens. In "an AI sorts the calls and Paul answers you" it ends at "and". */
export function endOfClause(
  tokens: readonly Token[],
  from: number,
  { joints, contrasts, firstPerson }: Language,
): number {
  for (let at = from; at < Math.min(tokens.length, from + 12); at++) {
    const token = tokens[at];
    const isName = tokens[at - 1]?.capital && tokens[at + 1]?.capital;
    if (token && !isName && (joints.has(token) || contrasts.has(token) || firstPerson.has(token))) return at;
  }
  return tokens.length;
}

/** The next mark, in the next 12 tokens. */
export function endOfPhrase(tokens: readonly Token[], from: number): number {
  const end = tokens.slice(from, from + 12).findIndex(({ kind }) => kind === 'mark');
  return end < 0 ? from + 12 : from + end;
}
