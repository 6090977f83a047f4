import type { Language } from './languages.ts';
import { numberWords } from './number-words.ts';
import { type Found, folded, type Token } from './words.ts';

/** A number as said: its value, and its digits, whose leading zeros count in a telephone number. */
export interface Numeral {
  readonly value: number;
  readonly digits: string;
}

interface Lexicon {
  /** Below 100, and in languages that write numbers as one word, below 1,000. */
  readonly small: ReadonlyMap<string, number>;
  readonly hundreds: ReadonlyMap<string, number>;
  readonly thousand: ReadonlySet<string>;
  readonly and: string;
  readonly repeats: ReadonlyMap<string, number>;
  readonly zeros: ReadonlySet<string>;
  readonly times: ReadonlySet<string>;
}

/** Languages whose numbers up to 999 are one word: how units and tens join. */
const joins: Partial<Record<Language, (tens: string, unit: string) => string>> = {
  de: (tens, unit) => `${unit}und${tens}`,
  nl: (tens, unit) => `${unit}en${tens}`,
  it: (tens, unit) => (/^[uo]/.test(unit) ? tens.slice(0, -1) : tens) + unit,
};

const variants = (list: string): string[][] =>
  list
    .trim()
    .split(/\s+/)
    .map((entry) => entry.split('|').map(folded));

const lexicons = new Map<Language, Lexicon>();

export function lexicon(language: Language): Lexicon {
  const known = lexicons.get(language);
  if (known) return known;
  const made = lexiconOf(language);
  lexicons.set(language, made);
  return made;
}

function lexiconOf(language: Language): Lexicon {
  const words = numberWords[language];
  const small = new Map<string, number>();
  for (const [value, names] of variants(words.units).entries())
    for (const name of names) small.set(name, value);
  for (const [index, names] of variants(words.tens).entries())
    for (const name of names) small.set(name, 20 + 10 * index);
  if (language === 'es') for (const [name, value] of oneWordTwenties()) small.set(name, value);
  const join = joins[language];
  if (join) addCompounds(small, words.hundreds, join);
  return {
    small,
    hundreds: new Map(
      variants(words.hundreds).flatMap((names, index) => names.map((name) => [name, 100 * (index + 1)])),
    ),
    thousand: new Set(words.thousand.split('|').map(folded)),
    and: words.and,
    repeats: new Map([
      ...words.double.split('|').map((word) => [folded(word), 2] as const),
      ...words.triple.split('|').map((word) => [folded(word), 3] as const),
    ]),
    zeros: new Set(words.zeros.split('|').map(folded)),
    times: new Set(words.times.split('|').map(folded)),
  };
}

function oneWordTwenties(): [string, number][] {
  const units = ['un', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve'];
  return [['veintiuno', 21], ...units.map((unit, index): [string, number] => [`veinti${unit}`, 21 + index])];
}

function addCompounds(
  small: Map<string, number>,
  hundred: string,
  join: (tens: string, unit: string) => string,
): void {
  const plain = [...small];
  const units = plain.filter(([, value]) => value >= 1 && value <= 9);
  const tens = plain.filter(([, value]) => value >= 20);
  for (const [ten, tenValue] of tens)
    for (const [unit, value] of units) small.set(join(ten, unit), tenValue + value);
  const belowHundred = [...small].filter(([, value]) => value > 0);
  for (const [unit, times] of [['', 1] as const, ...units]) {
    small.set(unit + hundred, 100 * times);
    for (const [rest, value] of belowHundred) {
      small.set(unit + hundred + rest, 100 * times + value);
      small.set(`${unit}${hundred}en${rest}`, 100 * times + value);
      small.set(`${unit}${hundred}und${rest}`, 100 * times + value);
    }
  }
}

/** Languages that say tens and units without a word between them. */
const juxtaposes: ReadonlySet<Language> = new Set(['en', 'fr', 'pl']);
/** Languages that say hundreds and the rest with a word between them. */
const saysAndAfterHundred: ReadonlySet<Language> = new Set(['en', 'pt']);

/** The number that starts at a token. */
export function numeralAt(
  tokens: readonly Token[],
  from: number,
  language: Language,
): Found<Numeral> | undefined {
  const token = tokens[from];
  if (!token) return undefined;
  if (isDigits(token.word))
    return { value: { value: Number(token.word), digits: token.word }, from, to: from + 1 };
  const below = belowThousand(tokens, from, language);
  const { thousand } = lexicon(language);
  const at = below?.to ?? from;
  const next = tokens[at];
  if (!(next && thousand.has(next.word) && (below === undefined || joined(tokens, at))))
    return below ? found(below.value, from, below.to) : undefined;
  const rest = belowThousand(tokens, afterAnd(tokens, at + 1, language), language);
  const thousands = 1_000 * (below?.value ?? 1);
  return rest && joined(tokens, rest.from)
    ? found(thousands + rest.value, from, rest.to)
    : found(thousands, from, at + 1);
}

function found(value: number, from: number, to: number): Found<Numeral> {
  return { value: { value, digits: String(value) }, from, to };
}

export function isDigits(word: string): boolean {
  return /^\d{1,15}$/.test(word);
}

/** True if only a space or a hyphen stands before the token. */
function joined(tokens: readonly Token[], index: number): boolean {
  return /^[\s-]*$/.test(tokens[index]?.gap ?? ',');
}

function afterAnd(tokens: readonly Token[], from: number, language: Language): number {
  return tokens[from]?.word === lexicon(language).and && joined(tokens, from) ? from + 1 : from;
}

function belowThousand(
  tokens: readonly Token[],
  from: number,
  language: Language,
): Found<number> | undefined {
  const { hundreds } = lexicon(language);
  const first = belowHundred(tokens, from, language);
  const at = first && first.value >= 1 && first.value <= 9 && joined(tokens, first.to) ? first.to : from;
  const hundred = hundreds.get(tokens[at]?.word ?? '');
  if (hundred === undefined || (at !== from && hundred !== 100)) return first;
  const value = at === from ? hundred : hundred * (first?.value ?? 1);
  const afterwards = afterAnd(tokens, at + 1, language);
  const rest = joined(tokens, at + 1) ? belowHundred(tokens, afterwards, language) : undefined;
  const isPart =
    rest !== undefined &&
    rest.value > 0 &&
    rest.value < 100 &&
    joined(tokens, rest.from) &&
    (afterwards > at + 1 || !saysAndAfterHundred.has(language) || (language === 'en' && rest.value >= 10));
  return isPart ? { value: value + rest.value, from, to: rest.to } : { value, from, to: at + 1 };
}

function belowHundred(tokens: readonly Token[], from: number, language: Language): Found<number> | undefined {
  const { small } = lexicon(language);
  const first = small.get(tokens[from]?.word ?? '');
  if (first === undefined) return undefined;
  if (language === 'fr') return frenchBelowHundred(tokens, from, first);
  const isTens = first >= 20 && first < 100 && first % 10 === 0;
  if (isTens && joined(tokens, from + 1)) {
    const afterwards = afterAnd(tokens, from + 1, language);
    const unit = small.get(tokens[afterwards]?.word ?? '') ?? 0;
    const isUnit = unit >= 1 && unit <= 9 && joined(tokens, afterwards);
    const isSaidSo =
      afterwards > from + 1 ? language === 'es' || language === 'pt' : juxtaposes.has(language);
    if (isUnit && isSaidSo) return { value: first + unit, from, to: afterwards + 1 };
  }
  return { value: first, from, to: from + 1 };
}

/** "soixante-douze", "quatre-vingt-dix-neuf" and "vingt et un". */
function frenchBelowHundred(tokens: readonly Token[], from: number, first: number): Found<number> {
  const { small } = lexicon('fr');
  const value = (index: number) =>
    joined(tokens, index) ? (small.get(tokens[index]?.word ?? '') ?? -1) : -1;
  const isFourTwenties = first === 4 && value(from + 1) === 20;
  const tens = isFourTwenties ? 80 : first;
  const at = from + (isFourTwenties ? 2 : 1);
  if (tens === 10 && value(at) >= 7 && value(at) <= 9) return { value: 10 + value(at), from, to: at + 1 };
  if (tens < 20 || tens % 10 !== 0) return { value: tens, from, to: at };
  const unitAt = tokens[at]?.word === 'et' ? at + 1 : at;
  const unit = value(unitAt);
  const most = tens === 60 || tens === 80 ? 16 : 9;
  if (unit < 1 || unit > most || (unitAt > at && unit !== 1 && unit !== 11))
    return { value: tens, from, to: at };
  const last = unit === 10 && value(unitAt + 1) >= 7 && value(unitAt + 1) <= 9 ? value(unitAt + 1) : 0;
  return { value: tens + unit + last, from, to: unitAt + (last > 0 ? 2 : 1) };
}
