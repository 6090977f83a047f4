import type { Finding, Judgement } from './findings.ts';
import type { Language } from './language.ts';
import { languages, termsLanguages } from './languages/index.ts';
import { mentionsOf } from './mentions.ts';
import { normalise } from './normalise.ts';
import { match, matches } from './patterns.ts';
import { claimsToBeHuman, type Introductions, introductionsOf } from './speaker.ts';
import { statementsOf } from './statements.ts';
import { isSpoken, type TermsLanguage, termFindings } from './terms.ts';
import { type Sentence, sentencesOf, type Token } from './tokens.ts';
import { WordIndex } from './word-index.ts';

/** A language with full data, or one of which the rule knows only the terms. */
type AnyLanguage = Language | TermsLanguage;

/** Whether a line says clearly that the caller speaks with an AI, and why. */
export interface DisclosureRuling {
  readonly discloses: boolean;
  /** The line claims that a human speaks, or denies that an AI does. */
  readonly deceives?: true;
  /** Half a sentence about the line, without a full stop: `denies it: "I am not an AI"`. */
  readonly reason: string;
}

const byVocabulary = new WordIndex<AnyLanguage>([...languages, ...termsLanguages], ({ vocabulary }) => [
  vocabulary,
]);
const allLanguages: ReadonlySet<AnyLanguage> = new Set(byVocabulary.all);

// A caller does not listen to a longer line. The bounds also keep the rule fast.
const maximumCharacters = 10_000;
const maximumTokens = 300;
const maximumMentions = 8;
const tooLong = `is too long to be clear: more than ${maximumCharacters} characters or ${maximumTokens} words`;

/**
 * Rules on a line that a caller hears, without a model. A line discloses the AI if it states, as a fact, that the
 * speaker is an AI or that an AI handles the call ("I am an AI", "an AI answers this call"), and if nothing in it denies
 * that or claims to be human. The steps:
 *
 * 1. `sentencesOf` splits the line into sentences and tokens.
 * 2. `languagesOf` guesses the languages of each sentence from its frequent words.
 * 3. In a language with full data, `mentionsOf` finds what can name an AI that speaks ("our new AI assistant", but not
 *    "AI team"), and `statementsOf` finds the statements about the speaker or the call around a mention.
 * 4. `judgementOf` in context.ts judges each statement: a fact, denied, a question, on a condition, a quotation ….
 * 5. In the other languages, `termFindings` looks for a strong term in a clause about the speaker or the call.
 * 6. A denial or a claim to be human decides against the line; otherwise one fact is enough.
 *
 * @param line plain text in one of the 21 languages; `{{variables}}`, `[placeholders]` and `<tags>` count as unknown words.
 *   A line of more than 10,000 characters (UTF-16 code units) or 300 words and marks does not disclose.
 * @returns the ruling, with a reason in English; the same for the same line. It never throws.
 */
export function ruleOnDisclosure(line: string): DisclosureRuling {
  if (line.length > maximumCharacters) return refused(tooLong);
  const sentences = sentencesOf(normalise(line));
  if (sentences.reduce((sum, { tokens }) => sum + tokens.length, 0) > maximumTokens) return refused(tooLong);
  const findings = findingsIn(sentences);
  const objection = findings.find(({ judgement }) => ['human', 'negated', 'crowded'].includes(judgement));
  const finding = objection ?? findings.find(({ judgement }) => judgement === 'fact') ?? findings[0];
  if (finding === undefined) return refused(reasonWithoutStatement(sentences));
  const reason = `${reasons[finding.judgement]}: "${excerpt(finding.tokens)}"`;
  if (finding.judgement === 'fact') return { discloses: true, reason };
  const deceives = finding.judgement === 'human' || finding.judgement === 'negated';
  return { ...refused(reason), ...(deceives && { deceives }) };
}

const reasons: Readonly<Record<Judgement, string>> = {
  fact: 'says so',
  crowded: `is unclear, because a sentence names AI more than ${maximumMentions} times`,
  human: 'claims that a human speaks',
  negated: 'denies it',
  asked: 'says so only in a question',
  conditional: 'says so only on a condition',
  doubtful: 'expresses doubt about it',
  quoted: 'says so only in a quotation',
  disguised: 'writes a word with letters of another alphabet',
  elsewhere: 'says so only about something else',
};

function refused(reason: string): DisclosureRuling {
  return { discloses: false, reason };
}

function findingsIn(sentences: readonly Sentence[]): Finding[] {
  const spoken = sentences.map(({ tokens }) => languagesOf(tokens));
  const isUsed = (language: AnyLanguage) => spoken.some((candidates) => candidates.has(language));
  return [
    ...languages.filter(isUsed).flatMap((language) => {
      const known = introductionsOf(sentences, language);
      return sentences.flatMap((sentence, index) =>
        spoken[index]?.has(language) ? statementFindings(sentence, language, known) : [],
      );
    }),
    ...termsLanguages.filter(isUsed).flatMap((language) => {
      const ownAcronyms = isSpoken(sentences, language);
      return sentences.flatMap((sentence, index) =>
        spoken[index]?.has(language) ? termFindings(sentence, language, ownAcronyms) : [],
      );
    }),
  ];
}

function statementFindings(sentence: Sentence, language: Language, known: Introductions): Finding[] {
  const claim = claimsToBeHuman(sentence, language);
  if (claim) return [{ judgement: 'human', tokens: claim }];
  const mentions = mentionsOf(sentence, language);
  if (mentions.length > maximumMentions) return [{ judgement: 'crowded', tokens: sentence.tokens }];
  return mentions.flatMap((mention) =>
    statementsOf(sentence, language, mention, known).map(({ judgement, start, end }) => ({
      judgement,
      tokens: sentence.tokens.slice(start, Math.max(end, mention.end)),
    })),
  );
}

function excerpt(tokens: readonly Token[]): string {
  let text = '';
  for (const { raw, kind, joined } of tokens) {
    const tied = text === '' || kind === 'mark' || raw.startsWith("'") || text.endsWith("'");
    text += joined ? `-${raw}` : tied ? raw : ` ${raw}`;
  }
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/**
 * The language of a text, guessed from its frequent words, of the eight languages with full data.
 * @param text of which the first 10,000 characters count
 * @returns a code of ISO 639-1: de, en, es, fr, it, nl, pl or pt; `en` if the text has no word of any
 */
export function languageCodeOf(text: string): string {
  const tokens = sentencesOf(normalise(text.slice(0, maximumCharacters))).flatMap(
    (sentence) => sentence.tokens,
  );
  const scored = languages.map(({ codes: [code], vocabulary }) => ({
    code,
    score: tokens.filter((token) => vocabulary.has(token)).length,
  }));
  const [best] = scored.toSorted((one, other) => other.score - one.score);
  return best?.code ?? 'en';
}

/** The likely languages of a sentence: those that know at least two thirds as many of its words as the best one. */
function languagesOf(tokens: readonly Token[]): ReadonlySet<AnyLanguage> {
  // Acronyms do not count, because they may be words of another language: "AI", "j'ai".
  const words = tokens.filter(({ raw }) => !/^\p{Lu}{2,}$/u.test(raw));
  const scores = new Map<AnyLanguage, number>();
  for (const token of words)
    for (const language of byVocabulary.in([token]))
      if (language.vocabulary.has(token)) scores.set(language, (scores.get(language) ?? 0) + 1);
  if (scores.size === 0) return allLanguages;
  const most = Math.max(...scores.values());
  return new Set([...scores].flatMap(([language, score]) => (score * 1.5 >= most ? [language] : [])));
}

function reasonWithoutStatement(sentences: readonly Sentence[]): string {
  for (const { tokens } of sentences)
    for (const language of languages) {
      for (const vague of language.vagueTerms.in(tokens))
        for (const [start, end] of matches(tokens, vague))
          return `says "${excerpt(tokens.slice(start, end))}", which may also be a person or a simple machine`;
      const terms = language.terms.in(tokens);
      if (terms.some((term) => tokens.some((_, at) => match(tokens, at, term, 1) !== undefined)))
        return reasons.elsewhere;
      if (tokens.some(({ raw }) => language.acronyms.has(raw))) return reasons.elsewhere;
    }
  return 'names no AI';
}
