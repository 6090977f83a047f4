import type { Standing } from './context.ts';
import type { Language } from './language.ts';
import { languages } from './languages/index.ts';
import { mentionsOf } from './mentions.ts';
import { normalise } from './normalise.ts';
import { match, matches } from './patterns.ts';
import { claimsToBeHuman, introductionsOf } from './speaker.ts';
import { type Introductions, statementsOf } from './statements.ts';
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
  const findings: Finding[] = [];
  for (const [index, sentence] of sentences.entries()) {
    const spoken = languagesOf(sentences, index);
    const line = introductionsOf(sentences.slice(0, index + 1), spoken);
    for (const language of spoken) {
      if (claimsToBeHuman(sentence, language)) return refused('claims that a human speaks');
      findings.push(...findingsIn(sentence, language, line));
    }
  }
  if (findings.some(({ standing }) => standing === 'negated')) return refused('denies it');
  const fact = findings.find(({ standing }) => standing === 'fact');
  if (fact) return { discloses: true, reason: `says "${fact.words}"` };
  const [finding] = findings;
  if (finding) return refused(`${reasons[finding.standing]}: "${finding.words}"`);
  return refused(reasonWithoutStatement(sentences));
}

interface Finding {
  readonly standing: Standing;
  readonly words: string;
}

const reasons: Readonly<Record<Standing, string>> = {
  fact: 'says it',
  negated: 'denies it',
  asked: 'says it only in a question',
  conditional: 'says it only on a condition',
  doubtful: 'does not say it as a fact',
  quoted: 'only quotes it',
  disguised: 'writes a word in letters of another alphabet',
  elsewhere: 'says it only of another time or place',
};

function refused(reason: string): DisclosureRuling {
  return { discloses: false, reason };
}

function findingsIn(sentence: Sentence, language: Language, line: Introductions): Finding[] {
  return mentionsOf(sentence, language).flatMap((mention) => {
    const statements = statementsOf(sentence, language, mention, line);
    return statements.map(({ standing, start, end }) => ({
      standing,
      words: excerpt(sentence.tokens.slice(start, Math.max(end, mention.end))),
    }));
  });
}

function excerpt(tokens: readonly Token[]): string {
  let text = '';
  for (const { raw, kind, joined } of tokens)
    text += (text === '' || kind === 'mark' || joined || raw.startsWith("'") || text.endsWith("'") ? '' : ' ') + (joined ? '-' : '') + raw;
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** The languages that a sentence may be in: those that know nearly as many of its words as the one that knows most. */
function languagesOf(sentences: readonly Sentence[], index: number): readonly Language[] {
  const own = sentences[index]?.tokens ?? [];
  const scores = languages.map(({ vocabulary }) => own.filter((token) => vocabulary.has(token)).length);
  const most = Math.max(...scores);
  if (most === 0) return languages;
  return languages.filter((_, at) => (scores[at] ?? 0) * 1.5 >= most);
}

function reasonWithoutStatement(sentences: readonly Sentence[]): string {
  for (const { tokens } of sentences)
    for (const language of languages) {
      for (const vague of language.vague)
        for (const [start, end] of matches(tokens, vague))
          return `says "${excerpt(tokens.slice(start, end))}", which may be a person or a simple machine`;
      if (language.terms.some((term) => tokens.some((_, at) => match(tokens, at, term, 1) !== undefined)))
        return 'says it only of something else';
      if (tokens.some(({ raw }) => language.acronyms.has(raw))) return 'says it only of something else';
    }
  return 'names no AI';
}
