/** The most values that a JSON body may hold. No body of 256 KiB can hold more: `[0,0,…]` has one in two bytes. */
export const mostValues = 131_072;

/** Bytes of a text that cannot hold more than `mostValues` values, so that it need not be counted. */
const uncounted = 2 * mostValues;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const [open, close, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Counts the values of a JSON text while its pieces arrive, without parsing it: parsing a list of empty objects takes
 * 50 times the memory of its text. Each bracket and comma outside a string counts as a value.
 */
export class ValueCounter {
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #count = 1;
  #inString = false;
  /** 1 if the next piece starts with an escaped byte. */
  #escaped = 0;

  /** Takes the next piece. Returns false as soon as the text holds more than `mostValues` values. */
  add(piece: Uint8Array): boolean {
    this.#bytes += piece.length;
    this.#waiting.push(piece);
    if (this.#bytes <= uncounted) return true;
    for (const one of this.#waiting) this.#scan(one);
    this.#waiting = [];
    return this.#count <= mostValues;
  }

  #scan(piece: Uint8Array): void {
    let count = 0;
    let inString = this.#inString;
    let at = this.#escaped;
    for (; at < piece.length; at++) {
      const byte = piece[at];
      if (inString) {
        if (byte === backslash) at++;
        else if (byte === quote) inString = false;
      } else if (byte === quote) inString = true;
      else if (byte === comma || byte === open || byte === openList) count++;
    }
    this.#escaped = at - piece.length;
    this.#inString = inString;
    this.#count += count;
  }
}

/** The position of a member of an object in its JSON text, in bytes. */
export interface Member {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/**
 * The members of the object at a position of a JSON text in UTF-8, after any white space. A list, a text or a number has
 * none.
 * @throws SyntaxError if the text is not JSON; not every such text is noticed
 */
export function membersOf(text: Buffer, from: number): Member[] {
  const scanner = new Scanner(text);
  const members: Member[] = [];
  const object = nextOf(text, from);
  if (text[object] !== open) return members;
  for (let at = nextOf(text, object + 1); text[at] === quote; ) {
    const nameEnd = scanner.afterString(at);
    const name = JSON.parse(text.toString('utf8', at, nameEnd)) as string;
    const valueStart = nextOf(text, nextOf(text, nameEnd) + 1);
    const end = scanner.afterValue(valueStart);
    members.push({ name, start: at, valueStart, end });
    const next = nextOf(text, end);
    if (text[next] !== comma) break;
    at = nextOf(text, next + 1);
  }
  return members;
}

/** The next position that is not white space. */
function nextOf(text: Buffer, from: number): number {
  let at = from;
  for (let byte = text[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = text[at])
    at++;
  return at;
}

/** Bytes without an escape after which a native search is faster than a loop. */
const plainBytes = 64;

/** Finds the ends of values in a JSON text, from its start to its end. Takes linear time, whatever the text holds. */
class Scanner {
  readonly #text: Buffer;
  /** The next quote and the next backslash that a native search has found. */
  #quote = -1;
  #backslash = -1;

  constructor(text: Buffer) {
    this.#text = text;
  }

  /** The position after a string, which may have many megabytes. */
  afterString(start: number): number {
    const text = this.#text;
    for (let at = start + 1, plain = 0; at < text.length; at++) {
      const byte = text[at];
      if (byte === quote) return at + 1;
      if (byte === backslash) {
        at++;
        plain = 0;
      } else if (++plain === plainBytes) {
        at = this.#nextMark(at + 1) - 1;
        plain = 0;
      }
    }
    throw new SyntaxError('a string of the JSON text does not end');
  }

  /** The position of the next quote or backslash. A mark that was found is kept, so no byte is searched twice. */
  #nextMark(from: number): number {
    if (this.#quote < from) this.#quote = this.#indexOf(quote, from);
    if (this.#backslash < from) this.#backslash = this.#indexOf(backslash, from);
    return Math.min(this.#quote, this.#backslash);
  }

  /** The end of the text if there is none. */
  #indexOf(byte: number, from: number): number {
    const found = this.#text.indexOf(byte, from);
    return found === -1 ? this.#text.length : found;
  }

  afterValue(start: number): number {
    const text = this.#text;
    const first = text[start];
    if (first === quote) return this.afterString(start);
    if (first !== open && first !== openList) return afterWord(text, start);
    let depth = 0;
    for (let at = start; at < text.length; ) {
      const byte = text[at];
      if (byte === quote) {
        at = this.afterString(at);
        continue;
      }
      at++;
      if (byte === open || byte === openList) depth++;
      else if ((byte === close || byte === closeList) && --depth === 0) return at;
    }
    throw new SyntaxError('the JSON text does not end');
  }
}

/** The position after a number, true, false or null. */
function afterWord(text: Buffer, start: number): number {
  let at = start;
  for (let byte = text[at]; byte !== undefined && byte > 0x20 && byte !== comma && byte !== close; ) {
    if (byte === colon || byte === quote) throw new SyntaxError('the JSON text is none');
    byte = text[++at];
  }
  return at;
}
