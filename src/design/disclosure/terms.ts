import type { Finding, Standing } from './findings.ts';
import { match, type Pattern, pattern, type WordSet, wordSet } from './patterns.ts';
import { isDisguised, type Script, scriptOf } from './scripts.ts';
import type { Sentence, Token } from './tokens.ts';

/**
 * What the rule knows of a language in which a strong term suffices, without a sentence about the speaker. Lists are
 * words with spaces between them (see `wordSet`), arrays are patterns (see `pattern`).
 */
export interface TermsData {
  /** One language, or several that are read as one. */
  readonly codes: string;
  /** The full terms. */
  readonly terms: readonly string[];
  /** Short terms, in their case. See {@link isSpoken}. */
  readonly acronyms: string;
  readonly negations: string;
  /** Negations that mean "but" behind a denial: "ingen människa utan en AI". */
  readonly contrasts?: string;
  /** "and", "but", "that", "who": a new clause. */
  readonly joints: string;
  /** "if": what stands behind it in the sentence is no fact. */
  readonly conditions: readonly string[];
  /** What makes the sentence one about the speaker or the call: I am, you speak, here, call, voice, answers. */
  readonly cues: readonly string[];
  /** What keeps the term of its clause from being the speaker: maybe, transfer, analyse, course, website, yesterday. */
  readonly blocks: readonly string[];
  /** What a person is called who says that he is one. */
  readonly humans: readonly string[];
  /** Its frequent words, by which a sentence is known to be in it. */
  readonly words: string;
}

/** {@link TermsData} as the rule uses it. */
export interface TermsLanguage {
  readonly script: Script;
  readonly terms: readonly Pattern[];
  readonly acronyms: ReadonlySet<string>;
  readonly negations: WordSet;
  readonly contrasts: WordSet;
  readonly joints: WordSet;
  readonly conditions: readonly Pattern[];
  readonly cues: readonly Pattern[];
  readonly blocks: readonly Pattern[];
  readonly humans: readonly Pattern[];
  readonly vocabulary: WordSet;
}

/** Reads the data of a language, once. */
export function termsLanguage(data: TermsData): TermsLanguage {
  return {
    script: scriptOf(data.terms.join(' ')),
    terms: data.terms.map(pattern),
    acronyms: new Set(data.acronyms.split(' ')),
    negations: wordSet(`${data.negations} ${data.contrasts ?? ''}`),
    contrasts: wordSet(data.contrasts ?? ''),
    joints: wordSet(data.joints),
    conditions: data.conditions.map(pattern),
    cues: data.cues.map(pattern),
    blocks: data.blocks.map(pattern),
    humans: data.humans.map(pattern),
    vocabulary: wordSet(
      [data.words, data.negations, data.joints, ...data.terms].join(' ').replaceAll('|', ' '),
    ),
  };
}

/** True where the language knows enough of a line's words for a short term to be its own, or the alphabet tells. */
export function isSpoken(sentences: readonly Sentence[], { vocabulary, script }: TermsLanguage): boolean {
  const words = sentences.flatMap(({ tokens }) =>
    tokens.filter(({ kind, capital }, at) => kind === 'word' && (!capital || at === 0)),
  );
  if (script !== 'latin') return words.some(({ raw }) => scriptOf(raw) === script);
  const known = new Set(words.filter((word) => vocabulary.has(word)).map(({ plain }) => plain)).size;
  return known >= 2 && known * 4 >= new Set(words.map(({ plain }) => plain)).size;
}

/** What a sentence states with the strong terms in it, and the claims to be human. */
export function termFindings(sentence: Sentence, language: TermsLanguage, ownAcronyms: boolean): Finding[] {
  return clausesOf(sentence.tokens, language).flatMap(({ tokens, start }, index, clauses): Finding[] => {
    const standing = standingOf(sentence, tokens, start, index === clauses.length - 1, language);
    if (standing === 'fact' && holds(tokens, language.humans)) return [{ standing: 'human', tokens }];
    const named = nameOf(sentence, tokens, language, ownAcronyms);
    if (named === undefined) return [];
    const quoted = named.quoted && sentence.tokens.some((token) => token.kind === 'word' && !token.quoted);
    return [{ standing: standing === 'fact' && quoted ? 'quoted' : standing, tokens }];
  });
}

interface Clause {
  readonly tokens: readonly Token[];
  readonly start: number;
}

/** A sentence in parts, at its marks and at the words that begin a new clause. */
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

function standingOf(
  sentence: Sentence,
  clause: readonly Token[],
  start: number,
  last: boolean,
  language: TermsLanguage,
): Standing {
  if (clause.some((token) => language.negations.has(token))) return 'negated';
  if (sentence.question && last) return 'asked';
  const sofar = sentence.tokens.slice(0, start + clause.length);
  if (holds(sofar, language.conditions)) return 'conditional';
  const mark = sofar.findLastIndex(({ kind }) => kind === 'mark');
  if (holds(sofar.slice(mark + 1), language.blocks) || !holds(sofar, language.cues)) return 'elsewhere';
  return clause.some((token) => isDisguised(token, language)) ? 'disguised' : 'fact';
}

/** The first word of a term for AI in a clause. */
function nameOf(
  { shouted }: Sentence,
  clause: readonly Token[],
  language: TermsLanguage,
  ownAcronyms: boolean,
): Token | undefined {
  const full = clause.find((_, at) =>
    language.terms.some((term) => match(clause, at, term, 1) !== undefined),
  );
  // In capitals throughout, `AI`, `MI` and `IA` may be other words.
  if (full || shouted || !ownAcronyms) return full;
  return clause.find(({ raw, spaced }, at) => {
    const next = clause[at + 1];
    // "AI Solutions"
    const isFirm = next?.capital && !next.joined;
    return !spaced && !isFirm && language.acronyms.has(raw.replace(/'$/, ''));
  });
}

function holds(tokens: readonly Token[], patterns: readonly Pattern[]): boolean {
  return patterns.some((places) => tokens.some((_, at) => match(tokens, at, places, 1) !== undefined));
}
