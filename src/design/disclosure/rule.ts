import type { Finding, Standing } from './findings.ts';
import type { Language } from './language.ts';
import { languages, termsLanguages } from './languages/index.ts';
import { mentionsOf } from './mentions.ts';
import { normalise } from './normalise.ts';
import { match, matches } from './patterns.ts';
import { claimsToBeHuman, type Introductions, introductionsOf } from './speaker.ts';
import { statementsOf } from './statements.ts';
import { isSpoken, type TermsLanguage, termFindings } from './terms.ts';
import { type Sentence, sentencesOf, type Token } from './tokens.ts';

/** A language of either kind, known by its frequent words. */
type Spoken = Language | TermsLanguage;

/** Whether a line clearly tells that the caller speaks with an AI, and why. */
export interface DisclosureRuling {
  readonly discloses: boolean;
  /** Half a sentence, without a full stop. */
  readonly reason: string;
}

// Nobody listens to more before his turn, and so no line takes long.
const mostCharacters = 10_000;
const mostTokens = 300;
const mostMentions = 8;
const tooLong = 'is too long to tell it clearly';

/**
 * Rules on a line without a model (`decisions` 4): one sentence about the speaker or the call holds a strong term for
 * AI, un-negated, and nothing denies it or claims to be human. The language is found from the words.
 */
export function ruleOnDisclosure(line: string): DisclosureRuling {
  if (line.length > mostCharacters) return refused(tooLong);
  const sentences = sentencesOf(normalise(line));
  if (sentences.reduce((sum, { tokens }) => sum + tokens.length, 0) > mostTokens) return refused(tooLong);
  const findings = findingsIn(sentences);
  const worst = findings.find(({ standing }) => ['human', 'negated', 'crowded'].includes(standing));
  const finding = worst ?? findings.find(({ standing }) => standing === 'fact') ?? findings[0];
  if (finding === undefined) return refused(reasonWithoutStatement(sentences));
  const says = `${reasons[finding.standing]}: "${excerpt(finding.tokens)}"`;
  return finding.standing === 'fact' ? { discloses: true, reason: says } : refused(says);
}

const reasons: Readonly<Record<Standing, string>> = {
  fact: 'says it',
  crowded: 'names AI too often to tell it clearly',
  human: 'claims that a human speaks',
  negated: 'denies it',
  asked: 'says it only in a question',
  conditional: 'says it only on a condition',
  doubtful: 'does not say it as a fact',
  quoted: 'only quotes it',
  disguised: 'writes a word in letters of another alphabet',
  elsewhere: 'says it only of something else',
};

function refused(reason: string): DisclosureRuling {
  return { discloses: false, reason };
}

function findingsIn(sentences: readonly Sentence[]): Finding[] {
  const spoken = sentences.map(({ tokens }) => languagesOf(tokens));
  const isUsed = (language: Spoken) => spoken.some((candidates) => candidates.has(language));
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
  if (claim) return [{ standing: 'human', tokens: claim }];
  const mentions = mentionsOf(sentence, language);
  if (mentions.length > mostMentions) return [{ standing: 'crowded', tokens: sentence.tokens }];
  return mentions.flatMap((mention) =>
    statementsOf(sentence, language, mention, known).map(({ standing, start, end }) => ({
      standing,
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

/** The languages that words may be in: those that know nearly as many of them as the one that knows most. */
function languagesOf(tokens: readonly Token[]): ReadonlySet<Spoken> {
  const all: readonly Spoken[] = [...languages, ...termsLanguages];
  // An acronym may be a word of another language: "AI", "j'ai".
  const words = tokens.filter(({ raw }) => !/^\p{Lu}{2,}$/u.test(raw));
  const scores = all.map(({ vocabulary }) => words.filter((token) => vocabulary.has(token)).length);
  const most = Math.max(...scores);
  return new Set(all.filter((_, at) => (scores[at] ?? 0) * 1.5 >= most));
}

function reasonWithoutStatement(sentences: readonly Sentence[]): string {
  for (const { tokens } of sentences)
    for (const language of languages) {
      for (const vague of language.vague)
        for (const [start, end] of matches(tokens, vague))
          return `says "${excerpt(tokens.slice(start, end))}", which may be a person or a simple machine`;
      if (language.terms.some((term) => tokens.some((_, at) => match(tokens, at, term, 1) !== undefined)))
        return reasons.elsewhere;
      if (tokens.some(({ raw }) => language.acronyms.has(raw))) return reasons.elsewhere;
    }
  return 'names no AI';
}
