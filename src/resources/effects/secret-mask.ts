import type { Steps } from '../../calls/steps.ts';

/** Bytes. A shorter value would be found in ordinary words. */
const shortestMasked = 4;
/** Ways to remove escapes, one kind after another, in which a text is read: a response of 256 KiB must not cost more. */
const mostViews = 16;

/** A secret with the ways in which somebody may write it. */
interface Needle {
  readonly name: string;
  /** Looked for in the bytes of a text in lower case: as it is, reversed, and in hexadecimal. */
  readonly anyCase: readonly string[];
  /** Looked for with `+` and `/` in place of `-` and `_`. */
  readonly base64: readonly string[];
}

/** A text as bytes (one character each), and for each byte the character of the text in which it begins and ends. */
interface View {
  readonly bytes: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/**
 * Takes secrets out of texts that somebody else wrote, such as a response that repeats its request: as they are and reversed, in
 * upper and lower case, in base64, in hexadecimal, and with characters that are percent-encoded or escaped as in JSON or HTML, also
 * several times.
 */
export class SecretMask {
  readonly #needles: readonly Needle[];

  /** @param values the values of the secrets, by name */
  constructor(values: ReadonlyMap<string, string>) {
    this.#needles = [...values]
      .map(([name, value]) => needleOf(name, value))
      .filter(({ anyCase: [bytes = ''] }) => bytes.length >= shortestMasked);
  }

  /** Returns the text with `{{secret.NAME}}` in place of each value. A long text with many escapes takes a while. */
  *masking(text: string): Steps<string> {
    if (this.#needles.length === 0 || text === '') return text;
    const found: { readonly start: number; readonly end: number; readonly name: string }[] = [];
    for (const { bytes, starts, ends } of viewsOf(text)) {
      const lower = lowerCase(bytes);
      const standard = bytes.replaceAll('-', '+').replaceAll('_', '/');
      for (const { name, anyCase, base64 } of this.#needles)
        for (const [where, needles] of [
          [lower, anyCase],
          [standard, base64],
        ] as const)
          for (const needle of needles)
            for (let at = where.indexOf(needle); at >= 0; at = where.indexOf(needle, at + needle.length))
              found.push({ start: starts[at] ?? 0, end: ends[at + needle.length - 1] ?? 0, name });
      yield;
    }
    if (found.length === 0) return text;
    let masked = '';
    let end = 0;
    for (const range of found.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
      if (range.start >= end) masked += `${text.slice(end, range.start)}{{secret.${range.name}}}`;
      end = Math.max(end, range.end);
    }
    return masked + text.slice(end);
  }
}

function needleOf(name: string, value: string): Needle {
  const bytes = Buffer.from(value);
  const plain = latin(bytes);
  const reversed = latin(Buffer.from(Array.from(value).toReversed().join('')));
  // A form writes spaces as +.
  const inForm = plain.replaceAll(' ', '+');
  return {
    name,
    anyCase: [...new Set([plain, reversed, inForm, bytes.toString('hex')].map(lowerCase))],
    base64: [0, 1, 2].map((before) => base64Core(bytes, before)).filter((core) => core.length >= 4),
  };
}

/** The digits of base64 that these bytes alone decide, if so many bytes stand before them in their group of three. */
function base64Core(bytes: Buffer, before: number): string {
  const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

const latin = (bytes: Buffer): string => bytes.toString('latin1');
/** Changes the letters of ASCII only, because each character is a byte. */
const lowerCase = (bytes: string): string => bytes.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

function viewOf(text: string): View {
  if (Buffer.byteLength(text) === text.length) {
    const starts = Int32Array.from({ length: text.length }, (_, at) => at);
    return { bytes: text, starts, ends: starts.map((at) => at + 1) };
  }
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of text) {
    const bytes = character.length === 1 && character < '\u0080' ? character : latin(Buffer.from(character));
    parts.push(bytes);
    for (const _ of bytes) {
      starts.push(at);
      ends.push(at + character.length);
    }
    at += character.length;
  }
  return { bytes: parts.join(''), starts: Int32Array.from(starts), ends: Int32Array.from(ends) };
}

const escapes = {
  percent: /%([\da-f]{2})/gi,
  json: /\\(?:u([\da-f]{4})(?:\\u(d[c-f][\da-f]{2}))?|(["\\/bfnrt]))/gi,
  html: /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
};
type Escapes = keyof typeof escapes;
const kinds = Object.keys(escapes) as Escapes[];

/** The text as it is, and with its escapes removed. A secret may hold what looks like an escape, so kinds are not mixed. */
function* viewsOf(text: string): Generator<View> {
  const views = [viewOf(text)];
  const seen = new Set(views.map(({ bytes }) => bytes));
  for (const view of views) {
    yield view;
    for (const kind of kinds) {
      const next = views.length < mostViews ? decoded(view, kind) : undefined;
      if (!next || seen.has(next.bytes)) continue;
      seen.add(next.bytes);
      views.push(next);
    }
  }
}

const named: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** A text with one layer of escapes removed; undefined if it has none. */
function decoded({ bytes, starts, ends }: View, kind: Escapes): View | undefined {
  let text = '';
  let end = 0;
  const [newStarts, newEnds] = [new Int32Array(bytes.length), new Int32Array(bytes.length)];
  const keep = (until: number) => {
    newStarts.set(starts.subarray(end, until), text.length);
    newEnds.set(ends.subarray(end, until), text.length);
    text += bytes.slice(end, until);
  };
  for (const match of bytes.matchAll(escapes[kind])) {
    const { 0: whole, index } = match;
    keep(index);
    end = index + whole.length;
    const meant = meaningOf[kind](match);
    newStarts.fill(starts[index] ?? 0, text.length, text.length + meant.length);
    newEnds.fill(ends[end - 1] ?? 0, text.length, text.length + meant.length);
    text += meant;
  }
  if (end === 0) return undefined;
  keep(bytes.length);
  return { bytes: text, starts: newStarts, ends: newEnds };
}

/** The bytes that an escape stands for: never more than it has itself. */
const meaningOf: Readonly<Record<Escapes, (match: RegExpExecArray) => string>> = {
  percent: ([, byte = '']) => String.fromCharCode(Number.parseInt(byte, 16)),
  json: ([, unit, low, letter = '']) => {
    if (unit === undefined) return named[letter.toLowerCase()] ?? letter;
    const units = [unit, low].flatMap((digits) =>
      digits === undefined ? [] : [Number.parseInt(digits, 16)],
    );
    return latin(Buffer.from(String.fromCharCode(...units)));
  },
  html: ([whole, decimal, hex, entity]) => {
    if (entity !== undefined) return named[entity.toLowerCase()] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return point > 0x10ffff ? whole : latin(Buffer.from(String.fromCodePoint(point)));
  },
};
