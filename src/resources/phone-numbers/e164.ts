import type * as Library from 'libphonenumber-js/min';

/** Loaded on first use, because loading it takes longer than listing every tool. */
let library: typeof Library | undefined;

export async function loadNumberingPlans(): Promise<void> {
  library ??= await import('libphonenumber-js/min');
}

/** ITU-T E.164 section 6 allows 15 digits; the library allows more for some countries. */
const e164 = /^\+[1-9]\d{1,14}$/;

/**
 * Returns the problem of a number that must be E.164, or undefined. The number must have a known country code and a
 * length that the country uses. Its range is not checked: only carriers know which ranges are in use, and numbers for
 * films and trials (+1 555 …) never are.
 * @throws if `loadNumberingPlans` was not awaited before
 */
export function e164Problem(text: string): string | undefined {
  if (!library) throw new Error('the numbering plans are not loaded');
  const parsed = library.parsePhoneNumberFromString(text);
  if (!parsed?.isPossible() || !e164.test(parsed.number))
    return 'Expected E.164: + and the country code, then the number, such as +12025550123.';
  return parsed.number === text ? undefined : `Expected E.164, which is ${parsed.number} here.`;
}
