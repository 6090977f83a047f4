import { type Pattern, pattern, type WordSet, wordSet } from './patterns.ts';
import { type Script, scriptOf } from './scripts.ts';

/**
 * What the rule knows of a language. Lists are words with spaces between them (see `wordSet`), arrays are patterns
 * (see `pattern`), in which `@` is the mention of an AI: "an AI", "our new AI assistant".
 * `!who|that` at the end of a frame: none of these words follows before the next mark ("it is the AI that sorted it").
 */
export interface LanguageData {
  readonly code: string;
  /** Modifiers stand before their noun ("AI assistant"), not behind it ("assistant IA"). */
  readonly headFinal: boolean;
  /** Whose a thing is may follow it without a word between ("asystent AI hotelu"). */
  readonly bareGenitive?: boolean;
  /** Nouns are written with a capital, so that a small word behind the term is none. */
  readonly capitalNouns?: boolean;

  /** The full terms. */
  readonly terms: readonly string[];
  /** Short terms, in their case. */
  readonly acronyms: string;
  /** What speaks or answers, and is a machine where a term says so: assistant, voice, system. */
  readonly agents: string;
  /** What ties such a noun to a term: "based on", "de", "doté d'". */
  readonly links?: string;
  readonly modifiers: string;
  /** Nouns that take the term away from the speaker: team, software company, expert. */
  readonly others: string;

  readonly determiners: string;
  /** What may stand between "I am" and "an AI" and changes nothing: words, and phrases. */
  readonly adverbs: string;
  readonly asides: readonly string[];
  /** Prepositions, conjunctions, pronouns: words that are no noun. */
  readonly small: string;
  /** Verbs that may follow a term, also those of `small`: "our AI has …" says nothing of the name before it. */
  readonly verbs?: string;
  /** Other words that may follow a term. */
  readonly after: string;
  readonly genitives: string;

  /** The speaker of himself. Without `@` it stands before the mention, or introduces a name and then the mention. */
  readonly self: readonly string[];
  /** "As an AI I …": like `self`, but what is denied behind it is something else. */
  readonly roles?: readonly string[];
  /** The call, the voice, who the caller speaks with. */
  readonly about: readonly string[];
  /** What introduces a name and cannot stand before a mention: "my name is". */
  readonly names: readonly string[];
  /** "or rather": the mention mends what was said of the speaker before. */
  readonly corrections: readonly string[];
  /** "is" and "'s", with the speaker's name before it. */
  readonly copulas: string;
  /** What may stand before something that is said of the call. */
  readonly light: string;

  readonly negations: string;
  /** Phrases with a word of negation or doubt in them that deny nothing: "not only", "don't forget". */
  readonly harmless: readonly string[];
  /** "but", "only": what follows a denial is meant. */
  readonly contrasts: string;
  /** "and", "so": a new clause. */
  readonly joints: string;
  readonly that: string;
  readonly conditions: string;
  /** Verbs whose object is not asserted (think, ask, pretend), and maybe, almost, like. */
  readonly doubts: string;
  readonly me: string;
  /** Words with which a question begins. */
  readonly questions: string;
  /** Other times and other channels. */
  readonly elsewhere: string;
  readonly or: string;

  /** What a person is called who says that he is one. */
  readonly humans: readonly string[];
  /** "of flesh and blood", whoever says it. */
  readonly flesh: readonly string[];
  /** "here", "on this end". */
  readonly places: string;
  /** Names of machines that people use for people too. */
  readonly vague: readonly string[];
}

/** A pattern with a mention in it. */
export interface Frame {
  readonly before: Pattern;
  readonly after: Pattern;
  /** Said in the first person. */
  readonly self: boolean;
  /** "As an AI I …" */
  readonly role: boolean;
  /** Whether a mention, a name with the mention behind it, or both can follow. */
  readonly takes: 'mention' | 'name' | 'both';
  /** Words that must not stand between the mention and the next mark. */
  readonly unless: WordSet;
}

const lists = [
  'agents',
  'links',
  'modifiers',
  'others',
  'determiners',
  'adverbs',
  'small',
  'verbs',
  'after',
  'genitives',
  'copulas',
  'light',
  'negations',
  'contrasts',
  'joints',
  'that',
  'conditions',
  'doubts',
  'me',
  'questions',
  'elsewhere',
  'or',
  'places',
] as const;

const patterns = ['terms', 'asides', 'harmless', 'humans', 'flesh', 'vague', 'corrections'] as const;

type Compiled = { readonly [Key in (typeof lists)[number]]: WordSet } & {
  readonly [Key in (typeof patterns)[number]]: readonly Pattern[];
};

/** A language as the rule uses it. */
export interface Language extends Compiled {
  readonly headFinal: boolean;
  readonly bareGenitive: boolean;
  readonly capitalNouns: boolean;
  readonly script: Script;
  readonly acronyms: ReadonlySet<string>;
  readonly frames: readonly Frame[];
  /** Its frequent words, by which a sentence is known to be in it. */
  readonly vocabulary: WordSet;
}

/** Reads the data of a language, once. */
export function language(data: LanguageData): Language {
  const compiled = Object.fromEntries([
    ...lists.map((key) => [key, wordSet(data[key] ?? '')]),
    ...patterns.map((key) => [key, data[key].map(pattern)]),
  ]) as Compiled;
  return {
    ...compiled,
    headFinal: data.headFinal,
    bareGenitive: data.bareGenitive ?? false,
    capitalNouns: data.capitalNouns ?? false,
    script: scriptOf(data.terms.join(' ')),
    acronyms: new Set(data.acronyms.split(' ')),
    frames: [
      ...data.self.map((text) => frame(text, true)),
      ...(data.roles ?? []).map((text) => ({ ...frame(text, true), role: true })),
      ...data.about.map((text) => frame(text, false)),
      ...data.names.map((text) => frame(text, true, 'name')),
    ],
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

/** The small words of the lists and frames: nouns such as "service" are much the same in several languages. */
function vocabulary(data: LanguageData): WordSet {
  const nouns = wordSet(`${data.agents} ${data.others}`);
  const small = lists.filter((key) => key !== 'agents' && key !== 'modifiers' && key !== 'others');
  const frames = [...data.self, ...data.about, ...data.names, ...data.humans].join(' ');
  const words = wordSet(
    [...small.map((key) => data[key] ?? ''), frames.replaceAll(/[?|@,:–^!]|[~…]\d/g, ' ')]
      .join(' ')
      .replaceAll(/\S*\*\S*/g, ''),
  );
  return { has: (token) => words.has(token) && !nouns.has(token) };
}
