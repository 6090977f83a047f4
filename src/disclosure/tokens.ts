import { unspoken } from './normalise.ts';

/** A word, a placeholder for words that are only known in a call, or a mark that separates clauses. */
export interface Token {
  readonly kind: 'word' | 'placeholder' | 'mark';
  /** As written, after normalisation. */
  readonly raw: string;
  /** In lower case. */
  readonly word: string;
  /** In lower case, without diacritics. */
  readonly plain: string;
  readonly capital: boolean;
  /** A hyphen joins it to the word before. */
  readonly joined: boolean;
  /** In quotation marks. */
  readonly quoted: boolean;
  /** Initials with a space between them, such as `A. I.`, which are usually a name. */
  readonly spaced: boolean;
}

export interface Sentence {
  readonly tokens: readonly Token[];
  readonly question: boolean;
  /** All in capitals, so that a capital letter marks neither a name nor an acronym. */
  readonly shouted: boolean;
}

// Linear time: no two alternatives start with the same character, and each repeats a single class.
const piece =
  /(?<dotted>(?<![\p{L}\p{N}\p{M}._@'-])\p{Lu}\. ?\p{Lu}\.(?![\p{L}\p{N}]))|(?<word>[\p{L}\p{N}\p{M}\p{Sc}%#@_]+(?:[._@&][\p{L}\p{N}\p{M}_]+)*)|(?<end>[.!?…。？！;\n]+)|(?<mark>[,:–()/،])|(?<other>[^\p{L}\p{N}])/gu;

/** Short forms after an apostrophe: `'m`, `'s`, `'ne`. */
const clitics = new Set([
  's',
  'm',
  're',
  've',
  'll',
  'd',
  't',
  'n',
  'ne',
  'nen',
  'nem',
  'ner',
  'em',
  'r',
  'st',
]);

/** Abbreviations whose full stop does not end a sentence. */
const abbreviations = new Set(
  `dr mr mrs ms st nr no prof bzw ca inkl ggf fr hr sr sra srta dra dott sig mme mlle mevr dhr mgr inż ul tel
  co corp inc ltd bros`.split(/\s+/),
);

/** Splits a normalised line into sentences. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let tokens: Token[] = [];
  // An odd number of quotation marks means that one has no partner, so none counts.
  const quotes = (text.match(/"/g)?.length ?? 0) % 2 === 0;
  let quoted = false;
  const close = (question: boolean) => {
    const shouted = isShouted(tokens);
    // If everything is in capitals, a capital does not mark a name.
    const read = shouted ? tokens.map((token) => ({ ...token, capital: false })) : tokens;
    if (tokens.some(({ kind }) => kind !== 'mark')) sentences.push({ tokens: read, question, shouted });
    tokens = [];
  };
  for (const { 0: raw, index, groups = {} } of text.matchAll(piece)) {
    const before = text[index - 1];
    if (groups['dotted'] !== undefined) {
      const letters = raw.replaceAll(/[. ]/g, '');
      tokens.push(
        { ...wordToken(letters, false, quoted), spaced: raw.includes(' ') },
        markToken('.', quoted),
      );
    } else if (groups['word'] !== undefined) {
      if (before === "'")
        pushAfterApostrophe(tokens, raw, quoted, /[\p{L}\p{M}]/u.test(text[index - 2] ?? ''));
      else tokens.push(wordToken(raw, before === '-' && tokens.at(-1)?.kind === 'word', quoted));
    } else if (groups['end'] !== undefined) {
      if (endsSentence(raw, text, index, tokens.at(-1))) close(isQuestion(raw, tokens));
    } else if (groups['mark'] !== undefined) tokens.push(markToken(raw, quoted));
    else if (raw === unspoken) tokens.push({ ...wordToken(raw, false, quoted), kind: 'placeholder' });
    else if (raw === '¿' || raw === '¡') close(false);
    else if (raw === '"' && quotes) quoted = !quoted;
  }
  close(false);
  return sentences;
}

function endsSentence(end: string, text: string, index: number, last: Token | undefined): boolean {
  if (end !== '.' || last === undefined) return true;
  // `Dr. Weber`, `J. Weber`
  return !(text[index + 1] === ' ' && (abbreviations.has(last.word) || /^\p{Lu}$/u.test(last.raw)));
}

function isQuestion(end: string, tokens: readonly Token[]): boolean {
  // The Greek question mark is a semicolon.
  return /[?？]/.test(end) || (end.includes(';') && tokens.some(({ raw }) => /\p{Script=Greek}/u.test(raw)));
}

function isShouted(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind }) => kind === 'word');
  return words.length > 2 && !words.some(({ raw }) => /\p{Ll}/u.test(raw));
}

/** Keeps an apostrophe with the short form: `l'` + `IA`, `I` + `'m`. Before a full word it is a quotation mark. */
function pushAfterApostrophe(tokens: Token[], raw: string, quoted: boolean, tied: boolean): void {
  const last = tokens.at(-1);
  if (clitics.has(raw.toLowerCase())) tokens.push(wordToken(`'${raw}`, false, quoted));
  else {
    if (tied && last?.kind === 'word')
      tokens[tokens.length - 1] = wordToken(`${last.raw}'`, last.joined, quoted);
    tokens.push(wordToken(raw, false, quoted));
  }
}

function markToken(raw: string, quoted: boolean): Token {
  return { ...wordToken(raw, false, quoted), kind: 'mark' };
}

function wordToken(raw: string, joined: boolean, quoted: boolean): Token {
  const word = raw.toLowerCase();
  return {
    kind: 'word',
    raw,
    word,
    plain: withoutDiacritics(word),
    capital: /^\p{Lu}/u.test(raw),
    joined,
    quoted,
    spaced: false,
  };
}

/** A word as people type it without diacritics: `größe` becomes `grosse`. */
export function withoutDiacritics(word: string): string {
  if (ascii.test(word)) return word;
  return word
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßłøæœđı]/g, (letter) => letterWithout[letter] ?? letter);
}

const ascii = /^[a-z0-9']*$/;

const letterWithout: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
};
