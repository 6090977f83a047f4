import type { Finding, Standing } from './findings.ts';
import type { Language } from './language.ts';
import { languages, termsLanguages } from './languages/index.ts';
import { mentionsOf } from './mentions.ts';
import { normalise } from './normalise.ts';
import { match, matches, type WordSet } from './patterns.ts';
import { claimsToBeHuman, introductionsOf } from './speaker.ts';
import { type Introductions, statementsOf } from './statements.ts';
import { isSpoken, termFindings } from './terms.ts';
import { type Sentence, sentencesOf, type Token } from './tokens.ts';

/** Whether a line clearly tells that the caller speaks with an AI, and why. */
export interface DisclosureRuling {
  readonly discloses: boolean;
  /** Half a sentence, without a full stop. */
  readonly reason: string;
}

/**
 * Rules on a line without a model (`decisions` 4): one sentence about the speaker or the call holds a strong term for
 * AI, un-negated, and nothing denies it or claims to be human. The language is found from the words.
 */
export function ruleOnDisclosure(line: string): DisclosureRuling {
  const sentences = sentencesOf(normalise(line));
  const findings = findingsIn(sentences);
  const worst = findings.find(({ standing }) => standing === 'human' || standing === 'negated');
  const finding = worst ?? findings.find(({ standing }) => standing === 'fact') ?? findings[0];
  if (finding === undefined) return refused(reasonWithoutStatement(sentences));
  const says = `${reasons[finding.standing]}: "${excerpt(finding.tokens)}"`;
  return finding.standing === 'fact' ? { discloses: true, reason: says } : refused(says);
}

const reasons: Readonly<Record<Standing, string>> = {
  fact: 'says it',
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
  const introductions = new Map(
    languages.map((language) => [language, introductionsOf(sentences, language)]),
  );
  return sentences.flatMap((sentence, index) => [
    ...languages.flatMap((language) => {
      const known = introductions.get(language)?.[index];
      return known && spoken[index]?.has(language) ? statementFindings(sentence, language, known) : [];
    }),
    ...termsLanguages.flatMap((language) =>
      spoken[index]?.has(language) ? termFindings(sentence, language, isSpoken(sentences, language)) : [],
    ),
  ]);
}

function statementFindings(sentence: Sentence, language: Language, known: Introductions): Finding[] {
  const claim = claimsToBeHuman(sentence, language);
  if (claim) return [{ standing: 'human', tokens: claim }];
  return mentionsOf(sentence, language).flatMap((mention) =>
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
function languagesOf(tokens: readonly Token[]): ReadonlySet<{ readonly vocabulary: WordSet }> {
  const all = [...languages, ...termsLanguages];
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
