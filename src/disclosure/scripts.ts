import type { Token } from './tokens.ts';

export type Script = 'latin' | 'cyrillic' | 'greek';

const letters: Readonly<Record<Script, RegExp>> = {
  latin: /\p{Script=Latin}/u,
  cyrillic: /\p{Script=Cyrillic}/u,
  greek: /\p{Script=Greek}/u,
};

/** Words of Latin letters that look like Cyrillic or Greek ones. */
const lookalike = /^[aceopxyuniHABCEHIKMNOPTXYZ]+$/;

/** The script of a text: Cyrillic or Greek if it has such a letter, otherwise Latin. */
export function scriptOf(text: string): Script {
  return (['cyrillic', 'greek'] as const).find((script) => letters[script].test(text)) ?? 'latin';
}

/**
 * True for a word whose spelling may hide another word: it mixes scripts, has digits inside, is in another script than
 * its language, or is Latin but looks like the script of its language.
 */
export function isDisguised(
  { raw, kind }: Token,
  { script, acronyms }: { readonly script: Script; readonly acronyms: ReadonlySet<string> },
): boolean {
  if (kind !== 'word' || !/\p{L}/u.test(raw)) return false;
  const foreign = (Object.keys(letters) as Script[]).filter(
    (other) => other !== script && letters[other].test(raw),
  );
  if (foreign.length === 0) return /^\p{L}+\d+\p{L}+$/u.test(raw);
  if (letters[script].test(raw) || script === 'latin' || foreign[0] !== 'latin') return true;
  return lookalike.test(raw) && !acronyms.has(raw);
}
