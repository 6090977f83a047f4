import { standingOf } from './context.ts';
import type { Standing } from './findings.ts';
import type { Frame, Language } from './language.ts';
import type { Mention } from './mentions.ts';
import { isContent } from './mentions.ts';
import { match, type Pattern } from './patterns.ts';
import type { Sentence, Token } from './tokens.ts';

/** A statement about the speaker or the call that holds a mention, and how it is made. */
export interface Statement {
  readonly standing: Standing;
  readonly start: number;
  readonly end: number;
}

/** What a line has said of the speaker so far. */
export interface Introductions {
  readonly names: ReadonlySet<string>;
  readonly introduced: boolean;
}

/** What a sentence states of the speaker or the call with this mention. */
export function statementsOf(
  sentence: Sentence,
  language: Language,
  mention: Mention,
  line: Introductions,
): Statement[] {
  return [
    ...direct(sentence, language, mention),
    ...apposed(sentence, language, mention),
    ...contrasted(sentence, language, mention),
    ...corrected(sentence, language, mention, line),
    ...named(sentence, language, mention, line),
    ...elliptical(sentence, language, mention),
  ];
}

/** A place left of a mention where what stands before its noun may begin. */
interface Opening {
  readonly at: number;
  readonly determined: boolean;
  readonly negated: boolean;
}

/** The places at which the noun phrase of a mention may begin, from the mention to the left. */
function openings({ tokens, shouted }: Sentence, language: Language, mention: Mention): Opening[] {
  const { determiners, modifiers, adverbs, negations, me } = language;
  const found: Opening[] = [];
  let determined = false;
  let negated = false;
  /** Words that nobody knows: an adjective or the possessor of "'s". */
  let unknown = 0;
  let possessor = 0;
  let named = 0;
  for (let at = mention.start; at >= mention.start - 12; at--) {
    const token = tokens[at - 1];
    const sure = determined || possessor > 0;
    const bare = !mention.agentive && (shouted || (mention.acronym && token?.capital === true && at > 1));
    if ((unknown === 0 || sure) && (sure || !bare || isStart(token, language)))
      found.push({ at, determined: sure, negated });
    if (token === undefined || token.kind === 'mark') break;
    const before = aside(tokens, at, language);
    if (before !== undefined) {
      at = before + 1;
      continue;
    }
    if (me.has(token)) break;
    if (negations.has(token)) negated = true;
    else if (determiners.has(token)) determined = true;
    else if (token.word === "'s") possessor = 3;
    else if (modifiers.has(token) || adverbs.has(token)) continue;
    else if (possessor > 0 && !language.small.has(token)) possessor -= 1;
    else if ((token.capital || token.kind === 'placeholder') && (determined || mention.agentive) && named < 3)
      named += 1;
    else if (language.headFinal && !determined && unknown === 0 && isContent(token, language)) unknown += 1;
    else break;
  }
  return found;
}

/** Where a phrase such as "in fact" begins that ends at a place. */
function aside(tokens: readonly Token[], end: number, { asides }: Language): number | undefined {
  for (const phrase of asides) {
    const start = match(tokens, end - 1, phrase, -1);
    if (start !== undefined) return start + 1;
  }
  return undefined;
}

function isStart(token: Token | undefined, language: Language): boolean {
  return token === undefined || !isContent(token, language);
}

/** "I am an AI", "an AI is speaking to you". */
function direct(sentence: Sentence, language: Language, mention: Mention): Statement[] {
  const { tokens } = sentence;
  const places = openings(sentence, language, mention);
  return language.frames.flatMap((frame) => {
    if (frame.takes === 'name') return [];
    const end = match(tokens, mention.end, frame.after, 1);
    if (end === undefined) return [];
    if (frame.before.at(-1)?.mark !== undefined && !endsPhrase(tokens, mention, language)) return [];
    if (frame.before.length === 0) {
      const first = places.at(-1);
      return first ? [stated(sentence, language, mention, frame, first.at, end, first.negated)] : [];
    }
    return places.flatMap((place) => {
      const start = startBefore(tokens, place.at, frame.before);
      return start === undefined
        ? []
        : [stated(sentence, language, mention, frame, start, end, place.negated)];
    });
  });
}

/** Where a pattern begins that ends at a place, or in an aside between commas before it: "I am, I confess, an AI". */
function startBefore(tokens: readonly Token[], at: number, before: Pattern): number | undefined {
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

function stated(
  sentence: Sentence,
  language: Language,
  mention: Mention,
  { self }: Pick<Frame, 'self'>,
  start: number,
  end: number,
  negated: boolean,
): Statement {
  const standing = negated ? 'negated' : standingOf(sentence, language, mention, { self, start, end });
  return { standing, start, end };
}

/** "I am Lena from Contoso, your AI assistant": a name, and the mention behind a comma. */
function apposed(sentence: Sentence, language: Language, mention: Mention): Statement[] {
  const { tokens } = sentence;
  if (!endsPhrase(tokens, mention, language)) return [];
  const places = openings(sentence, language, mention).filter(
    ({ at, determined }) => tokens[at - 1]?.kind === 'mark' && (determined || mention.agentive),
  );
  return places.flatMap(({ at, negated }) => {
    for (let left = at - 1; left >= Math.max(1, at - 16); left--) {
      if (!isPartOfName(tokens, left, at - 1, language)) break;
      for (const frame of language.frames) {
        if (frame.takes === 'mention') continue;
        const start = match(tokens, left - 1, frame.before, -1);
        if (start !== undefined && left < at - 1)
          return [stated(sentence, language, mention, frame, start + 1, mention.end, negated)];
      }
    }
    return [];
  });
}

/** A name may have a determiner, prepositions and a few unknown words, and no new statement in it. */
function isPartOfName(tokens: readonly Token[], from: number, to: number, language: Language): boolean {
  const token = tokens[from];
  if (token === undefined || language.me.has(token) || language.copulas.has(token)) return false;
  if (language.negations.has(token) || language.doubts.has(token) || language.conditions.has(token)) return false;
  let unknown = 0;
  for (let at = from; at < to; at++) {
    const other = tokens[at];
    if (other && other.kind === 'word' && !other.capital && isContent(other, language)) unknown += 1;
  }
  return unknown <= 4;
}

/** False where a verb follows, whose subject the mention is then. */
function endsPhrase(tokens: readonly Token[], { end }: Mention, language: Language): boolean {
  const next = tokens[end];
  if (next === undefined || next.kind !== 'word' || next.capital) return true;
  return (
    language.genitives.has(next) ||
    language.joints.has(next) ||
    language.that.has(next) ||
    language.after.has(next) ||
    (language.small.has(next) && !language.copulas.has(next) && !language.me.has(next))
  );
}

/** "No human here, just an AI", "I'm not a person but an AI". */
function contrasted(sentence: Sentence, language: Language, mention: Mention): Statement[] {
  const { tokens } = sentence;
  for (const { at, negated } of openings(sentence, language, mention)) {
    const link = tokens[at - 1];
    const word = link?.kind === 'mark' ? tokens[at - 2] : link;
    const isContrast =
      (link !== undefined && (link.kind === 'mark' || language.contrasts.has(link))) ||
      (word !== undefined && language.contrasts.has(word));
    if (!isContrast) continue;
    const end = link?.kind === 'mark' || tokens[at - 2]?.kind !== 'mark' ? at - 1 : at - 2;
    const start = deniedHuman(tokens, end, language);
    if (start !== undefined)
      return [stated(sentence, language, mention, { self: true }, at, mention.end, negated)];
  }
  return [];
}

/** Where, shortly before a place, somebody says that no human is here or that he is none. */
function deniedHuman(tokens: readonly Token[], end: number, language: Language): number | undefined {
  const from = Math.max(0, end - 14);
  const before = tokens.slice(from, end);
  const human = language.humans.some((human) =>
    before.some((_, index) => match(before, index, human, 1) !== undefined),
  );
  const negation = before.findIndex((token) => language.negations.has(token));
  const anchored =
    before.some((token) => language.places.has(token)) ||
    language.frames.some(
      ({ takes, before: words }) =>
        takes === 'both' && before.some((_, index) => match(before, index, words, 1) !== undefined),
    );
  return human && negation >= 0 && anchored ? from + negation : undefined;
}

/** "This is Sophie, or more precisely an AI." */
function corrected(
  sentence: Sentence,
  language: Language,
  mention: Mention,
  { introduced }: Introductions,
): Statement[] {
  if (!introduced) return [];
  return openings(sentence, language, mention).flatMap(({ at, negated }) =>
    language.corrections.flatMap((correction) => {
      const start = startBefore(sentence.tokens, at, correction);
      return start === undefined
        ? []
        : [stated(sentence, language, mention, { self: true }, start, mention.end, negated)];
    }),
  );
}

/** "You're through to Kai. Kai's an AI." */
function named(
  sentence: Sentence,
  language: Language,
  mention: Mention,
  { names }: Introductions,
): Statement[] {
  const { tokens } = sentence;
  return openings(sentence, language, mention).flatMap(({ at, negated }) => {
    const copula = tokens[at - 1];
    if (copula === undefined || !language.copulas.has(copula)) return [];
    const name = tokens[at - 2];
    if (name === undefined || !names.has(name.raw)) return [];
    return [stated(sentence, language, mention, { self: true }, at - 2, mention.end, negated)];
  });
}

/** "AI receptionist of Contoso, good morning": nothing but the mention and whose it is. */
function elliptical(sentence: Sentence, language: Language, mention: Mention): Statement[] {
  const { tokens, question } = sentence;
  const next = tokens[mention.end];
  const first = openings(sentence, language, mention).at(-1);
  if (first === undefined || first.determined || first.negated) return [];
  if (mention.acronym && !mention.agentive) return [];
  const whose = next !== undefined && next.kind === 'word' && (next.capital || language.genitives.has(next));
  if (!(next === undefined || next.kind === 'mark' || whose)) return [];
  if (!mention.agentive && !whose) return [];
  const before = tokens.slice(0, first.at);
  const comma = tokens.findIndex(({ kind }, at) => at >= mention.end && kind === 'mark');
  const rest = comma < 0 ? [] : tokens.slice(comma + 1);
  const lightly = before.every(({ kind, capital }) => kind !== 'word' || capital) && before.length <= 8;
  if (question || !lightly || (before.length > 0 && before.at(-1)?.kind !== 'mark')) return [];
  if ((comma < 0 ? tokens.length : comma) - mention.end > 8 || rest.length > 4) return [];
  return [stated(sentence, language, mention, { self: false }, mention.start, mention.end, false)];
}
