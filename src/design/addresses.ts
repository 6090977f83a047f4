import { isValueName, textParts } from './placeholders.ts';

/** Stands for a value in the outline of an address. No host may contain it (Unicode, private use). */
const mark = '\u{E000}';
const secretMark = '\u{E001}';

/** True if a value of the call is filled in somewhere in the text. */
export function takesValues(text: string): boolean {
  return [...textParts(text)].some(({ name }) => isValueName(name));
}

/** A text with a mark in place of each value. Secrets stay. */
export function outlineOf(text: string): string {
  return [...textParts(text)].map((part) => (isValueName(part.name) ? mark : part.text)).join('');
}

/** True for a piece of an outline with a mark. */
export function isMarked(piece: string): boolean {
  return piece.includes(mark);
}

/** `https://host` written out, or a secret that holds all of it; then the path, query or fragment. */
const fixedUrl = /^\s*(?:https?:\/\/[^\s/\\?#\u{E000}]+|\u{E001}(?![/\\]{2}))[/?#]/iu;

/** `user@host`, with a host that is written out; a value before a colon would be the scheme. */
const fixedSip = /^(?:sips?:[^@]+|[^@:]+)@[^@\s;?\u{E000}]+(?:[;?][^@]*)?$/iu;

/** True if no value of the call can be part of the scheme, user, host or port of a URL. */
export function isUrlFixed(url: string): boolean {
  return !takesValues(url) || fixedUrl.test(maskedOf(url));
}

/** True if no value of the call can be part of the scheme or host of a SIP address. */
export function isSipFixed(address: string): boolean {
  return !takesValues(address) || fixedSip.test(maskedOf(address).trim());
}

function maskedOf(text: string): string {
  return [...textParts(text)]
    .map((part) => (part.name === undefined ? part.text : isValueName(part.name) ? mark : secretMark))
    .join('');
}
