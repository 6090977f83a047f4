import { isSipFixed, isUrlFixed, mark, takesValues } from '../design/addresses.ts';
import { filledText } from './templates.ts';

/** What cannot be filled in, and why, for the owner of the design. It never quotes a value. */
export interface Refused {
  readonly refused: string;
}

/** A URL, its values filled in. */
export interface FilledUrl {
  readonly url: string;
  /** The same with a mark in place of each value, to compare with once the secrets are filled in. */
  readonly outline: string;
}

/** Returns the value of a placeholder as text; empty if it has none. */
type Read = (name: string) => string;

/** Characters of an address before its secrets are filled in. Servers read about as many of a URL. */
const longestUrl = 8_000;
/** How often servers in a row may decode a path. */
const mostDecodings = 4;
/** Invalid bytes, such as those of an overlong dot, become U+FFFD. */
const utf8 = new TextDecoder();

/**
 * Fills the placeholders of a URL, so that each value stays one piece of data: percent-encoded, in the path segment or part
 * of the query in which it stands. References to secrets stay.
 * @returns Refused if a value would decide the host, or lead to another path: an empty or dot segment, a slash, a control
 * character, also one that a server gets by decoding again, by removing parameters (`..;x`), or by folding full-width characters
 */
export function fillUrl(template: string, read: Read): FilledUrl | Refused {
  if (!isUrlFixed(template))
    return { refused: 'a placeholder stands in the scheme, user, host or port of its URL' };
  // A part of a longer value is already too long.
  const url = filled(template.trim(), (name) => percentEncoded(read(name).slice(0, longestUrl + 1)));
  const outline = filled(template.trim(), () => mark);
  if (url.length > longestUrl) return { refused: `its URL has more than ${longestUrl} characters` };
  if (leadsAstray(url, outline))
    return { refused: 'a value in the path of its URL is empty, or would lead to another path' };
  return { url, outline };
}

/** True if a URL leads to the same host as its outline, and as deep in its path. Both have their secrets filled in. */
export function isSamePlace(url: string, outline: string): boolean {
  if (leadsAstray(url, outline)) return false;
  const [one, other] = [URL.parse(url), URL.parse(outline)];
  if (!one || !other) return url === outline;
  return (
    one.origin === other.origin &&
    one.username === other.username &&
    one.password === other.password &&
    one.pathname.split('/').length === other.pathname.split('/').length
  );
}

/** Fills the placeholders of the address to which a call is transferred. Without placeholders it stays as it is. */
export function fillDestination(
  { kind, value }: { readonly kind: 'phoneNumber' | 'sip' | 'conversation'; readonly value: string },
  read: Read,
): { readonly value: string } | Refused {
  if (!takesValues(value)) return { value };
  switch (kind) {
    case 'phoneNumber': {
      const number = phoneNumberOf(filled(value, read));
      return number === undefined ? { refused: 'the value is not a phone number' } : { value: number };
    }
    case 'sip': {
      if (!isSipFixed(value))
        return { refused: 'a placeholder stands outside of the user of its SIP address' };
      // RFC 3261 allows a plus in the user part, where phone numbers begin with it.
      const address = filled(value, (name) => percentEncoded(read(name)).replaceAll('%2B', '+'));
      return address.length > longestUrl || /^\s*(?:sips?:)?[@:;?]/i.test(address)
        ? { refused: 'the user of its SIP address is empty or too long' }
        : { value: address };
    }
    case 'conversation':
      return { refused: 'a placeholder stands in the id of its conversation' };
  }
}

/** A number that a telephone can dial, without what people write between its digits; undefined if the text is anything else. */
export function phoneNumberOf(text: string): string | undefined {
  const number = text.replaceAll(/[\s()./-]/g, '');
  return /^\+?\d{3,15}$/.test(number) ? number : undefined;
}

/** A text in which no character has a meaning in a URL (RFC 3986: all but the unreserved ones are encoded). */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** An address with its values. It ends soon after `longestUrl` characters. */
const filled = (template: string, put: Read): string => filledText(template, put, longestUrl, '%7B%7B');

/** True if a segment of the path that contains a value would be read as more than data. */
function leadsAstray(url: string, outline: string): boolean {
  const outlined = segmentsOf(outline);
  return segmentsOf(url).some(
    (segment, index) => outlined[index]?.includes(mark) === true && !isPlainSegment(segment),
  );
}

/** What stands between the slashes before query and fragment. Browsers and servers take a backslash for a slash. */
function segmentsOf(url: string): string[] {
  return (/^[^?#]*/.exec(url)?.[0] ?? '').split(/[/\\]/);
}

/** True if no server in a row takes a segment for an empty or dot segment, a slash, or a control character. */
function isPlainSegment(segment: string): boolean {
  let plain = segment;
  for (let decodings = 0; decodings < mostDecodings; decodings++) plain = decodedOnce(plain);
  // What follows a semicolon are parameters (RFC 3986 section 3.3), which some servers remove before they resolve dots.
  return !/^\.{0,2}(?:;|$)|[/\\]|[^ -~\u0080-\ufffc]|%25/.test(plain);
}

/** Removes one layer of percent-encoding. Some servers then fold characters that look alike, such as full-width dots. */
function decodedOnce(text: string): string {
  return text
    .replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) =>
      utf8.decode(Uint8Array.from(bytes.slice(1).split('%'), (byte) => Number.parseInt(byte, 16))),
    )
    .normalize('NFKC');
}
