import { judgementOf } from './context.ts';
import { denialOfHuman, skipRepeatedWord } from './denials.ts';
import type { Judgement } from './findings.ts';
import type { Frame, Language } from './language.ts';
import type { Mention } from './mentions.ts';
import { match } from './patterns.ts';
import {
  endOfClause,
  endOfPhrase,
  endsPhrase,
  isPartOfName,
  type Opening,
  openings,
  startBefore,
} from './phrases.ts';
import type { Introductions } from './speaker.ts';
import type { Sentence } from './tokens.ts';

/** A statement about the speaker or the call that contains a mention of an AI, and its judgement. */
export interface Statement {
  readonly judgement: Judgement;
  readonly start: number;
  readonly end: number;
}

/** A mention, and the places where its noun phrase may start. */
interface PlacedMention extends Mention {
  readonly openings: readonly Opening[];
}

/** Finds statements about the speaker or the call that contain a mention. */
type Finder = (
  sentence: Sentence,
  language: Language,
  mention: PlacedMention,
  line: Introductions,
) => Statement[];

/** "I am an AI", "an AI is speaking to you". */
function direct(sentence: Sentence, language: Language, mention: PlacedMention): Statement[] {
  const { tokens } = sentence;
  const clause = tokens.slice(0, endOfClause(tokens, mention.end, language));
  const phrase = endOfPhrase(tokens, mention.end);
  return language.frames.in(tokens).flatMap((frame) => {
    if (frame.takes === 'name') return [];
    const end = match(frame.self ? tokens : clause, mention.end, frame.after, 1);
    if (end === undefined || tokens.slice(mention.end, phrase).some((token) => frame.unless.has(token)))
      return [];
    if (frame.before.at(-1)?.mark !== undefined && !endsPhrase(tokens, mention, language)) return [];
    if (frame.before.length === 0) {
      const first = mention.openings.at(-1);
      return first ? [stated(sentence, language, mention, frame, first.at, end)] : [];
    }
    return mention.openings.flatMap((place) => {
      const start = startBefore(tokens, place.at, frame.before);
      return start === undefined ? [] : [stated(sentence, language, mention, frame, start, end)];
    });
  });
}

const ofSpeaker = { self: true, role: false };
const ofCall = { self: false, role: false };

function stated(
  sentence: Sentence,
  language: Language,
  mention: Mention,
  { self, role }: Pick<Frame, 'self' | 'role'>,
  start: number,
  end: number,
): Statement {
  const judgement = judgementOf(sentence, language, mention, { self, role, start, end });
  return { judgement, start, end };
}

/** "I am Lena from Contoso, your AI assistant": a name, then the mention after a comma. */
function apposed(sentence: Sentence, language: Language, mention: PlacedMention): Statement[] {
  const { tokens } = sentence;
  if (!endsPhrase(tokens, mention, language)) return [];
  const next = tokens[mention.end];
  // In "Anna Ivanova, A.I. to my friends", A.I. are initials.
  const closed = next && next.kind !== 'mark' ? language.genitives.has(next) : !mention.acronym;
  const places = mention.openings.filter(
    ({ at, determined }) => tokens[at - 1]?.kind === 'mark' && (determined || mention.agentive || closed),
  );
  return places.flatMap(({ at, determined }) => {
    for (let left = at - 1; left >= Math.max(1, at - 16); left--) {
      if (!isPartOfName(tokens, left, at - 1, language)) break;
      for (const frame of language.frames.all) {
        if (frame.takes === 'mention') continue;
        const start = match(tokens, left - 1, frame.before, -1);
        const bare = !determined && !mention.agentive;
        if (bare && !tokens.slice(left, at - 1).some(({ capital }) => capital)) continue;
        if (start !== undefined && left < at - 1)
          return [stated(sentence, language, mention, frame, start + 1, mention.end)];
      }
    }
    return [];
  });
}

/** "No human here, just an AI", "I'm not a person but an AI". */
const contrasted: Finder = (sentence, language, mention, { names }) => {
  const { tokens } = sentence;
  for (const { at: opening } of mention.openings) {
    const at = skipRepeatedWord(tokens, opening, language);
    const link = tokens[at - 1];
    const word = link?.kind === 'mark' ? tokens[at - 2] : link;
    const isContrast =
      (link !== undefined && (link.kind === 'mark' || language.contrasts.has(link))) ||
      (word !== undefined && language.contrasts.has(word));
    if (!isContrast) continue;
    const end = link?.kind === 'mark' || tokens[at - 2]?.kind !== 'mark' ? at - 1 : at - 2;
    const start = denialOfHuman(tokens, end, language, names);
    if (start !== undefined) return [stated(sentence, language, mention, ofSpeaker, at, mention.end)];
  }
  return [];
};

/** "My intelligence is artificial": the term itself contains a word for the speaker. */
function possessed(sentence: Sentence, language: Language, mention: Mention): Statement[] {
  const { start, end } = mention;
  const own = sentence.tokens.slice(start, end).some((token) => language.firstPerson.has(token));
  return own ? [stated(sentence, language, mention, ofSpeaker, start, end)] : [];
}

/** "This is Sophie, or more precisely an AI." */
const corrected: Finder = (sentence, language, mention, { introduced }) => {
  if (!introduced) return [];
  return mention.openings.flatMap(({ at }) =>
    language.corrections.in(sentence.tokens).flatMap((correction) => {
      const start = startBefore(sentence.tokens, at, correction);
      return start === undefined ? [] : [stated(sentence, language, mention, ofSpeaker, start, mention.end)];
    }),
  );
};

/** "You're through to Kai. Kai's an AI." */
const named: Finder = (sentence, language, mention, { names }) => {
  const { tokens } = sentence;
  return mention.openings.flatMap(({ at }) => {
    const copula = tokens[at - 1];
    if (copula === undefined || !language.copulas.has(copula)) return [];
    const name = tokens[at - 2];
    if (name === undefined || !names.has(name.raw)) return [];
    return [stated(sentence, language, mention, ofSpeaker, at - 2, mention.end)];
  });
};

/** "AI receptionist of Contoso, good morning": only the mention and its owner, without a verb. */
function elliptical(sentence: Sentence, language: Language, mention: PlacedMention): Statement[] {
  const { tokens, question } = sentence;
  const next = tokens[mention.end];
  const first = mention.openings.at(-1);
  if (first === undefined || first.determined) return [];
  if (mention.acronym && !mention.agentive) return [];
  const whose = next !== undefined && next.kind === 'word' && (next.capital || language.genitives.has(next));
  if (!(next === undefined || next.kind === 'mark' || whose)) return [];
  if (!mention.agentive && !whose) return [];
  const before = tokens.slice(0, first.at);
  const comma = tokens.findIndex(({ kind }, at) => at >= mention.end && kind === 'mark');
  const rest = comma < 0 ? [] : tokens.slice(comma + 1);
  const onlyNames = before.every(({ kind, capital }) => kind !== 'word' || capital) && before.length <= 8;
  if (question || !onlyNames || (before.length > 0 && before.at(-1)?.kind !== 'mark')) return [];
  if ((comma < 0 ? tokens.length : comma) - mention.end > 8 || rest.length > 4) return [];
  return [stated(sentence, language, mention, ofCall, first.at, mention.end)];
}

/** Each finds one form. */
const finders: readonly Finder[] = [direct, apposed, possessed, contrasted, corrected, named, elliptical];

export function statementsOf(
  sentence: Sentence,
  language: Language,
  mention: Mention,
  line: Introductions,
): Statement[] {
  const placed = { ...mention, openings: openings(sentence, language, mention) };
  return finders.flatMap((find) => find(sentence, language, placed, line));
}
