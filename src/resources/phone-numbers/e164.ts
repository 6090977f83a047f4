import type * as Library from 'libphonenumber-js/min';

/** Loading it costs more than listing every tool: only who imports a number waits for it. */
let library: typeof Library | undefined;

export async function loadNumberingPlans(): Promise<void> {
  library ??= await import('libphonenumber-js/min');
}

/** ITU-T E.164 section 6: fifteen digits at most, which the plans of some countries pass. */
const e164 = /^\+[1-9]\d{1,14}$/;

/**
 * What is wrong with a number that has to be E.164; undefined where nothing is. A number counts that is possible:
 * of a country there is, and as long as that country's numbers are. Whether its range is in use only a carrier
 * knows today, and numbers for films and trials (+1 555 …) never are.
 * @throws where `loadNumberingPlans` was not awaited before.
 */
export function e164Problem(text: string): string | undefined {
  if (!library) throw new Error('the numbering plans are not loaded');
  const parsed = library.parsePhoneNumberFromString(text);
  if (!parsed?.isPossible() || !e164.test(parsed.number))
    return 'Expected E.164: + and the country code, then the number, such as +12025550123.';
  return parsed.number === text ? undefined : `Expected E.164, which is ${parsed.number} here.`;
}
