import { takesBackAt } from './correction-words.ts';
import { type Language, languages } from './languages.ts';
import { numberWords } from './number-words.ts';
import { isDigits, lexicon, numeralAt } from './numbers.ts';
import { breaksClause, type Found, folded, phrases, type Token } from './words.ts';

const fewestDigits = 7;
const mostDigits = 15;

/** Said between the digits of a number without ending it. */
const pauses = phrases(`uh|um|er|erm|then|and then|area code|and|so|okay
  äh|ähm|dann|und dann|und|also|vorwahl|die|der
  euh|puis|et puis|ensuite|et|alors
  eh|luego|y luego|y|después|pues|e
  ehm|poi|e poi|prefisso
  eh|dan|en dan|en|even kijken
  hum|depois|e depois|e
  yyy|eee|potem|a potem|i|no`);
const pluses = new Set(languages.map((language) => folded(numberWords[language].plus)));

interface Chunk {
  readonly digits: string;
  readonly from: number;
  readonly to: number;
}

/** The telephone numbers of a turn (digits, with a leading + if said), and the digits that are too few for one. */
export function numbersIn(
  tokens: readonly Token[],
  language: Language,
): { readonly found: Found<string>[]; readonly short: Found<string>[] } {
  const found: Found<string>[] = [];
  const short: Found<string>[] = [];
  for (let index = 0; index < tokens.length; ) {
    const chunks = runAt(tokens, index, language);
    const digits = digitsOf(chunks);
    const end = chunks.reduce((latest, { to }) => Math.max(latest, to), 0);
    const number = end > 0 && { value: (hasPlus(tokens, index) ? '+' : '') + digits, from: index, to: end };
    if (number && (digits.length < fewestDigits || isCutOff(number.value, chunks, language)))
      short.push(number);
    else if (number && digits.length <= mostDigits) found.push(number);
    index = number ? end : (momentEnd(tokens, index) ?? index + 1);
  }
  return { found, short };
}

/** In English, "617-555-01" lacks digits: only in fours do eight make a number, and others begin with 0 or +. */
function isCutOff(number: string, chunks: readonly Chunk[], language: Language): boolean {
  const isInFours = chunks.length === 2 && chunks.every(({ digits }) => digits.length === 4);
  const [area, exchange, line] = chunks.map(({ digits }) => digits.length);
  if (language === 'en' && area === 3 && exchange === 3 && chunks.length === 3 && (line ?? 0) < 4)
    return true;
  return language === 'en' && /^[2-9]\d{7,8}$/.test(number) && !isInFours;
}

function hasPlus(tokens: readonly Token[], from: number): boolean {
  return (tokens[from]?.gap.endsWith('+') ?? false) || pluses.has(tokens[from - 1]?.word ?? '');
}

/** The chunks of digits from a token on; a correction replaces what it takes back. */
function runAt(tokens: readonly Token[], from: number, language: Language): Chunk[] {
  let chunks: Chunk[] = [];
  /** The chunks before a correction, while the caller says what replaces them. */
  let before: Chunk[] | undefined;
  let index = from;
  while (index < tokens.length) {
    // "I forgot one: 202-555-0136"
    if (chunks.length > 0 && tokens[index]?.gap.includes(':') === true) break;
    const chunk = momentEnd(tokens, index) === undefined ? chunkAt(tokens, index, language) : undefined;
    if (chunk) {
      chunks.push(chunk);
      index = chunk.to;
    } else if (chunks.length === 0 && before === undefined) break;
    else {
      const next = pauseEnd(tokens, index);
      const back = chunks.length > 0 ? correctionEnd(tokens, next ?? index, language) : undefined;
      if (back === undefined && next === undefined) break;
      if (back !== undefined) {
        before = [...merged(before, chunks)];
        chunks = [];
      }
      index = back ?? next ?? index + 1;
    }
  }
  return merged(before, withAreaCode(tokens, chunks, language));
}

/** Digits of a number without its area code, and of an area code. */
const localDigits = 7;
const areaDigits = 3;
const behind = phrases('in front|before that|is the area code|area code');
const named = phrases('area code');
const wordsOfArea = 2;

/** "555-0137, with 202 in front", "555 0142, area code 303": the area code is said last. */
function withAreaCode(tokens: readonly Token[], chunks: readonly Chunk[], language: Language): Chunk[] {
  const last = chunks.at(-1);
  if (!last) return [];
  const area = chunkAfter(tokens, last.to, language);
  if (
    digitsOf(chunks).length === localDigits &&
    area?.digits.length === areaDigits &&
    behind.has(tokens, area.to)
  )
    return [area, ...chunks];
  const at = chunks.findIndex(({ from }) => named.at(tokens, from - wordsOfArea)?.to === from);
  const [local, code] = [chunks.slice(0, at), chunks.slice(at)];
  const isBehind = at > 0 && digitsOf(local).length === localDigits && digitsOf(code).length === areaDigits;
  return isBehind ? [...code, ...local] : [...chunks];
}

function digitsOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ digits }) => digits).join('');
}

/** The digits after one word such as "with". */
function chunkAfter(tokens: readonly Token[], from: number, language: Language): Chunk | undefined {
  return chunkAt(tokens, from, language) ?? chunkAt(tokens, from + 1, language);
}

/** A repeated start begins the number anew; otherwise the correction replaces the last chunk. */
function merged(before: readonly Chunk[] | undefined, after: readonly Chunk[]): Chunk[] {
  if (!before || after.length === 0) return [...(before ?? []), ...after];
  const isRestart =
    digitsOf(after).length >= fewestDigits || digitsOf(after).slice(0, 2) === digitsOf(before).slice(0, 2);
  return isRestart ? [...after] : [...before.slice(0, -1), ...after];
}

function pauseEnd(tokens: readonly Token[], index: number): number | undefined {
  const pause = pauses.at(tokens, index);
  return pause?.to;
}

/** Words of a correction, up to the next digits. */
const longestCorrection = 8;

function correctionEnd(tokens: readonly Token[], from: number, language: Language): number | undefined {
  if (!takesBackAt(tokens, from, language)) return undefined;
  for (let index = from + 1; index <= from + longestCorrection && index < tokens.length; index += 1)
    if (chunkAt(tokens, index, language) && !takesBackAt(tokens, index, language)) return index;
  return undefined;
}

/** The end of a date (2026-05-04) or a time (17:30) that starts at a token. A telephone number does not contain its digits. */
function momentEnd(tokens: readonly Token[], index: number): number | undefined {
  const [first, second, third] = [tokens[index], tokens[index + 1], tokens[index + 2]];
  if (second?.gap === ':' && isDigits(second.word)) return index + 2;
  const isDate =
    first?.word.length === 4 &&
    second?.word.length === 2 &&
    third?.word.length === 2 &&
    second.gap === '-' &&
    third.gap === '-' &&
    isDigits(first.word);
  return isDate ? index + 3 : undefined;
}

function chunkAt(tokens: readonly Token[], from: number, language: Language): Chunk | undefined {
  return repeated(tokens, from, language) ?? zeros(tokens, from, language) ?? plain(tokens, from, language);
}

function plain(tokens: readonly Token[], from: number, language: Language): Chunk | undefined {
  const number = numeralAt(tokens, from, language);
  return number && { digits: number.value.digits, from, to: number.to };
}

/** "double seven", "dwa razy siedem", "doppelnull" */
function repeated(tokens: readonly Token[], from: number, language: Language): Chunk | undefined {
  const { repeats, times, small } = lexicon(language);
  const word = tokens[from]?.word ?? '';
  const often = repeats.get(word);
  if (often !== undefined) {
    const number = numeralAt(tokens, from + 1, language);
    return number && { digits: number.value.digits.repeat(often), from, to: number.to };
  }
  const compound = [...repeats].find(([prefix]) => word.startsWith(prefix));
  const tail = compound && small.get(word.slice(compound[0].length));
  if (compound && tail !== undefined) return { digits: String(tail).repeat(compound[1]), from, to: from + 1 };
  const twice = /^(zwei|drei)mal$/.exec(word);
  const count = twice ? (small.get(twice[1] ?? '') ?? 0) : (small.get(word) ?? 0);
  const isTimes = twice !== null || (count >= 2 && count <= 4 && times.has(tokens[from + 1]?.word ?? ''));
  if (!isTimes) return undefined;
  const start = from + (twice ? 1 : 2);
  const article = /^(die|der|the|el|le|il|de|o|a)$/.test(tokens[start]?.word ?? '') ? 1 : 0;
  const number = numeralAt(tokens, start + article, language);
  return number && { digits: number.value.digits.repeat(count), from, to: number.to };
}

/** "two zeros" */
function zeros(tokens: readonly Token[], from: number, language: Language): Chunk | undefined {
  const lexis = lexicon(language);
  const count = lexis.small.get(tokens[from]?.word ?? '') ?? 0;
  const next = tokens[from + 1];
  if (count < 2 || count > 5 || !next || breaksClause(next.gap) || !lexis.zeros.has(next.word))
    return undefined;
  return { digits: '0'.repeat(count), from, to: from + 2 };
}
