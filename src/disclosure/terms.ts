import type { Finding, Judgement } from './findings.ts';
import { match, type Pattern, pattern, type WordSet, wordSet } from './patterns.ts';
import { isDisguised, type Script, scriptOf } from './scripts.ts';
import type { Sentence, Token } from './tokens.ts';
import { patternIndex, type WordIndex } from './word-index.ts';

/**
 * Data of a language in which the rule only looks for a strong term in a clause about the speaker or the call. Strings
 * are lists of words (see `wordSet`); arrays are patterns (see `pattern`).
 */
export interface TermsData {
  /** The codes of the languages. Close languages share one entry. */
  readonly codes: string;
  /** The full terms. */
  readonly terms: readonly string[];
  /** Short terms, case-sensitive. They count only if {@link isSpoken}. */
  readonly acronyms: string;
  readonly negations: string;
  /** Negations that mean "but" after a denial: "ingen människa utan en AI". */
  readonly contrasts?: string;
  /** Words that start a clause: "and", "but", "that", "who". */
  readonly joints: string;
  /** "if": nothing after it in the sentence is a fact. */
  readonly conditions: readonly string[];
  /** Words that show that a sentence is about the speaker or the call: I am, you speak, here, call, voice, answers. */
  readonly cues: readonly string[];
  /** Words that show that the term is not the speaker: maybe, transfer, analyse, course, website, yesterday. */
  readonly blocks: readonly string[];
  /** Words for a human, in a claim to be one. */
  readonly humans: readonly string[];
  /** Frequent words, which identify the language of a sentence. */
  readonly words: string;
}

/** {@link TermsData}, compiled. */
export interface TermsLanguage {
  readonly codes: readonly string[];
  readonly script: Script;
  readonly terms: WordIndex<Pattern>;
  readonly acronyms: ReadonlySet<string>;
  readonly negations: WordSet;
  readonly contrasts: WordSet;
  readonly joints: WordSet;
  readonly conditions: WordIndex<Pattern>;
  readonly cues: WordIndex<Pattern>;
  readonly blocks: WordIndex<Pattern>;
  readonly humans: WordIndex<Pattern>;
  readonly vocabulary: WordSet;
}

/** Compiles the data of a language. */
export function termsLanguage(data: TermsData): TermsLanguage {
  return {
    codes: data.codes.split(' '),
    script: scriptOf(data.terms.join(' ')),
    terms: patternIndex(data.terms.map(pattern)),
    acronyms: new Set(data.acronyms.split(' ')),
    negations: wordSet(`${data.negations} ${data.contrasts ?? ''}`),
    contrasts: wordSet(data.contrasts ?? ''),
    joints: wordSet(data.joints),
    conditions: patternIndex(data.conditions.map(pattern)),
    cues: patternIndex(data.cues.map(pattern)),
    blocks: patternIndex(data.blocks.map(pattern)),
    humans: patternIndex(data.humans.map(pattern)),
    vocabulary: wordSet(
      [data.words, data.negations, data.joints, ...data.terms].join(' ').replaceAll('|', ' '),
    ),
  };
}

/**
 * True if a line is surely in the language, so that its acronyms count: by the script, or because the language knows at
 * least two words and a quarter of all words.
 */
export function isSpoken(sentences: readonly Sentence[], { vocabulary, script }: TermsLanguage): boolean {
  const words = sentences.flatMap(({ tokens }) =>
    tokens.filter(({ kind, capital }, at) => kind === 'word' && (!capital || at === 0)),
  );
  if (script !== 'latin') return words.some(({ raw }) => scriptOf(raw) === script);
  const known = new Set(words.filter((word) => vocabulary.has(word)).map(({ plain }) => plain)).size;
  return known >= 2 && known * 4 >= new Set(words.map(({ plain }) => plain)).size;
}

/** The findings in a sentence: strong terms, and claims to be human. */
export function termFindings(sentence: Sentence, language: TermsLanguage, ownAcronyms: boolean): Finding[] {
  return clausesOf(sentence.tokens, language).flatMap(({ tokens, start }, index, clauses): Finding[] => {
    const judgement = judgementOf(sentence, tokens, start, index === clauses.length - 1, language);
    if (judgement === 'fact' && contains(tokens, language.humans)) return [{ judgement: 'human', tokens }];
    const term = termOf(sentence, tokens, language, ownAcronyms);
    if (term === undefined) return [];
    const quoted = term.quoted && sentence.tokens.some((token) => token.kind === 'word' && !token.quoted);
    return [{ judgement: judgement === 'fact' && quoted ? 'quoted' : judgement, tokens }];
  });
}

interface Clause {
  readonly tokens: readonly Token[];
  readonly start: number;
}

/** Splits a sentence into clauses, at marks and at words that start a clause. */
function clausesOf(tokens: readonly Token[], { joints, contrasts, negations }: TermsLanguage): Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  let denied = false;
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'mark' || joints.has(token) || (denied && contrasts.has(token))) {
      if (at > start) clauses.push({ tokens: tokens.slice(start, at), start });
      start = at + 1;
    }
    denied ||= negations.has(token);
  }
  if (start < tokens.length) clauses.push({ tokens: tokens.slice(start), start });
  return clauses;
}

function judgementOf(
  sentence: Sentence,
  clause: readonly Token[],
  start: number,
  last: boolean,
  language: TermsLanguage,
): Judgement {
  if (clause.some((token) => language.negations.has(token))) return 'negated';
  if (sentence.question && last) return 'asked';
  const soFar = sentence.tokens.slice(0, start + clause.length);
  if (contains(soFar, language.conditions)) return 'conditional';
  const mark = soFar.findLastIndex(({ kind }) => kind === 'mark');
  if (contains(soFar.slice(mark + 1), language.blocks) || !contains(soFar, language.cues)) return 'elsewhere';
  return clause.some((token) => isDisguised(token, language)) ? 'disguised' : 'fact';
}

/** The first word of a strong term in a clause. */
function termOf(
  { shouted }: Sentence,
  clause: readonly Token[],
  language: TermsLanguage,
  ownAcronyms: boolean,
): Token | undefined {
  const terms = language.terms.in(clause);
  const full = clause.find((_, at) => terms.some((term) => match(clause, at, term, 1) !== undefined));
  // In a sentence of capitals, `AI`, `MI` and `IA` may be other words.
  if (full || shouted || !ownAcronyms) return full;
  return clause.find(({ raw, spaced }, at) => {
    const next = clause[at + 1];
    // "AI Solutions" is a company.
    const isFirm = next?.capital && !next.joined;
    return !spaced && !isFirm && language.acronyms.has(raw.replace(/'$/, ''));
  });
}

function contains(tokens: readonly Token[], patterns: WordIndex<Pattern>): boolean {
  return patterns
    .in(tokens)
    .some((places) => tokens.some((_, at) => match(tokens, at, places, 1) !== undefined));
}
