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

/** SQL: true if a number in E.164 ends with these digits, or if it is these digits and the text begins with a plus sign. */
export function endsWithDigits(number: string, { text, digits }: { text: string; digits: string }): string {
  return `right(${number}, case when btrim(${text}) like '+%' then -1 else length(${digits}) end) = ${digits}`;
}
