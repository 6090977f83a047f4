/**
 * Letters that look like a Latin one, without those that NFKD turns into it: Cyrillic, Greek, Armenian, Cherokee, Coptic, Lisu
 * and Latin. Source: https://www.unicode.org/Public/security/13.0.0/confusables.txt (UTS #39). `i` and `l` count as one letter,
 * because a capital i looks like a small l.
 */
const lookAlikes = {
  a: 'ɑΑαАаᎪꓮ',
  b: 'ƄΒВЬᏏᏴꓐꞴ',
  c: 'СсᏟᴄⲤⲥꓚꮯ',
  d: 'ԁᎠᏧꓒꓓ',
  e: 'ΕЕеҽᎬꓰꬲ',
  f: 'ϜքẝꓝꞘꞙꬵ𝈓',
  g: 'ƍɡԌցᏀᏳᶃꓖ',
  h: 'ΗНһհᎻᏂⲎꓧ',
  i: 'ıƖǀɩɪΙιІіӀӏᎥᏞⲒⳐꓡꓲꙇꭵ𝈪',
  j: 'ͿϳЈјᎫꓙꞲ',
  k: 'ΚКᏦⲔꓗ',
  m: 'ΜϺМᎷⲘꓟ',
  n: 'ΝոռⲚꓠ',
  o: 'ΟοσОоՕօᴏᴑⲞⲟꓳꬽ',
  p: 'ΡρРрᏢⲢⲣꓑ',
  q: 'ԛգզ',
  r: 'ƦгᎡᏒᴦⲅꓣꭇꭈꮁ𝈖',
  s: 'ƽЅѕՏᏕᏚꓢꜱꮪ',
  t: 'ΤТᎢⲦꓔ',
  u: 'ʋυՍսᴜꓴꞟꭎꭒ',
  v: 'νѴѵᏙᴠꓦꮩ𝈍',
  w: 'ɯѡԜԝաᎳᏔᴡꓪꮃ',
  x: 'ΧХхⲬꓫꞳ',
  y: 'ɣʏΥγУуҮүᎩᎽᶌỿⲨꓬꭚ',
  z: 'ΖᏃᴢꓜꮓ',
};

const latinLetters = new Map(
  Object.entries(lookAlikes).flatMap(([latin, letters]) => Array.from(letters, (one) => [one, latin])),
);

/** Characters of a shingle, the piece of a text by which texts are compared. */
const shingleLength = 5;
/** Shingles of the shortest text that is compared by them. A shorter one is compared as a whole. */
const fewestShingles = 10;
/** About how many shingles of a longer text are compared: those whose hash a number divides. */
const mostShingles = 64;
/** The part of the shingles that a text may lose and still be the same. */
const mayLack = 0.25;
/** A cut or a word more destroys these at most, so that a short text may lack them too. */
const lostByOneCut = shingleLength - 1;

/**
 * The letters and digits of a text as somebody hears them: without markup, placeholders, marks, punctuation, white space and
 * characters that are not displayed, in lower case, with Latin letters for those that look like one and ASCII digits.
 */
export function wordsOf(text: string): string {
  return lettersOf(text.replaceAll(markup, ''));
}

/** The words of a text, and those that it has if what looks like markup or a placeholder is spoken; no empty ones. */
export function readingsOf(text: string): string[] {
  const words = wordsOf(text);
  const readings = /[<{]/.test(text) ? [words, lettersOf(text)] : [words];
  return readings.filter((one) => one !== '');
}

/** Tags such as `<break/>`, and placeholders. */
const markup = /<[/!?]?[a-z][^<>]*>|\{\{[^{}]*\}\}/gi;

function lettersOf(text: string): string {
  if (/^\p{ASCII}*$/u.test(text))
    return text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')
      .replaceAll('l', 'i');
  const decomposed = text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, '');
  return Array.from(decomposed, plainCharacter).join('').toLowerCase().replaceAll('l', 'i');
}

function plainCharacter(character: string): string {
  if (isDigit(character)) return String(digitValue(character));
  return latinLetters.get(character) ?? latinLetters.get(character.toUpperCase()) ?? character;
}

const isDigit = (character: string) => /^\p{Nd}$/u.test(character);

/** The value of a decimal digit of any script. Unicode encodes ten of them in a row, from 0 to 9. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (isDigit(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

/** The hashes by which a text is found in others, without those of texts that were there before; fewer for a long text. */
export function shinglesOf(words: string): Set<number> {
  const every = Math.ceil((words.length - shingleLength + 1) / mostShingles);
  const shingles = new Set<number>();
  visitHashes(words, (hash) => {
    if (every <= 1 || hash % every === 0) shingles.add(hash);
  });
  return shingles;
}

/** Calls `visit` with the hash of each piece of a text, in order. */
export function visitHashes(words: string, visit: (hash: number) => void): void {
  for (let start = 0; start + shingleLength <= words.length; start++) {
    let hash = 0;
    for (let at = start; at < start + shingleLength; at++)
      hash = Math.imul(hash, 0x01000193) ^ words.charCodeAt(at);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    visit((hash ^ (hash >>> 13)) >>> 0);
  }
}

/** True if enough shingles of a text were found, of those that it has and that are not too few to compare. */
export function isContained(found: number, all: number): boolean {
  return all >= fewestShingles && all - found <= Math.max(lostByOneCut, mayLack * all);
}

/** Shingles as a rejection stores them; undefined if they are too few to compare. */
export function packed(shingles: ReadonlySet<number>): string | undefined {
  if (shingles.size < fewestShingles) return undefined;
  return Buffer.from(Uint32Array.from(shingles).buffer).toString('base64');
}

/** The shingles that {@link packed} has stored. */
export function unpacked(stored: string): Uint32Array {
  return new Uint32Array(Uint8Array.from(Buffer.from(stored, 'base64')).buffer);
}
