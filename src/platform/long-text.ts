import { createHash } from 'node:crypto';
import { freeMemory } from './free-memory.ts';
import { ValueCounter } from './json-text.ts';

/** What a long text holds: text as it is, or bytes in base64. */
export type LongTextEncoding = 'text' | 'base64';

/** Bytes in JSON from which a text is long: more than any operation without long texts takes. */
export const longFrom = 393_216;

/**
 * A text of a JSON body that may be a file. Its content was decoded while it arrived, so that nothing ever works on the
 * whole of it. Its fields are private, so a walk over JSON skips it.
 */
export class LongText {
  /** For the type of `v.minLength`, which compares only `length`. */
  readonly [index: number]: never;
  readonly #content: Buffer | undefined;
  readonly #sha256: string;
  readonly #length: number;
  readonly #problems: readonly string[];

  constructor(parts: {
    readonly content: Buffer | undefined;
    readonly sha256: string;
    readonly length: number;
    readonly problems: readonly string[];
  }) {
    this.#content = parts.content;
    this.#sha256 = parts.sha256;
    this.#length = parts.length;
    this.#problems = parts.problems;
  }

  /** The bytes of the file; undefined if the text is not base64, but should be. */
  get content(): Buffer | undefined {
    return this.#content;
  }

  /** Frees the memory of the content, which nobody may read afterwards. */
  release(): void {
    if (this.#content) freeMemory(this.#content);
  }

  /** SHA-256 of the text as UTF-8, in hexadecimal. */
  get sha256(): string {
    return this.#sha256;
  }

  /** UTF-16 code units of the text. */
  get length(): number {
    return this.#length;
  }

  /** What JSON allows in a text, but Parley does not. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  toJSON(): { readonly sha256: string } {
    return { sha256: this.#sha256 };
  }
}

/** The message for a text that holds NUL. */
export const holdsNul = 'Holds the character NUL.';
/** The message for a text that is not well-formed UTF-16. */
export const holdsHalfPair = 'Holds half of a surrogate pair.';

/** Decodes a text of a JSON body while it arrives, piece by piece. Neither a piece nor its work is large. */
export class LongTextReader {
  readonly #encoding: LongTextEncoding;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #hash = createHash('sha256');
  readonly #problems = new Set<string>();
  #content: Buffer;
  #used = 0;
  #length = 0;
  /** What has arrived of an escape, or of a pair of them. */
  #incomplete = '';
  /** Characters of base64 that do not fill three bytes yet. */
  #rest = '';
  #isBase64 = true;
  /** True if the last piece may end within a character. */
  #endsInCharacter = false;

  /** @param most bytes of the text in JSON, at most */
  constructor(encoding: LongTextEncoding, most: number) {
    this.#encoding = encoding;
    // Pages that are not written take no memory.
    this.#content = Buffer.allocUnsafeSlow(encoding === 'base64' ? Math.ceil(most * 0.75) + 3 : most);
  }

  /**
   * Takes a piece between the quotes.
   * @throws TypeError if it is not UTF-8, SyntaxError if it is not JSON
   */
  add(piece: Buffer): void {
    if (this.#takePlainBase64(piece)) return;
    this.#endsInCharacter = (piece.at(-1) ?? 0) >= 0x80;
    const text = this.#incomplete + this.#utf8.decode(piece, { stream: true });
    const end = endOfWhole(text);
    this.#incomplete = text.slice(end);
    this.#take(unescaped(text.slice(0, end)));
  }

  /** @throws TypeError if the text is not UTF-8, SyntaxError if it is not JSON */
  end(): LongText {
    this.#take(unescaped(this.#incomplete + this.#utf8.decode()));
    if (this.#encoding === 'base64' && this.#isBase64) this.#decodeRest();
    const content = this.#isBase64 ? this.#content.subarray(0, this.#used) : undefined;
    const problems = [...this.#problems];
    return new LongText({ content, sha256: this.#hash.digest('hex'), length: this.#length, problems });
  }

  #take(text: string): void {
    if (text === '') return;
    if (text.includes('\0')) this.#problems.add(holdsNul);
    // A pair is never split, so each half is one that the text has alone.
    if (!text.isWellFormed()) this.#problems.add(holdsHalfPair);
    const bytes = Buffer.from(text);
    this.#note(bytes, text.length);
    if (this.#encoding === 'text') this.#used += bytes.copy(this.#content, this.#used);
    else if (this.#isBase64 && !this.#decode(bytes.toString('latin1').replaceAll(/[\r\n]/g, '')))
      this.#refuse();
  }

  /**
   * Takes a piece that holds nothing but characters of base64, as nearly every piece of a file does: it is JSON and UTF-8.
   * Returns false for any other.
   */
  #takePlainBase64(piece: Buffer): boolean {
    const isWithinText = this.#incomplete !== '' || this.#endsInCharacter;
    if (this.#encoding !== 'base64' || !this.#isBase64 || isWithinText) return false;
    if (piece.includes(backslash) || !this.#decode(piece.toString('latin1'))) return false;
    this.#note(piece, piece.length);
    return true;
  }

  #note(bytes: Buffer, length: number): void {
    this.#length += length;
    this.#hash.update(bytes);
  }

  /** Decodes characters of base64 except the last ones, which may be padded. Returns false if there are other characters. */
  #decode(text: string): boolean {
    const all = this.#rest + text;
    const whole = Math.max(0, all.length - 4 - (all.length % 4));
    if (!this.#write(all.slice(0, whole))) return false;
    this.#rest = all.slice(whole);
    return true;
  }

  #decodeRest(): void {
    const rest = this.#rest.length % 4 === 0 ? this.#rest.replace(/={1,2}$/, '') : this.#rest;
    if (rest.length % 4 === 1 || !this.#write(rest)) this.#refuse();
  }

  /**
   * Node.js decodes base64url, too, and skips other characters up to U+00FF, which leaves fewer bytes. A search for them
   * would take as long as the rest of the work.
   */
  #write(text: string): boolean {
    if (text.includes('-') || text.includes('_')) return false;
    const written = this.#content.write(text, this.#used, 'base64');
    if (written < Math.floor(text.length * 0.75)) return false;
    this.#used += written;
    return true;
  }

  #refuse(): void {
    this.#isBase64 = false;
    this.#content = Buffer.alloc(0);
  }
}

function unescaped(text: string): string {
  return text === '' ? '' : (JSON.parse(`"${text}"`) as string);
}

const highSurrogate = /^\\u[dD][89abAB]/;

/** The position up to which a text of JSON holds no incomplete escape, and no half of a pair whose other half may follow. */
function endOfWhole(text: string): number {
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    const next = at + (text[at + 1] === 'u' ? 6 : 2);
    if (next > text.length) return at;
    if (text[at + 1] === 'u' && highSurrogate.test(text.slice(at, at + 6)) && isPairOpen(text, next))
      return at;
    at = next;
  }
  return text.length;
}

/** True if the end of the text may be the beginning of an escape. */
function isPairOpen(text: string, at: number): boolean {
  const follows = text.slice(at, at + 6);
  return follows.length < 6 && (follows === '' || follows === '\\' || follows.startsWith('\\u'));
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The position of the quote that ends a string, or the length; 0 if there is an escape before. */
function endOfPlain(piece: Buffer): number {
  const quoteAt = piece.indexOf(quote);
  const end = quoteAt === -1 ? piece.length : quoteAt;
  const escapeAt = piece.indexOf(backslash);
  return escapeAt === -1 || escapeAt > end ? end : 0;
}

/** The texts of a body that may be long: by name, in the object at a path of members. */
export interface LongTextPlaces {
  readonly path: readonly string[];
  readonly encodings: ReadonlyMap<string, LongTextEncoding>;
}

/** The most long texts of a body: one, and one more that repeats its name. */
const mostLongTexts = 2;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [open, close, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Bytes of a name that is compared. No place has a longer one. */
const longestName = 64;

/** Takes the long texts out of a JSON body while it arrives, and leaves a token in the place of each. */
export class LongTexts {
  readonly #places: LongTextPlaces;
  readonly #newToken: () => string;
  /** The body with tokens. */
  readonly #parts: Buffer[] = [];
  readonly #found = new Map<string, LongText>();
  /** The names on the way to the current place, as deep as `places` goes. A list has none. */
  readonly #names: (string | undefined)[] = [];
  /** Which of the objects and lists around the current place are lists, as deep as `places` goes. */
  readonly #lists: boolean[] = [];
  readonly #values = new ValueCounter();
  #hasTooMany = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** True if the next string of an object is a name. */
  #expectsName = false;
  /** The bytes of the name that is being read; undefined for a string that is a value, or too deep. */
  #name: number[] | undefined;
  #value:
    | {
        readonly encoding: LongTextEncoding;
        readonly waiting: Buffer[];
        reader?: LongTextReader;
        bytes: number;
      }
    | undefined;
  #fault: Error | undefined;
  #left: number;

  /**
   * @param most bytes of the body, at most
   * @param newToken makes a text that nobody can guess
   */
  constructor(places: LongTextPlaces, most: number, newToken: () => string) {
    this.#places = places;
    this.#left = most;
    this.#newToken = newToken;
  }

  /** Takes the next piece of the body. Returns false as soon as the body holds too many values (`ValueCounter`). */
  add(piece: Buffer): boolean {
    if (this.#fault !== undefined) return true;
    // The start of what goes into the body as it is, or into the text that is being read.
    let from = 0;
    const plain = this.#value && !this.#escaped ? endOfPlain(piece) : 0;
    for (let at = plain; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) {
          this.#inString = false;
          if (this.#value) {
            this.#addValue(piece.subarray(from, at));
            from = this.#endValue() ? at + 1 : at;
          } else this.#endName();
          continue;
        }
        if (this.#name && this.#name.length <= longestName) this.#name.push(byte);
      } else if (byte === quote) {
        this.#inString = true;
        if (this.#beginString()) {
          this.#keep(piece.subarray(from, at + 1));
          from = at + 1;
        }
      } else this.#move(byte);
    }
    const rest = piece.subarray(from);
    if (this.#value) this.#addValue(rest);
    else this.#keep(rest);
    this.#left -= piece.length;
    return !this.#hasTooMany;
  }

  /** Takes a piece of the body as it is. */
  #keep(piece: Buffer): void {
    this.#parts.push(piece);
    if (!this.#values.add(piece)) this.#hasTooMany = true;
  }

  /**
   * The body with a token in the place of each long text.
   * @throws TypeError if a long text is not UTF-8, SyntaxError if it is not JSON
   */
  end(): { readonly text: Buffer; readonly longTexts: ReadonlyMap<string, LongText> } {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#value) throw new SyntaxError('the JSON text does not end');
    return { text: Buffer.concat(this.#parts), longTexts: this.#found };
  }

  /** Follows a byte outside of strings. */
  #move(byte: number): void {
    const isShallow = this.#depth <= this.#places.path.length + 1;
    if (byte === open || byte === openList) {
      this.#depth += 1;
      this.#expectsName = byte === open;
      if (isShallow) {
        this.#names[this.#depth] = undefined;
        this.#lists[this.#depth] = byte === openList;
      }
    } else if (byte === close || byte === closeList) {
      this.#depth -= 1;
      this.#expectsName = false;
    } else if (byte === comma) this.#expectsName = this.#lists[this.#depth] !== true;
    else if (byte === colon) this.#expectsName = false;
  }

  /** Returns true if a string begins that may be long. */
  #beginString(): boolean {
    const { path, encodings } = this.#places;
    const depth = path.length + 1;
    if (this.#expectsName) {
      this.#name = this.#depth <= depth ? [] : undefined;
      return false;
    }
    if (this.#depth !== depth || path.some((name, index) => this.#names[index + 1] !== name)) return false;
    const encoding = encodings.get(this.#names[depth] ?? '');
    if (encoding === undefined || this.#found.size === mostLongTexts) return false;
    this.#value = { encoding, waiting: [], bytes: 0 };
    return true;
  }

  #endName(): void {
    if (this.#name) this.#names[this.#depth] = Buffer.from(this.#name).toString('latin1');
    this.#name = undefined;
  }

  #addValue(piece: Buffer): void {
    const value = this.#value;
    if (!value) return;
    value.bytes += piece.length;
    try {
      if (value.reader) value.reader.add(piece);
      else {
        value.waiting.push(piece);
        if (value.bytes < longFrom) return;
        value.reader = new LongTextReader(value.encoding, this.#left + value.bytes);
        for (const waiting of value.waiting.splice(0)) value.reader.add(waiting);
      }
    } catch (error) {
      this.#fault = asError(error);
    }
  }

  /** Returns true if the end quote is written. */
  #endValue(): boolean {
    const value = this.#value;
    this.#value = undefined;
    if (!value) return false;
    if (!value.reader) {
      for (const waiting of value.waiting) this.#keep(waiting);
      return false;
    }
    try {
      const token = this.#newToken();
      this.#found.set(token, value.reader.end());
      this.#keep(Buffer.from(`${token}"`));
    } catch (error) {
      this.#fault ??= asError(error);
    }
    return true;
  }
}
