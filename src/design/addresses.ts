import { isValueName, textParts } from './placeholders.ts';

/** Stands for a value in the outline of an address. No host may contain it (Unicode, private use). */
export const mark = '\u{E000}';
const secretMark = '\u{E001}';

/** True if a value of the call is filled in somewhere in the text. */
export function takesValues(text: string): boolean {
  return [...textParts(text)].some(({ name }) => isValueName(name));
}

/** `https://host` written out, or a secret that holds all of it; then the path, query or fragment. */
const fixedUrl = /^\s*(?:https?:\/\/[^\s/\\?#\u{E000}]+|\u{E001}(?![/\\]{2}))[/?#]/iu;

/**
 * A user and a host. Values may be in the name of the user only: a parameter such as `maddr` or `transport` and a header such as
 * `Route` decide where the call goes, too, and a value before a colon would be the scheme.
 */
const fixedSip =
  /^(?:sips?:[^@:;?]+(?:[:;?][^@\u{E000}]*)?|[^@:;?]+(?:[;?][^@:\u{E000}]*)?)@[^@\s;?\u{E000}]+(?:[;?][^@\u{E000}]*)?$/iu;

/** True if no value of the call can be part of the scheme, user, host or port of a URL. */
export function isUrlFixed(url: string): boolean {
  return !takesValues(url) || fixedUrl.test(maskedOf(url));
}

/** True if no value of the call can be part of anything but the name of the user of a SIP address. */
export function isSipFixed(address: string): boolean {
  return !takesValues(address) || fixedSip.test(maskedOf(address).trim());
}

function maskedOf(text: string): string {
  return [...textParts(text)]
    .map((part) => (part.name === undefined ? part.text : isValueName(part.name) ? mark : secretMark))
    .join('');
}
