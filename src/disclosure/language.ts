import { type Pattern, pattern, type WordSet, wordSet } from './patterns.ts';
import { type Script, scriptOf } from './scripts.ts';
import { neededIn, patternIndex, WordIndex } from './word-index.ts';

/**
 * Data of a language that the rule fully supports. Strings are lists of words (see `wordSet`); arrays are patterns (see
 * `pattern`). In a pattern, `@` is a mention of an AI: "an AI", "our new AI assistant". A pattern with `!who|that` at its
 * end does not match if one of these words follows before the next mark ("it is the AI that sorted it").
 */
export interface LanguageData {
  readonly code: string;
  /** Modifiers come before their noun ("AI assistant"), not after it ("assistant IA"). */
  readonly headFinal: boolean;
  /** The owner may follow without a preposition ("asystent AI hotelu"). */
  readonly bareGenitive?: boolean;
  /** Nouns start with a capital letter, so a lower-case word after the term is not a noun. */
  readonly capitalNouns?: boolean;

  /** Strong terms for AI, written out. */
  readonly terms: readonly string[];
  /** Short terms, case-sensitive. */
  readonly acronyms: string;
  /** Nouns for what speaks, which a term makes a machine: assistant, voice, system. */
  readonly agentNouns: string;
  /** Words between such a noun and a term: "based on", "de", "doté d'". */
  readonly links?: string;
  readonly modifiers: string;
  /** Nouns that make the term about something else than the speaker: team, software company, expert. */
  readonly otherNouns: string;

  readonly determiners: string;
  /** Words, and in `asides` phrases, between "I am" and "an AI" that do not change the meaning. */
  readonly adverbs: string;
  readonly asides: readonly string[];
  /** Function words: prepositions, conjunctions, pronouns. */
  readonly functionWords: string;
  /** Verbs that may follow a term, including those in `functionWords`. In "our AI has …" the AI is not the person named before. */
  readonly verbs?: string;
  /** Other words that may follow a term. */
  readonly after: string;
  readonly genitives: string;

  /** Phrases about the speaker: "I am". Without `@` they come before the mention, or before a name and the mention. */
  readonly self: readonly string[];
  /** "As an AI I …": like `self`, but a negation that follows does not deny the AI. */
  readonly roles?: readonly string[];
  /** Phrases about the call, the voice, or whom the caller speaks with. */
  readonly about: readonly string[];
  /** Phrases that introduce a name and cannot come before a mention: "my name is". */
  readonly names: readonly string[];
  /** "or rather": the mention corrects what the line said about the speaker before. */
  readonly corrections: readonly string[];
  /** "is" and "'s", after the speaker's name. */
  readonly copulas: string;
  /** Filler words that may come before a statement about the call. */
  readonly fillers: string;

  readonly negations: string;
  /** Phrases that contain a negation or a doubt but deny nothing: "not only", "don't forget". */
  readonly harmlessPhrases: readonly string[];
  /** "but", "only": after a denial, they introduce what is true. */
  readonly contrasts: string;
  /** "and", "so": they start a clause. */
  readonly joints: string;
  readonly that: string;
  readonly conditions: string;
  /** Verbs that do not assert their object (think, ask, pretend), and maybe, almost, like. */
  readonly doubts: string;
  readonly firstPerson: string;
  /** Words that start a question. */
  readonly questions: string;
  /** Words for other times and other channels: yesterday, website. */
  readonly elsewhere: string;
  readonly or: string;

  /** Words for a human, in a claim to be one. */
  readonly humans: readonly string[];
  /** "of flesh and blood": claims to be human in any sentence. */
  readonly humanIdioms: readonly string[];
  /** Words for this end of the line: "here", "on this end". */
  readonly places: string;
  /** Terms that may mean a machine or a person, such as "virtual assistant". They do not disclose. */
  readonly vagueTerms: readonly string[];
}

/** A phrase with room for a mention: what comes before it, and what comes after it. */
export interface Frame {
  readonly before: Pattern;
  readonly after: Pattern;
  /** About the speaker, not about the call. */
  readonly self: boolean;
  /** "As an AI I …" */
  readonly role: boolean;
  /** What can follow `before`: a mention, a name and then a mention, or both. */
  readonly takes: 'mention' | 'name' | 'both';
  /** Words that must not come between the mention and the next mark. */
  readonly unless: WordSet;
}

const lists = [
  'agentNouns',
  'links',
  'modifiers',
  'otherNouns',
  'determiners',
  'adverbs',
  'functionWords',
  'verbs',
  'after',
  'genitives',
  'copulas',
  'fillers',
  'negations',
  'contrasts',
  'joints',
  'that',
  'conditions',
  'doubts',
  'firstPerson',
  'questions',
  'elsewhere',
  'or',
  'places',
] as const;

const patterns = [
  'terms',
  'asides',
  'harmlessPhrases',
  'humans',
  'humanIdioms',
  'vagueTerms',
  'corrections',
] as const;

type Compiled = { readonly [Key in (typeof lists)[number]]: WordSet } & {
  readonly [Key in (typeof patterns)[number]]: WordIndex<Pattern>;
};

/** {@link LanguageData}, compiled. */
export interface Language extends Compiled {
  readonly codes: readonly string[];
  readonly headFinal: boolean;
  readonly bareGenitive: boolean;
  readonly capitalNouns: boolean;
  readonly script: Script;
  readonly acronyms: ReadonlySet<string>;
  readonly frames: WordIndex<Frame>;
  /** Those of them that can come before a name. */
  readonly introducing: WordIndex<Frame>;
  /** Frequent words, which identify the language of a sentence. */
  readonly vocabulary: WordSet;
}

/** Compiles the data of a language. */
export function language(data: LanguageData): Language {
  const compiled = Object.fromEntries([
    ...lists.map((key) => [key, wordSet(data[key] ?? '')]),
    ...patterns.map((key) => [key, patternIndex(data[key].map(pattern))]),
  ]) as Compiled;
  const frames = [
    ...data.self.map((text) => frame(text, true)),
    ...(data.roles ?? []).map((text) => ({ ...frame(text, true), role: true })),
    ...data.about.map((text) => frame(text, false)),
    ...data.names.map((text) => frame(text, true, 'name')),
  ];
  return {
    ...compiled,
    codes: [data.code],
    headFinal: data.headFinal,
    bareGenitive: data.bareGenitive ?? false,
    capitalNouns: data.capitalNouns ?? false,
    script: scriptOf(data.terms.join(' ')),
    acronyms: new Set(data.acronyms.split(' ')),
    frames: new WordIndex(frames, ({ before, after }) => neededIn([...before, ...after])),
    introducing: new WordIndex(
      frames.filter(({ takes }) => takes !== 'mention'),
      ({ before }) => neededIn(before),
    ),
    vocabulary: vocabulary(data),
  };
}

function frame(text: string, self: boolean, takes?: Frame['takes']): Frame {
  const [words = '', unless = ''] = text.split('!');
  const [before = '', after] = words.split('@');
  return {
    before: pattern(before),
    after: pattern(after ?? ''),
    self,
    role: false,
    takes: takes ?? (after === undefined ? 'both' : 'mention'),
    unless: wordSet(unless.replaceAll('|', ' ')),
  };
}

/** The function words of the lists and frames. Nouns such as "service" do not count: several languages share them. */
function vocabulary(data: LanguageData): WordSet {
  const nouns = wordSet(`${data.agentNouns} ${data.otherNouns}`);
  const vocabularyLists = lists.filter(
    (key) => key !== 'agentNouns' && key !== 'modifiers' && key !== 'otherNouns',
  );
  const frames = [...data.self, ...data.about, ...data.names, ...data.humans].join(' ');
  const words = wordSet(
    [...vocabularyLists.map((key) => data[key] ?? ''), frames.replaceAll(/[?|@,:–^!]|[~…]\d/g, ' ')]
      .join(' ')
      .replaceAll(/\S*\*\S*/g, ''),
  );
  return { keys: () => words.keys(), has: (token) => words.has(token) && !nouns.has(token) };
}
