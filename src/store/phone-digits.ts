/** Digits of the shortest part of a phone number that is searched as one. */
const fewestDigits = 4;

/**
 * The digits of a text that is a phone number or a part of one, however it is written: `+1 (202) 555-0190` and `555 01`.
 * Undefined for any other text.
 */
export function phoneDigits(text: string): string | undefined {
  if (!/^[\s\d()+./-]*$/.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, '');
  return digits.length >= fewestDigits ? digits : undefined;
}
